package pcs

import "github.com/goldwire/goldwire/rtl"

// BlockSync finds the boundaries of blocks: the lock state machine of Figure 49-14. It looks at the sync headers only,
// in parallel to the descrambler, and asks the receive gearbox to slip by one bit until 64 headers in a row are valid.
// Latency 1 cycle from a header to Lock and Slip.
type BlockSync struct {
	In   rtl.In[Block]
	Lock rtl.Out[bool] // block_lock
	Slip rtl.Out[bool] // for one cycle: drop one bit of the line

	// Settle is how many further blocks are not looked at after a slip, because they were cut before it took effect: the
	// slip's way to the gearbox and back. RxGearbox needs 1.
	Settle int

	headers uint8 `bits:"7"` // sh_cnt
	invalid uint8 `bits:"5"` // sh_invalid_cnt
	locked  bool  `bits:"1"`
	ignore  int
}

// The limits of Figure 49-14.
const (
	syncWindow     = 64 // headers looked at before the counts start anew
	syncInvalidMax = 16 // invalid ones among them that lose the lock
)

// Reset starts without lock.
func (s *BlockSync) Reset() {
	s.headers, s.invalid, s.locked, s.ignore = 0, 0, false, 0
	s.Lock.Set(false)
	s.Slip.Set(false)
}

// Tick looks at one header.
func (s *BlockSync) Tick() {
	b := s.In.Get()
	slip := false
	switch {
	case !b.Valid:
	case s.ignore > 0:
		s.ignore--
	default:
		slip = s.test(b.HeaderOK())
	}
	s.Lock.Set(s.locked)
	s.Slip.Set(slip)
}

// test is one pass through TEST_SH; it tells whether to slip.
func (s *BlockSync) test(ok bool) bool {
	s.headers++
	if !ok {
		s.invalid++
		if s.invalid == syncInvalidMax || !s.locked { // SLIP
			s.headers, s.invalid, s.locked = 0, 0, false
			s.ignore = s.Settle
			return true
		}
	}
	if s.headers == syncWindow {
		if s.invalid == 0 { // 64_GOOD
			s.locked = true
		}
		s.headers, s.invalid = 0, 0
	}
	return false
}
