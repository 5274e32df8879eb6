package pcs

import "github.com/goldwire/goldwire/rtl"

// Decoder is the receive process of Clause 49: it turns a block a cycle into eight XGMII characters, under the state
// machine of Figure 49-17. Latency 1 cycle.
//
// The state machine looks at the type of the block after the current one (R_TYPE_NEXT): a frame ends well only if idle
// or a new frame follows. Next shows that block, before the register through which it comes to In; a block is decoded
// in the cycle in which its successor shows there.
type Decoder struct {
	In    rtl.In[Block]
	Next  rtl.In[Block]
	Lock  rtl.In[bool] // block_lock
	HiBER rtl.In[bool] // hi_ber
	Out   rtl.Out[XGMII]

	state RxState `bits:"3"`
	kind  Kind    `bits:"3"` // R_TYPE of the block at In, found when it was Next
}

// RxState is a state of the receive state machine (Figure 49-17).
type RxState uint8

// The states.
const (
	RxInit RxState = iota
	RxC            // control
	RxD            // in a frame
	RxT            // frame terminated
	RxE            // error
)

// rxNext is the state machine: [state][kind], where the kind of a terminate block that neither idle nor a start follows
// is taken as E.
var rxNext = [8][5]RxState{
	//         E    C    S    T    D
	RxInit: {RxE, RxC, RxD, RxE, RxE},
	RxC:    {RxE, RxC, RxD, RxE, RxE},
	RxD:    {RxE, RxE, RxE, RxT, RxD},
	RxT:    {RxE, RxC, RxD, RxE, RxE},
	RxE:    {RxE, RxC, RxE, RxT, RxD},
}

// Next is one step of the state machine, for the kinds of a block and of the block after it.
func (s RxState) Next(k, following Kind) RxState {
	if k == KindT && following != KindC && following != KindS {
		k = KindE
	}
	return rxNext[s&7][k]
}

// Reset reports a local fault until blocks are locked.
func (d *Decoder) Reset() {
	d.state, d.kind = RxInit, KindE
	x := LocalFaultWord()
	x.Valid = false
	d.Out.Set(x)
}

// Tick decodes one block.
func (d *Decoder) Tick() {
	next := d.Next.Get()
	if !next.Valid {
		x := d.Out.Get()
		x.Valid = false
		d.Out.Set(x)
		return
	}
	b, k := d.In.Get(), d.kind
	d.kind = Classify(next)
	if !d.Lock.Get() || d.HiBER.Get() {
		d.state = RxInit
		d.Out.Set(LocalFaultWord())
		return
	}
	d.state = d.state.Next(k, d.kind)
	if d.state == RxE {
		d.Out.Set(ErrorWord())
		return
	}
	d.Out.Set(Decode(b))
}
