package rifl

import (
	"encoding/binary"
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// BeatControl is the control of a user's beat, AXI4-Stream with contiguous bytes: TKEEP has its lowest Bytes bits set.
// All beats of a packet but the last are full.
type BeatControl struct {
	Bytes uint16 `bits:"12"`
	Last  bool
	Valid bool
}

// Offered returns Valid.
func (c BeatControl) Offered() bool { return c.Valid }

// beatBytes returns how many bytes a beat has in a queue: none if it is not valid, at most its width.
func beatBytes(c BeatControl, width int) int {
	if !c.Valid {
		return 0
	}
	return min(int(c.Bytes), width)
}

// packer is the AXI4-Stream width conversion on the way out: beats of any width as flits of another (§5.A). Bytes of
// two packets never share a flit.
type packer struct {
	packerState
	// from at on the bytes held, then room for the beat at the input; a flit's last segment is read with two bytes more
	buf  []byte
	flit int
	most int // if at is more, the bytes held are moved to the front
}

// packerState is the changing state of a packer, without the bytes.
type packerState struct {
	at   int
	n    int  // of bytes held
	last bool // the packet ends with the bytes held
}

// packerFlits is the flits that a packer's buffer has room for, besides a beat. With more than two, bytes are seldom
// moved to its front. Hardware moves them in every cycle: leastFlits is enough there.
const (
	packerFlits = 16
	leastFlits  = 1
)

func newPacker(width, flit, flits int) packer {
	return packer{buf: make([]byte, flits*flit+max(width, 8)+2), flit: flit, most: (flits - 1) * flit}
}

// held starts with the bytes held. While they are fewer than a flit, a beat has room after them.
func (p *packer) held() []byte { return p.buf[p.at:] }

// room is where a beat's bytes go.
func (p *packer) room() []byte { return p.buf[p.at+p.n:] }

// plan returns what a cycle does with a beat of n bytes at the input: the size of the flit that it offers, 0 for none,
// and whether it needs the beat for that, or takes it without offering.
func (p *packer) plan(n int, c BeatControl) (size int, last, needsBeat, absorbs bool) {
	if p.last || p.n >= p.flit {
		return min(p.n, p.flit), p.last && p.n <= p.flit, false, false
	}
	total := p.n + n
	switch {
	case !c.Valid: // ready for one if a flit could leave
		return 0, false, true, false
	case total < p.flit && !c.Last:
		return 0, false, false, true
	}
	return min(total, p.flit), c.Last && total <= p.flit, true, false
}

// after returns the queue's next state, once n bytes have been put in, which may end a packet, and the bytes of a flit
// taken out.
func (p *packer) after(n int, last bool, flit int) packerState {
	left := 0
	if all := p.n + n; all > flit {
		left = all - flit
	}
	left = min(left, len(p.buf))
	return packerState{p.at + flit, left, left > 0 && (p.last || last)} // a packet without bytes leaves nothing
}

// step moves on.
func (p *packer) step(next packerState) {
	if next.at > p.most {
		copy(p.buf, p.buf[next.at:next.at+next.n])
		next.at = 0
	}
	next.at = min(next.at, p.most) // it is no more: a register has as many bits as this needs
	p.packerState = next
}

// Framer is the user's side of the transmitter on the frame clock: width conversion, spatial channel bonding and meta
// code encoding, all combinational: the segments of a beat stand at the lanes in the cycle in which the beat stands
// here. The first segment goes to the lane with the highest number (§4.F says lane 1 and does not say at which end
// that is). A flit goes to all its lanes at once or waits.
type Framer struct {
	Data    []rtl.In[uint64] // byte 0 in bits 7:0 of word 0
	Control rtl.In[BeatControl]
	Ready   rtl.Wire[bool] `comb:"Control,Accept"`

	Segment []rtl.Wire[uint64] `comb:"Data,Control,Accept"` // R words a lane
	Valid   []rtl.Wire[bool]   `comb:"Control,Accept"`      // a lane
	Accept  []rtl.In[bool]     // Transmitter.Ready

	width int
	q     packer
	short []uint64    // a frame that the flit does not fill
	next  packerState // of q, as Comb left it
}

// Input is the stream of the user's beats.
func (f *Framer) Input() rtl.Consumer[BeatControl] {
	return rtl.Consumer[BeatControl]{Beat: &f.Control, Words: f.Data, Ready: &f.Ready}
}

// NewFramer returns a framer. Width is the bytes of a beat, a power of two; words is the 64-bit words of a lane's
// frame.
func NewFramer(width, lanes, words int) (*Framer, error) {
	return newFramer(width, lanes, words, packerFlits)
}

func newFramer(width, lanes, words, flits int) (*Framer, error) {
	if err := checkWidth(width); err != nil {
		return nil, err
	}
	return &Framer{
		width: width,
		Data:  make([]rtl.In[uint64], (width+7)/8), Segment: make([]rtl.Wire[uint64], lanes*words),
		Valid: make([]rtl.Wire[bool], lanes), Accept: make([]rtl.In[bool], lanes),
		q: newPacker(width, lanes*(8*words-2), flits), short: make([]uint64, words),
	}, nil
}

func checkWidth(width int) error {
	if width < 1 || width > 2048 || width&(width-1) != 0 {
		return fmt.Errorf("user interface of %d bytes, want a power of two from 1 to 2048", width)
	}
	return nil
}

// Comb offers a flit. Lanes without a segment see an invalid frame.
func (f *Framer) Comb() {
	c := f.Control.Get()
	n := beatBytes(c, f.width)
	size, last, needs, absorbs := f.q.plan(n, c)
	accepted := true
	for i := range f.Accept {
		accepted = f.Accept[i].Get() && accepted
	}
	if !accepted {
		size = 0
	}
	ready := absorbs || needs && accepted
	f.Ready.Set(ready)
	if ready && c.Valid { // its bytes may leave with the flit
		at := f.q.at + f.q.n
		room := f.q.buf[at : at+8*len(f.Data)]
		for i := range f.Data {
			binary.LittleEndian.PutUint64(room[8*i:], f.Data[i].Get())
		}
	} else {
		n, c.Last = 0, false
	}
	f.next = f.q.after(n, c.Last, size)
	for lane := range f.Valid {
		f.offer(lane, size, last)
	}
}

// offer gives a lane its segment of a flit. The lane with the highest number has the first one.
func (f *Framer) offer(lane, size int, last bool) {
	words := len(f.Segment) / len(f.Valid) // of a frame; Go's compiler knows them where the code is fused
	payload := 8*words - 2
	from := (len(f.Valid) - 1 - lane) * payload
	n := min(size-from, payload)
	f.Valid[lane].Set(n > 0)
	if n < payload {
		Encode(f.short, f.q.held()[min(from, size):size], last)
		for w := range words {
			f.Segment[lane*words+w].Set(f.short[w])
		}
		return
	}
	from += f.q.at
	held := f.q.buf[from : from+8*words] // two bytes too many
	carry := dataHead(n, payload, last && from+n == f.q.at+size)
	for w := range words { // as encode does it
		bytes := binary.BigEndian.Uint64(held[8*w:])
		if w == words-1 {
			bytes &^= 0xffff
		}
		f.Segment[lane*words+w].Set(carry | bytes>>4)
		carry = bytes << 60
	}
}

// Tick moves on.
func (f *Framer) Tick() {
	f.q.step(f.next)
}
