package ethernet

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Port is a MAC and a PCS, both ways, each 3 cycles long (EDM Table 1: 7.68 ns):
//
//	transmit  TxFIFO, Framer, TxRegister │ Encoder, Scrambler, TxGearbox
//	receive   RxGearbox, Descrambler, Decoder │ Deframer
//
// The deframer's 3 cycles are those from the word with /S/ to the first beat: one word of preamble, one that it holds
// back because it may be the FCS, and its register.
type Port struct {
	TxFIFO     TxFIFO
	Framer     pcs.Framer
	TxRegister Register[pcs.XGMII]
	Tx         pcs.Tx

	Rx       pcs.Rx
	Deframer pcs.Deframer
}

// add builds the port in a scope.
func (p *Port) add(sc *rtl.Scope, tx, rx *rtl.Clock) {
	p.TxFIFO.beats = blocks.NewFIFO[pcs.Beat](txDepth)
	p.Tx.Gearbox, p.Rx.Gearbox = pcs.NewTxGearbox(pcs.BlockBits), pcs.NewRxGearbox(pcs.BlockBits, 0)
	s := sc.Scope("tx").On(tx)
	s.Add("fifo", &p.TxFIFO)
	s.Add("framer", &p.Framer)
	s.Add("register", &p.TxRegister)
	p.Tx.Add(s)
	s = sc.Scope("rx").On(rx)
	p.Rx.Add(s)
	s.Add("deframer", &p.Deframer)

	rtl.ConnectStream(p.TxFIFO.Output(), p.Framer.Input())
	rtl.Tie(true, &p.Framer.Enable)
	rtl.Connect(&p.Framer.Out, &p.TxRegister.In)
	rtl.Connect(&p.TxRegister.Out, &p.Tx.Encoder.In)
	rtl.Connect(&p.Rx.Decoder.Out, &p.Deframer.In)
}

// txDepth is more than a pacer ever lets pile up.
const txDepth = 16

// TxFIFO holds what the framer does not take at once, while it sends preamble, FCS and gap. Its sources pace
// themselves. Latency 1 cycle.
type TxFIFO struct {
	In    rtl.In[pcs.Beat]
	Ready rtl.In[bool]
	Out   rtl.Out[pcs.Beat]

	beats *blocks.FIFO[pcs.Beat]
	lost  int // beats that found it full
}

// Output is the stream to the framer.
func (f *TxFIFO) Output() rtl.Producer[pcs.Beat] {
	return rtl.Producer[pcs.Beat]{Beat: &f.Out, Ready: &f.Ready}
}

// Tick moves a beat.
func (f *TxFIFO) Tick() {
	if b := f.In.Get(); b.Valid && !f.beats.Push(b) {
		f.lost++
	}
	if f.Out.Get().Valid && !f.Ready.Get() {
		return
	}
	b, _ := f.beats.Pop()
	f.Out.Set(b)
}

// Register is a pipeline register. Latency 1 cycle.
type Register[T any] struct {
	In  rtl.In[T]
	Out rtl.Out[T]
}

// Tick takes the value.
func (r *Register[T]) Tick() { r.Out.Set(r.In.Get()) }
