package spfc

// Readings are the places where §V.A and Figure 10 can be read in two ways. The zero value is the model's default.
type Readings struct {
	// Latch: the state holder is a set/reset latch that only a PAUSE resets. A window that ends below the count leaves
	// the port a victim, which contradicts Figure 7. By default the end of a window loads it.
	Latch bool
	// CountOld: bytes dequeued at the instant at which a window ends count in the window that ends. By default they count
	// in the new one.
	CountOld bool
	// ResumeWaits: a count that was reached during the pause makes the port a victim with the next dequeue or at the
	// window's end. By default with the RESUME.
	ResumeWaits bool
	// SampleOnly: only the end of a window makes a port a victim. By default the dequeue that reaches the count does.
	SampleOnly bool
}

// CircuitConfig is shared by the circuits of all ports of one rate.
type CircuitConfig struct {
	Threshold uint32 // counting number of IRC, at least 1: C x TC / K, in the unit of CircuitInputs.Dequeued
	Readings
}

// Circuit is the registers that SPFC adds to an ingress port (Figure 10), but for its timeout clock TC, whose end is
// an input.
type Circuit struct {
	Paused bool   // between PAUSE and RESUME: the reset input of SH
	Victim bool   // SH, the state holder
	IRC    uint32 // ingress rate counter, saturating at the threshold
}

// CircuitInputs are the events of a port at one instant.
type CircuitInputs struct {
	Pause     bool // a PAUSE frame is triggered; comes before a RESUME at the same instant, which then counts for nothing
	Resume    bool
	WindowEnd bool   // TC has reached 0
	Dequeued  uint32 // in the unit of the threshold
}

// Step is one clock edge. The events of one instant take effect in this order: PAUSE, end of the window, dequeue,
// RESUME. So the registers are the same if the end of the window comes first and the others follow one after the
// other, in any order.
func (c *Circuit) Step(cfg *CircuitConfig, in CircuitInputs) {
	if in.Pause {
		c.Paused, c.Victim = true, false
	}
	if in.WindowEnd && !cfg.CountOld {
		c.endWindow(cfg)
	}
	if in.Dequeued > 0 {
		c.IRC = uint32(min(uint64(c.IRC)+uint64(in.Dequeued), uint64(cfg.Threshold)))
		c.Victim = c.Victim || c.Over(cfg) && !c.Paused && !cfg.SampleOnly
	}
	if in.Resume && !in.Pause {
		c.Paused = false
		c.Victim = c.Victim || c.Over(cfg) && !cfg.ResumeWaits && !cfg.SampleOnly
	}
	if in.WindowEnd && cfg.CountOld {
		c.endWindow(cfg)
	}
}

// Over is the output of IRC: the count is reached.
func (c *Circuit) Over(cfg *CircuitConfig) bool { return c.IRC >= cfg.Threshold }

func (c *Circuit) endWindow(cfg *CircuitConfig) {
	if fast := c.Over(cfg) && !c.Paused; fast || !cfg.Latch {
		c.Victim = fast
	}
	c.IRC = 0
}
