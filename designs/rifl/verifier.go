package rifl

// lookback is how many frames a receiver wants to see in their order before it trusts a retransmission (§4.C).
const lookback = 16

// verifier is the verification procedure of the receiver (Listing 1). It sees verdicts, not bits: the residue of a
// frame and whether its SYN says data.
type verifier struct {
	FrameID   uint16 // that the next data frame should have
	Threshold uint16 // that the next delivered frame has
	Error     bool   // a retransmission is needed

	mask uint16
}

// NewVerifier returns a verifier for IDs of s bits, in its initial state.
func NewVerifier(s int) verifier {
	return verifier{Threshold: lookback, mask: 1<<s - 1}
}

// Verify takes a frame and tells whether it is good: its code is right and its ID is the expected one. A good data
// frame is delivered. All comparisons are of the values before the frame.
func (v *verifier) Verify(residue uint16, data bool) (good bool) {
	id, threshold := v.FrameID, v.Threshold
	if residue != id {
		v.Error = true
		v.FrameID = (threshold - lookback) & v.mask
		return false
	}
	// The last of the frames before the missing one has come, or a control frame after the one before that: it has the
	// same ID.
	if threshold == (id+1)&v.mask {
		v.Error = false
	}
	good = id == threshold
	if data {
		v.FrameID = (id + 1) & v.mask
		if good {
			v.Threshold = (threshold + 1) & v.mask
		}
	}
	return good
}
