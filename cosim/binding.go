package cosim

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/vectors"
)

// Binding is how the RTL's ports stand for the unit's fields.
type Binding struct {
	Ports  []Port
	Fields []Bound // one a field of the unit

	clock    *bit  // nil for combinational RTL
	clocks   []bit // other ports on the same clock
	reset    *bit
	resets   []bit // the others, of a unit with several clocks or RTL with several resets
	enable   *bit
	stall    float64
	ties     []tie
	skip     int
	holds    int                          // transfers that the RTL is to hold; 0 if the map does not say
	start    int                          // cycles from the end of the reset to the first that counts
	finds    bool                         // start is to be found out
	ready    map[string]readyPort         // by the unit's port
	waveform bool                         // the ports are variables of a dump
	ifaces   []iface                      // of the ports
	shakes   map[string]vectors.Handshake // of the unit, where they have ports of their own
	joined   map[int]int                  // a port of an interface to the port, plus 1, that drives it
}

// Bound is a field of the unit and its RTL bits.
type Bound struct {
	vectors.Field
	Text string // as a map says it
	How  string // "map", "name", "width"; "held", "ignored" and "stream" fields have no port

	held, value uint64 // bits of an input that the RTL does not have, and their value
	mask        uint64 // bits of an output that are compared
	extra       *int   // of an output: cycles more than the model's; nil if it follows the session's
	bits        []bit  // the most significant first; absentBit for held or ignored bits
}

// Held returns the bits of an input that are held, and their value.
func (f *Bound) Held() (mask, value uint64) { return f.held, f.value }

// Compared returns the bits of an output that are compared.
func (f *Bound) Compared() uint64 { return f.mask }

// tie is bits of an RTL input, or of several, that have one value.
type tie struct {
	bits  []bit // most significant first
	value uint64
}

type readyPort struct {
	bit
	stall float64
	yumi  bool // it is 1 only with valid

	latency int // edges from a transfer out to its data
}

// BindError lists every misfit between RTL, map and unit.
type BindError struct {
	Causes []string // the first is the one to look at
	// Map is a map to begin with, of a unit with handshakes: its streams, with the RTL's ports as far as their names tell;
	// "…" stands for the others. It is empty if it would be of no use.
	Map string
}

// shownCauses fit a screen.
const shownCauses = 20

func (e *BindError) Error() string {
	if more := len(e.Causes) - 1; more > 0 {
		return fmt.Sprintf("%s (and %d more)", e.Causes[0], more)
	}
	return e.Causes[0]
}

// Screen returns the causes as lines for a terminal, at most as many as fit.
func (e *BindError) Screen() []string {
	if len(e.Causes) <= shownCauses {
		return e.Causes
	}
	return append(slices.Clone(e.Causes[:shownCauses-1]), fmt.Sprintf("… and %d more", len(e.Causes)-shownCauses+1))
}
