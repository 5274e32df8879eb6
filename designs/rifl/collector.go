package rifl

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/rtl"
)

// Collector is the user's side of the receiver on the user's clock: the flow-control buffer of each lane, which also takes up
// the lanes' skew, channel bonding, meta code decoding, and width conversion (§4.D, §4.F). With empty buffers a frame that
// has come is at the output behind the same edge: latency 1 cycle.
//
// The lanes stand in groups: flits go to the groups in turn, which is temporal bonding, and their segments to the lanes of
// the group, which is spatial bonding (§5.A).
type Collector struct {
	Frame []rtl.Async[uint64] // R words a lane, of a clock that is synchronous to ours: see [Deserialiser]
	Count []rtl.Async[uint8]  // a lane

	Data    []rtl.Out[uint64]
	Control rtl.Out[BeatControl]
	Ready   rtl.In[bool]

	LocalFull []rtl.Out[bool]   // a lane
	Overflow  rtl.Out[uint32]   // frames lost for want of room
	High      []rtl.Out[uint16] // a lane: the most frames its buffer has held

	width, words, payload, groups, perGroup int

	lanes    []collectorLane
	group    int
	buf      []byte // bytes of at most two packets
	n, end   int    // end: bytes up to the end of the first packet; 0 if it has not come
	overflow uint32
	flit     []byte
}

type collectorLane struct {
	flow  FlowBuffer
	seen  uint8
	ring  []uint64
	head  int
	frame []uint64
}

// NewCollector returns a collector for so many lanes in so many groups.
func NewCollector(p Profile, s, width, lanes, groups, words int) (*Collector, error) {
	if err := checkWidth(width); err != nil {
		return nil, err
	}
	c := &Collector{
		Frame: make([]rtl.Async[uint64], lanes*words), Count: make([]rtl.Async[uint8], lanes),
		Data: make([]rtl.Out[uint64], (width+7)/8), LocalFull: make([]rtl.Out[bool], lanes), High: make([]rtl.Out[uint16], lanes),
		width: width, words: words, payload: 8*words - 2, groups: groups, perGroup: lanes / groups,
		lanes: make([]collectorLane, lanes),
	}
	for i := range c.lanes {
		l := &c.lanes[i]
		l.flow = NewFlowBuffer(p, s)
		l.ring = make([]uint64, l.flow.Depth()*words)
		l.frame = make([]uint64, words)
	}
	flit := c.perGroup * c.payload
	c.flit = make([]byte, flit+16)
	c.buf = make([]byte, 2*(flit+width)+16)
	return c, nil
}

// Tick takes what has come and shows the next beat.
func (c *Collector) Tick() {
	for i := range c.lanes {
		l := &c.lanes[i]
		if n := c.Count[i].Get(); n != l.seen {
			l.seen = n
			at := (l.head + l.flow.Len) % l.flow.Depth() * c.words
			if l.flow.Push() {
				for w := range c.words {
					l.ring[at+w] = c.Frame[i*c.words+w].Get()
				}
			} else {
				c.overflow++
			}
		}
	}
	if !c.Control.Get().Valid || c.Ready.Get() {
		c.beat()
	}
	for i := range c.lanes {
		l := &c.lanes[i]
		l.flow.Judge()
		c.LocalFull[i].Set(l.flow.Full)
		c.High[i].Set(uint16(l.flow.High))
	}
	c.Overflow.Set(c.overflow)
}

// beat takes a flit if its bytes can be held, and shows a beat if one is complete.
func (c *Collector) beat() {
	out := BeatControl{}
	if c.end > 0 { // what is left of a packet goes alone
		out = c.show()
		c.take()
	} else {
		c.take()
		if c.end > 0 || c.n >= c.width {
			out = c.show()
		}
	}
	c.Control.Set(out)
}

// show drives a beat from the bytes held.
func (c *Collector) show() BeatControl {
	have := c.n
	if c.end > 0 {
		have = c.end
	}
	n := min(have, c.width)
	for i := range c.Data {
		w := binary.LittleEndian.Uint64(c.buf[8*i:])
		if left := n - 8*i; left < 8 {
			w &= 1<<(8*max(left, 0)) - 1
		}
		c.Data[i].Set(w)
	}
	out := BeatControl{Bytes: uint16(n), Last: c.end > 0 && n == c.end, Valid: true}
	copy(c.buf, c.buf[n:c.n])
	c.n -= n
	c.end = max(0, c.end-n)
	return out
}

// take appends the next flit to the bytes held, if all its segments are there, no packet's end is waiting and a beat fits.
func (c *Collector) take() {
	if c.end > 0 || c.n >= c.width {
		return
	}
	first := c.group * c.perGroup
	used := 0
	for k := range c.perGroup {
		l := &c.lanes[first+k]
		if l.flow.Len == 0 {
			return
		}
		used++
		if head := l.ring[l.head*c.words]; head>>(metaShift+1)&1 == 1 { // the end of the packet
			break
		}
	}
	for k := range used {
		l := &c.lanes[first+k]
		copy(l.frame, l.ring[l.head*c.words:][:c.words])
		l.head = (l.head + 1) % l.flow.Depth()
		l.flow.Pop()
		n, last := Decode(c.flit, l.frame)
		copy(c.buf[c.n:], c.flit[:n])
		if c.n += n; last {
			c.end = c.n
		}
	}
	c.group = (c.group + 1) % c.groups
}
