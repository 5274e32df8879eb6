package shoal

import (
	"fmt"

	"github.com/goldwire/goldwire/internal/enum"
)

// SlotNanoseconds is the slot at 100 Gb/s (§7.1): 20.5 ns for a cell of 64 bytes on a channel of 25 Gb/s, and a guard
// band of 2.75 ns.
const SlotNanoseconds = 23.25

// Of a cell's 64 bytes, 8 are its header (Fig. 5).
const (
	CellBytes    = 64
	HeaderBytes  = 8
	PayloadBytes = CellBytes - HeaderBytes
)

// Equation is a reading of Equation 2: how many cells the remote queue has sent since its feedback.
type Equation uint8

// The readings.
const (
	ByDrains   Equation = iota // the slots in which it could send
	ByEpochs                   // whole epochs
	ByCounters                 // the difference of epoch counters
	QueueAlone                 // drains, without R in the local queue
)

var equations = enum.Texts{"drains", "epochs", "counters", "queue-alone"}

func (e Equation) String() string { return enum.String(e, equations) }

// MarshalText implements [encoding.TextMarshaler].
func (e Equation) MarshalText() ([]byte, error) { return enum.Marshal(e, equations) }

// UnmarshalText implements [encoding.TextUnmarshaler]: it reads drains, epochs, counters or queue-alone.
func (e *Equation) UnmarshalText(text []byte) error { return enum.Unmarshal(e, text, equations) }

// FabricParams are the rack's part of an experiment's parameters.
type FabricParams struct {
	Nodes    int       `flag:"nodes" min:"3" max:"1024" help:"nodes of the rack"`
	Channels int       `flag:"channels" min:"1" max:"16" help:"channels of a link, each with a share of the schedule (§3.4)"`
	Schedule string    `flag:"schedule" choices:"cyclic,half-epoch" help:"Figure 3, or Appendix A with the reply half an epoch later"`
	Flight   int       `flag:"flight" min:"0" max:"4096" help:"slots from sending to receiving beyond the same slot"`
	Equation Equation  `flag:"equation-2" choices:"drains,epochs,counters,queue-alone" help:"count the remote queue's drains since the feedback, or whole epochs, or by the difference of epoch counters; or drains, without R in the local queue"`
	Pair     PairOrder `flag:"pair" choices:"fifo,turns,shortest" help:"order of the flows of one pair: one after the other, a cell of each in turn, or the shortest first"`
	Plain    bool      `flag:"plain" help:"without the optimisations of §3.3.3: no ready queues, no 2^age rule"`
}

func (p *FabricParams) Built() (*Schedule, error) {
	switch p.Schedule {
	case "cyclic":
		return Cyclic(p.Nodes, p.Channels)
	case "half-epoch":
		return HalfEpoch(p.Nodes, p.Channels)
	}
	return nil, fmt.Errorf("schedule %q, want cyclic or half-epoch", p.Schedule)
}

func (p *FabricParams) Options() Options {
	return Options{
		WholeEpochs: p.Equation == ByEpochs, Counters: p.Equation == ByCounters, QueueAlone: p.Equation == QueueAlone,
		Pair: p.Pair, NoReady: p.Plain, NoAge: p.Plain,
	}
}

func (p *FabricParams) NewRack() (*Rack, error) {
	s, err := p.Built()
	if err != nil {
		return nil, err
	}
	return NewRack(RackConfig{Schedule: s, Flight: p.Flight, Options: p.Options()})
}

func FormatFlows(n int) string { return fmt.Sprintf("%d flows", n) }
