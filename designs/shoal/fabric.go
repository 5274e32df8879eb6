package shoal

import "fmt"

// SlotNanoseconds is the slot at 100 Gb/s (§7.1): 20.5 ns for a cell of 64 bytes on a channel of 25 Gb/s, and a guard band of
// 2.75 ns.
const SlotNanoseconds = 23.25

// Of a cell's 64 bytes, 8 are its header (Fig. 5).
const (
	CellBytes    = 64
	HeaderBytes  = 8
	PayloadBytes = CellBytes - HeaderBytes
)

// FabricParams are the rack's part of an experiment's parameters.
type FabricParams struct {
	Nodes    int    `flag:"nodes" min:"3" max:"1024" help:"nodes of the rack"`
	Channels int    `flag:"channels" min:"1" max:"16" help:"channels of a link, each with a share of the schedule (§3.4)"`
	Schedule string `flag:"schedule" choices:"cyclic,half-epoch" help:"Figure 3, or Appendix A with the reply half an epoch later"`
	Flight   int    `flag:"flight" min:"0" max:"4096" help:"slots from sending to receiving beyond the same slot"`
	Equation string `flag:"equation-2" choices:"drains,epochs,counters,queue-alone" help:"count the remote queue's drains since the feedback, or whole epochs, or by the difference of epoch counters; or drains, without R in the local queue"`
	Pair     string `flag:"pair" choices:"fifo,turns,shortest" help:"order of the flows of one pair: one after the other, a cell of each in turn, or the shortest first"`
	Plain    bool   `flag:"plain" help:"without the optimisations of §3.3.3: no ready queues, no 2^age rule"`
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
	return Options{WholeEpochs: p.Equation == "epochs", Counters: p.Equation == "counters", QueueAlone: p.Equation == "queue-alone", Pair: pairOrders[p.Pair], NoReady: p.Plain, NoAge: p.Plain}
}

func (p *FabricParams) NewRack() (*Rack, error) {
	s, err := p.Built()
	if err != nil {
		return nil, err
	}
	return NewRack(RackConfig{Schedule: s, Flight: p.Flight, Options: p.Options()})
}

func FormatFlows(n int) string { return fmt.Sprintf("%d flows", n) }
