package pcs

import "github.com/goldwire/goldwire/rtl"

// PatternWindow is how many blocks a seed of the pseudo-random test pattern lasts (49.2.8).
const PatternWindow = 128

// TestPattern generates the pseudo-random test pattern of 49.2.8 in place of the encoder and the scrambler: the
// scrambler runs over a fixed pattern, and every 128 blocks its state is loaded with seed A, inverted seed A, seed B,
// inverted seed B in turn; with an inverted seed the pattern is inverted, too. All blocks have the sync header of
// control blocks. Latency 1 cycle.
type TestPattern struct {
	Enable rtl.In[bool] // makes a block in this cycle
	Out    rtl.Out[Block]

	SeedA, SeedB uint64 // 58 bits
	LocalFault   bool   // the pattern is two local fault ordered sets instead of zeros

	state  uint64 `bits:"58"`
	count  uint8  `bits:"7"`
	window uint8  `bits:"2"` // 0 A, 1 inverted A, 2 B, 3 inverted B
}

// Seeds that 52.9.1.1 gives for testing optical transmitters.
const (
	SeedA52 = 0x3c8b44dcab6804f
	SeedB52 = 0x34906bb85a38884
)

// patternData is the input of the scrambler.
func patternData(localFault bool) uint64 {
	if localFault {
		return LocalFaultBlock().Payload
	}
	return 0
}

// Reset starts with seed A.
func (t *TestPattern) Reset() {
	t.state, t.count, t.window = t.SeedA, 0, 0
	t.Out.Set(Block{})
}

// Tick makes one block.
func (t *TestPattern) Tick() {
	if !t.Enable.Get() {
		t.Out.Set(Block{})
		return
	}
	data := patternData(t.LocalFault)
	if t.window&1 == 1 {
		data = ^data
	}
	b := Block{Header: HeaderControl, Valid: true}
	b.Payload, t.state = Scramble(data, t.state)
	t.Out.Set(b)
	if t.count++; t.count == PatternWindow {
		t.count, t.window = 0, (t.window+1)&3
		seed := t.SeedA
		if t.window >= 2 {
			seed = t.SeedB
		}
		if t.window&1 == 1 {
			seed ^= 1<<58 - 1
		}
		t.state = seed
	}
}

// PatternChecker counts the errors of the pseudo-random test pattern after the descrambler: blocks that are neither
// the pattern nor its inverse. A new seed looks like one such block, so of every 128 blocks, counted from the first
// mismatch, the first does not count (49.2.12). Latency 1 cycle to Errors.
type PatternChecker struct {
	In     rtl.In[Block]
	Lock   rtl.In[bool]
	Errors rtl.Out[uint16] // test_pattern_error_count (45.2.3.20): stops at its maximum

	LocalFault bool

	count  uint16 `bits:"16"`
	since  uint8  `bits:"7"` // blocks since the mismatch that was not counted
	inside bool   `bits:"1"` // within 128 blocks of it
}

// Reset starts with no errors.
func (c *PatternChecker) Reset() {
	c.count, c.since, c.inside = 0, 0, false
	c.Errors.Set(0)
}

// Tick looks at one block.
func (c *PatternChecker) Tick() {
	b := c.In.Get()
	if !b.Valid || !c.Lock.Get() {
		return
	}
	data := patternData(c.LocalFault)
	match := b.Payload == data || b.Payload == ^data
	switch {
	case c.inside:
		if !match && c.count != 0xffff {
			c.count++
		}
		if c.since++; c.since == PatternWindow-1 {
			c.inside = false
		}
	case !match:
		c.inside, c.since = true, 0
	}
	c.Errors.Set(c.count)
}
