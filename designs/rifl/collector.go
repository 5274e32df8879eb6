package rifl

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/rtl"
)

// Collector is the user's side of the receiver: the flow-control buffer of each lane, which also takes up the lanes'
// skew, channel bonding, meta code decoding, and width conversion (§4.D, §4.F). Frames are taken at the edges of the
// frame clock; the user's clock is that clock or groups times as fast. With empty buffers a frame is at the output two
// edges later: one for the buffer, one for the output converter's own register.
//
// The lanes stand in groups: flits go to the groups in turn, which is temporal bonding, and their segments to the
// lanes of the group, which is spatial bonding (§5.A). The lane with the highest number has the first segment.
type Collector struct {
	Frame []rtl.Async[uint64] // R words a lane, of a clock that is synchronous to ours: see [Deserialiser]
	Valid []rtl.Async[bool]   // a lane

	Data    []rtl.Out[uint64]
	Control rtl.Out[BeatControl]
	Ready   rtl.In[bool]

	Count    []rtl.Out[uint16] // a lane: frames in its buffer
	Overflow rtl.Out[uint32]   // frames lost for want of room
	High     []rtl.Out[uint16] // a lane: the most frames its buffer has held

	width, groups, perGroup int

	lanes    []collectorLane
	edge     int // of the frame clock: our edges until the next
	group    int
	buf      []byte
	at, to   int  // buf[at:to] are the bytes of a packet that have arrived and were not shown
	ends     bool // the packet ends with these bytes
	most     int  // if at is more, they are moved to the front
	overflow uint32
}

type collectorLane struct {
	flow FlowBuffer
	ring []uint64
	head int // the place of the oldest frame, in frames
}

// collectorFlits is the flits that a collector's bytes have room for, besides a beat. With more than two they are
// seldom moved to the front.
const collectorFlits = 16

// Output is the stream of the user's beats.
func (c *Collector) Output() rtl.Producer[BeatControl] {
	return rtl.Producer[BeatControl]{Beat: &c.Control, Words: c.Data, Ready: &c.Ready}
}

// NewCollector returns a collector for beats of width bytes, frames of the given number of words and IDs of s bits.
func NewCollector(p Profile, s, width, lanes, groups, words int) (*Collector, error) {
	return newCollector(p, s, width, lanes, groups, words, collectorFlits)
}

func newCollector(p Profile, s, width, lanes, groups, words, flits int) (*Collector, error) {
	if err := checkWidth(width); err != nil {
		return nil, err
	}
	c := &Collector{
		Frame: make([]rtl.Async[uint64], lanes*words), Valid: make([]rtl.Async[bool], lanes),
		Data: make([]rtl.Out[uint64], (width+7)/8), High: make([]rtl.Out[uint16], lanes),
		Count: make([]rtl.Out[uint16], lanes),
		width: width, groups: groups, perGroup: lanes / groups,
		lanes: make([]collectorLane, lanes),
	}
	for i := range c.lanes {
		l := &c.lanes[i]
		l.flow.Depth, _ = FlowSize(p, s)
		l.ring = make([]uint64, l.flow.Depth*words)
	}
	flit := c.perGroup * (8*words - 2)
	c.most = (flits - 1) * flit
	c.buf = make([]byte, c.most+flit+width+2) // a frame is two bytes longer than its payload: see decode
	return c, nil
}

// Tick shows the next beat and takes the frames that have arrived.
func (c *Collector) Tick() {
	if c.edge++; c.edge == c.groups {
		c.edge = 0
	}
	if !c.Control.Get().Valid || c.Ready.Get() {
		c.beat()
	}
	if c.edge == 0 {
		for i := range c.Valid {
			if c.Valid[i].Get() {
				c.receive(i)
			}
		}
	}
	for i := range c.Count {
		c.Count[i].Set(uint16(c.lanes[i].flow.Len))
	}
}

// receive takes a lane's frame into its buffer. Frames without data are for the flow control monitor, or for nobody.
func (c *Collector) receive(i int) {
	words := len(c.Frame) / len(c.Valid) // of a frame; Go's compiler knows them where the code is fused
	from := i * words
	if first := c.Frame[from].Get(); first>>metaShift&3 == metaNone {
		return
	}
	l := &c.lanes[i]
	at := l.head + l.flow.Len
	if at >= l.flow.Depth {
		at -= l.flow.Depth
	}
	if !l.flow.Push() {
		c.overflow++
		c.Overflow.Set(c.overflow)
		return
	}
	frame := l.ring[at*words : at*words+words]
	for w := range words {
		frame[w] = c.Frame[from+w].Get()
	}
	c.High[i].Set(uint16(l.flow.high))
}

// beat takes a flit if its bytes can be held, and shows a beat if one is complete.
func (c *Collector) beat() {
	alone := c.ends // the rest of a packet
	if !alone {
		c.take()
	}
	if !c.ends && c.to-c.at < c.width {
		c.Control.Set(BeatControl{})
		return
	}
	c.show()
	if alone {
		c.take()
	}
}

// show drives a beat from the bytes held.
func (c *Collector) show() {
	at, to := c.at, c.to
	n := min(to-at, c.width)
	if n == 8*len(c.Data) {
		buf := c.buf[at : at+8*len(c.Data)]
		for i := range c.Data {
			c.Data[i].Set(binary.LittleEndian.Uint64(buf[8*i:]))
		}
	} else {
		for i := range c.Data {
			c.Data[i].Set(littleEndian(c.buf[at:at+n], 8*i))
		}
	}
	at += n
	last := c.ends && at == to
	c.Control.Set(BeatControl{Bytes: uint16(n), Last: last, Valid: true})
	if last {
		c.ends = false
	}
	if at > c.most {
		at, c.to = 0, copy(c.buf, c.buf[at:to])
	}
	c.at = min(at, c.most) // it is no more: a register has as many bits as this needs
}

// take appends the next flit to the bytes held, if all its segments are there, no packet's end is waiting and a beat
// fits.
func (c *Collector) take() {
	if c.ends || c.to-c.at >= c.width || !c.complete() {
		return
	}
	words := len(c.Frame) / len(c.Valid)
	lowest := c.group * c.perGroup
	for k := lowest + c.perGroup - 1; k >= lowest; k-- { // the highest lane of the group has the first segment
		l := &c.lanes[k]
		frame, data := l.ring[l.head*words:l.head*words+words], c.buf[c.to:c.to+8*words]
		carry := uint64(0)
		for w := range words { // as decode does it, from the last to the first
			i := words - 1 - w
			word := frame[i]
			binary.BigEndian.PutUint64(data[8*i:], word<<4|carry)
			carry = word >> 60
		}
		if l.head++; l.head >= l.flow.Depth {
			l.head = 0
		}
		l.flow.Pop()
		valid, last := validBytes(MetaOf(frame), formatOf(frame), 8*words-2)
		if c.to = min(c.to+valid, len(c.buf)); last {
			c.ends = c.to > c.at // a packet without bytes leaves nothing
			break
		}
	}
	if c.group++; c.group == c.groups {
		c.group = 0
	}
}

// complete tells whether the next flit is there: a segment in each lane of the group, or those up to the end of a
// packet. The highest lane has the first.
func (c *Collector) complete() bool {
	lowest := c.group * c.perGroup
	for k := lowest + c.perGroup - 1; ; k-- {
		l := &c.lanes[k]
		if l.flow.Len == 0 {
			return false
		}
		if k == lowest || l.ring[l.head*(len(c.Frame)/len(c.Valid))]>>(metaShift+1)&1 == 1 { // the end of the packet
			return true
		}
	}
}
