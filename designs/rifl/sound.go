package rifl

import "fmt"

// Loop returns the frames from a transmitter's frame to the first frame that it sends in the knowledge of the far end's
// verdict on it: there, through the synchroniser, back, and through the synchroniser here. Each end adds a decision in the
// cycle in which the flag is seen.
func (c Config) Loop() int { return 2*(c.FrameDelay()+flagDelay) - 2 }

// Sound returns nil if no order of bit errors can make this configuration lose or repeat a frame, as long as the code sees
// them. The paper's Eq. 13 asks only that the frames of a round trip have distinct IDs. That is not enough:
//
//   - The buffer must still have the missing frame and the 16 before it when a pass begins, which is after the loop and the
//     8 requests: loop <= 2^S - 24.
//   - When a pass brings the last missing frame with its own last frame, the request has to be down before the pass ends, or
//     another begins. Its first frame, 2^S old, has the ID that the receiver, now free of error, expects next: it is delivered
//     as new. A pass sends a control frame and its tail behind its last data frame, so loop <= tail + 2. In the paper's
//     profile the far end sends data at once, and 17 data frames take the request back where one idle would:
//     loop + 16 <= tail + 2. The safe profile leaves the oldest frame out of a pass, and so does not need this.
func (c Config) Sound() error {
	loop, ids := c.Loop(), 1<<c.S()
	if most := ids - lookback - requestsToBelieve; loop > most {
		return fmt.Errorf("the loop of %d frames is longer than the %d that IDs of %d bits can hold", loop, most, c.S())
	}
	r := c.Profile.rules()
	most := r.tail(ids) + 2
	if !r.resume {
		most -= quietToForget
	}
	if r.skip == 0 && loop > most {
		return fmt.Errorf("the loop of %d frames is longer than the %d of a pass's tail: stale frames can be taken for new ones", loop, most)
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
