package study

import (
	"github.com/goldwire/goldwire/rtl"
)

// lulls is a transmitter that takes no segment in two cycles of five.
type lulls struct {
	Out   rtl.Out[bool]
	cycle int
}

func (l *lulls) Tick() {
	l.cycle++
	l.Out.Set(l.cycle%5 > 1)
}
