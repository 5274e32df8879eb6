package blocks

import "github.com/goldwire/goldwire/rtl"

// Delayed is a DelayLine with ports: Out takes the value of In after exactly the given number of cycles. Before the
// first value Out is 0.
type Delayed struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	cycles int
	line   *DelayLine[uint64]
}

// NewDelayed returns a delay of at least 1 cycle. It panics on fewer: without a register Out could not be one.
func NewDelayed(cycles int) *Delayed {
	if cycles < 1 {
		panic("blocks: a delay with a register of less than 1 cycle")
	}
	return &Delayed{cycles: cycles}
}

// Reset fills the line with zeros.
func (d *Delayed) Reset() {
	d.line = NewDelayLine[uint64](d.cycles-1, 0) // Out is the last register
	d.Out.Set(0)
}

// Tick moves the line on.
func (d *Delayed) Tick() { d.Out.Set(d.line.Shift(d.In.Get())) }
