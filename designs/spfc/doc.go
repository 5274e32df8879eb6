// Package spfc models Selective PFC (IEEE/ACM Transactions on Networking, 2024): a lossless shared-memory switch that
// gives an ingress port the whole pool while the port drains fast, so that traffic under congestion control is not
// paused for somebody else's burst.
//
// The parts are plain structs, one definition for the level of packets and for the clocked modules:
//
//   - [Circuit] is Figure 10: IRC, SH and PAUSED as registers; the window of TC is its caller's.
//   - [Manager] is the buffer manager (MMU): accounts by ingress, egress and headroom, thresholds DT, ST, SPFC and
//     pinned, ECN marks.
//   - [PFCFrame] is the frame of IEEE 802.1Qbb, byte for byte.
//   - [Switch] stores packets and chooses the next for each egress port; it is a [Node] of a [Network].
//   - [CellSwitch] is the same switch clocked by the cell slot, held to the other by a test; [StateDecision],
//     [ThresholdComparator], [PFCSender] and [PFCReceiver] are modules with RTL.
//   - [Network] joins nodes by links and runs them event by event: serialisation, propagation, PFC frames, pauses by
//     the quantum.
//
// # Time
//
// A [Time] is a whole number of picoseconds: a byte takes 80 at 100 Gb/s, 20 at 400 Gb/s, 800 at 10 Gb/s, so that
// every packet, every cell slot of 64 bytes and every quantum of 512 bit times is exact. At an instant every arriving
// packet is taken in first, in the order of the ports. Then every idle transmitter with a new event is asked for a
// packet to send, in the order of ports; so packets that arrive together compete. Between events nothing changes, and
// no port is asked.
//
// README.md lists the readings, the results, and the limits of the model.
package spfc
