// Package rifl models RIFL (Optica, 2022): a link layer that loses nothing over a wire that does. Every frame has its
// CRC xored with its number; a receiver that sees the wrong one asks for a pass through the sender's last 2^S frames.
//
// The parts are plain structs without data paths, so that one definition serves the modules and the frame-level link:
//
//   - [controller] decides what the transmitter sends (§4.A), [verifier] what the receiver delivers (Listing 1); when a
//     request is believed (§4.B) and when the far end has to pause (§4.D) are parts of their own.
//   - [Link] is two endpoints of modules on real clocks: transceiver, frame, user, recovered and free-running (Fig. 6).
//   - [FrameLink] is two endpoints that step a frame at a time. It carries what frames are, not their bits, and puts
//     real error patterns through the real code: verdicts do not depend on data, because CRC and scrambler are linear.
//     It skips clean stretches exactly.
//
// README.md has the block diagram, the profiles, and the limits.
package rifl
