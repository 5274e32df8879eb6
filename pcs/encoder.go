package pcs

import "github.com/goldwire/goldwire/rtl"

// Encoder is the transmit process of Clause 49: it turns eight XGMII characters a cycle into a block and lets the
// state machine of Figure 49-16 replace words out of order by error blocks. Latency 1 cycle.
type Encoder struct {
	In  rtl.In[XGMII]
	Out rtl.Out[Block]

	state TxState `bits:"3"`
}

// TxState is a state of the transmit state machine (Figure 49-16).
type TxState uint8

// The states.
const (
	TxInit TxState = iota
	TxC            // control
	TxD            // in a frame
	TxT            // frame terminated
	TxE            // sequence violated
)

// txNext is the state machine: [state][kind of the next characters].
var txNext = [8][5]TxState{
	//         E    C    S    T    D
	TxInit: {TxE, TxC, TxD, TxE, TxE},
	TxC:    {TxE, TxC, TxD, TxE, TxE},
	TxD:    {TxE, TxE, TxE, TxT, TxD},
	TxT:    {TxE, TxC, TxD, TxE, TxE},
	TxE:    {TxE, TxC, TxE, TxT, TxD},
}

// Next is one step of the state machine, for the kind of the next characters.
func (s TxState) Next(k Kind) TxState { return txNext[s&7][k] }

// Reset sends local faults until the first characters come.
func (e *Encoder) Reset() {
	e.state = TxInit
	b := LocalFaultBlock()
	b.Valid = false
	e.Out.Set(b)
}

// Tick encodes one word.
func (e *Encoder) Tick() {
	x := e.In.Get()
	if !x.Valid {
		b := e.Out.Get()
		b.Valid = false
		e.Out.Set(b)
		return
	}
	b, k := Encode(x)
	e.state = e.state.Next(k)
	if e.state == TxE {
		b = ErrorBlock()
	}
	e.Out.Set(b)
}
