package shoal

import "github.com/goldwire/goldwire/rtl"

// timeNodes is the most nodes whose delays a TimeCounter keeps: the largest bit-level rack's.
const timeNodes = 16

// TimeHeard is a probe that has come from another node.
type TimeHeard struct {
	Count uint32 `bits:"24"` // of the sender when it left
	Value uint16 // what the sender saw last between the two counters, timeNone for nothing
	From  uint8  `bits:"4"`
	Valid bool
}

// TimeMode is what a TimeCounter does with probes.
type TimeMode struct {
	Learn  bool  // a probe measures the delay
	Follow bool  // a probe moves the counter
	Max    bool  // DTP's rule: forward to whatever is ahead; else to Master's value, forward and back
	Master uint8 `bits:"4"`
}

// TimeSet sets the counter.
type TimeSet struct {
	Count uint64
	Valid bool
}

// TimeSeen is what a node has seen of another: its own counter when a probe came less the probe's.
type TimeSeen struct {
	Value uint16
	From  uint8 `bits:"4"`
	Valid bool
}

// TimeCounter is the counter of a DTP port with its delays (Lee et al., SIGCOMM 2016, Algorithm 1). The counter goes up
// by one in each cycle of the node's own clock. A probe from another node tells that node's counter; this one sees the
// way's delay plus the difference of the counters. The probe also tells what the other one saw of this node. Half of
// the sum of both is the delay, since the difference cancels; the two ways are taken for equally long, as DTP and PTP
// take them. From Follow on, each probe moves the counter by at most one: forward if it is late, and, unless Max is
// set, back, by standing still for a cycle, if it is early.
//
// DTP jumps to max(own, other + delay) at once. Here it is a step a probe, so that no slot is cut by more than a cycle.
// DTP takes Alpha ticks (3 there) off the sum before it is halved, so that no delay is too long and counters do not
// drive each other forward.
//
// Latency 1 cycle. Total is the sum of all delays before the edge.
type TimeCounter struct {
	Heard rtl.In[TimeHeard]
	Mode  rtl.In[TimeMode]
	Set   rtl.In[TimeSet]
	Alpha rtl.In[uint8]
	Count rtl.Out[uint64]
	Seen  rtl.Out[TimeSeen]
	Total rtl.Out[uint32]
	Known rtl.Out[uint16] // by node: its delay is known

	nodes uint8
	count uint64
	delay [timeNodes]uint16 // by node
	known uint16            // by node
}

// NewTimeCounter returns one for a rack of 2 to 16 nodes: a probe from another is seen, but moves nothing.
func NewTimeCounter(nodes int) (*TimeCounter, error) {
	return &TimeCounter{nodes: uint8(nodes)}, checkNodes("time counter", nodes, timeNodes)
}

// Reset starts at 0 and knows no delay.
func (c *TimeCounter) Reset() {
	c.count, c.delay, c.known = 0, [timeNodes]uint16{}, 0
	c.Count.Set(0)
	c.Seen.Set(TimeSeen{})
	c.Total.Set(0)
	c.Known.Set(0)
}

// Tick counts a cycle.
func (c *TimeCounter) Tick() {
	total := uint32(0)
	for _, d := range c.delay {
		total += uint32(d)
	}
	h, mode := c.Heard.Get(), c.Mode.Get()
	seen := uint16(c.count) - uint16(h.Count)
	step := uint64(1)
	bit := uint16(1) << h.From
	if h.Valid && mode.Follow && c.known&bit != 0 && (mode.Max || h.From == mode.Master) {
		switch late := int16(c.delay[h.From] - seen); {
		case late > 0:
			step = 2
		case late < 0 && !mode.Max:
			step = 0
		}
	}
	if h.Valid && h.From < c.nodes && mode.Learn && h.Value != timeNone {
		both := seen + h.Value - uint16(c.Alpha.Get()) // modulo 2^16: delays are below 2^15
		c.delay[h.From] = both >> 1
		c.known |= bit
	}
	c.count += step
	if s := c.Set.Get(); s.Valid {
		c.count = s.Count
	}
	c.Count.Set(c.count)
	c.Seen.Set(TimeSeen{Value: seen, From: h.From, Valid: h.Valid})
	c.Total.Set(total)
	c.Known.Set(c.known)
}
