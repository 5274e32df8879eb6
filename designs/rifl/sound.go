package rifl

import "fmt"

// Sound returns nil if no order of bit errors can make this configuration lose or repeat a frame, as long as the code
// sees them and no user stalls (for that see HoldsStalls). The paper's Eq. 13 asks only that the frames of a round
// trip have distinct IDs. That is not enough:
//
//   - The buffer must still have the missing frame and the 16 before it when a pass begins, which is after the loop and
//     the 8 requests: loop <= 2^S - 24.
//   - When a pass brings the last frame that was missing with its own last frame, the request has to be down before the
//     pass ends, or another begins. Its first frame, 2^S old, has the ID that the receiver, now free of error, expects
//     next: it is delivered as new. A pass sends three control frames or slots before and its tail after that frame,
//     and a receiver that is in a pass of its own sends a control frame only every other cycle: loop <= tail + 2. In
//     the paper's profile a receiver that is in no pass sends data at once, and 17 data frames take the request back
//     where one idle would: loop + 16 <= tail + 3. The safe profile leaves the oldest frame out of a pass, and so does
//     not need this.
func (c Config) Sound() error {
	loop, ids := c.Loop(), 1<<c.S()
	if most := ids - lookback - requestsToBelieve; loop > most {
		return fmt.Errorf("the loop of %d frames is longer than the %d that IDs of %d bits can hold", loop, most, c.S())
	}
	r := c.Profile.rules()
	most := r.tail(ids) + 2
	if !r.resume {
		most += 1 - quietToForget
	}
	if r.skip == 0 && loop > most {
		return fmt.Errorf(
			"the loop of %d frames is longer than the %d of a pass's tail: stale frames can be taken for new ones", loop,
			most,
		)
	}
	return nil
}

// SizeSoundID returns the least S for which the configuration is sound, 0 if there is none.
func (c Config) SizeSoundID() int {
	for c.IDBits = 5; c.IDBits <= maxIDBits; c.IDBits++ {
		if c.Sound() == nil {
			return c.IDBits
		}
	}
	return 0
}

// HoldsStalls returns nil if no order of bit errors and of stalls of the users can overflow a flow-control buffer. Eq.
// 20 asks for the frames of half a round trip above the threshold. But an end that retransmits cannot notify: its pass
// goes on for
//
//	2 (loop + 8) + 1 + tail
//
// frames from the frame that puts the far end in step again; the far end then sends data, in the core's profile after
// 2^S idles. With this number the bound is exact: simulation finds as many frames above the threshold, and no more.
func (c Config) HoldsStalls() error {
	depth, level := FlowSize(c.Profile, c.S())
	loop, ids := c.Loop(), 1<<c.S()
	r := c.Profile.rules()
	behind := 2*(loop+requestsToBelieve) + 1 + r.tail(ids)
	if r.resume {
		behind -= ids
	}
	if need := max(loop, behind); need > depth-level.On {
		return fmt.Errorf(
			"up to %d frames can come after a threshold with room for %d: the flow-control buffer can overflow", need,
			depth-level.On,
		)
	}
	return nil
}
