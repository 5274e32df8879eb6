package rifl

// lookback is how many frames a receiver wants to see in their order before it trusts a retransmission (§4.C).
const lookback = 16

// Verifier is the verification procedure of the receiver (Listing 1). It sees verdicts, not bits: the residue of a frame and
// whether its SYN says data.
type Verifier struct {
	FrameID   uint16 // that the next data frame should have
	Threshold uint16 // that the next delivered frame has
	Error     bool   // a retransmission is needed

	mask uint16
}

// NewVerifier returns a verifier for IDs of s bits, in its initial state.
func NewVerifier(s int) Verifier {
	return Verifier{Threshold: lookback, mask: 1<<s - 1}
}

// Verify takes a frame and tells whether it goes to the user. All comparisons are of the values before it.
func (v *Verifier) Verify(residue uint16, data bool) (deliver bool) {
	id, threshold := v.FrameID, v.Threshold
	if residue != id {
		v.Error = true
		v.FrameID = (threshold - lookback) & v.mask
		return false
	}
	// the last of the frames before the one that is missing has come
	if threshold == (id+1)&v.mask {
		v.Error = false
	}
	if !data {
		return false
	}
	v.FrameID = (id + 1) & v.mask
	if id != threshold {
		return false
	}
	v.Threshold = (threshold + 1) & v.mask
	return true
}
