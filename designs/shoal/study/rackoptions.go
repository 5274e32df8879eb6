package study

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/clock"

	"github.com/goldwire/goldwire/designs/shoal"
)

// CellParams say how large a cell is and how long its slot.
type CellParams struct {
	Cell int        `flag:"cell" min:"16" max:"16384" unit:"bytes" help:"of a cell, 8 of them its header"`
	Slot clock.Time `flag:"slot" min:"1ps" max:"1ms" help:"time of a slot, if --line-rate is 0"`
	Rate float64    `flag:"line-rate" min:"0" max:"10000" unit:"Gb/s" help:"of a channel: a slot is the time of a cell and a guard band of 2.75 ns"`
}

// defaultCell is §7.1's.
func defaultCell() CellParams {
	return CellParams{Cell: shoal.CellBytes, Slot: clock.Picosecond.Times(SlotPicoseconds)}
}

// guardPicoseconds is the guard band of §7.1.
const guardPicoseconds = 2750

// picoseconds is the time of a slot, a whole number.
func (p *CellParams) picoseconds() int64 {
	if p.Rate > 0 {
		return int64(math.Round(float64(p.Cell)*8000/p.Rate)) + guardPicoseconds
	}
	return picoseconds(p.Slot)
}

// FaultParams are the faults of a rack, and a schedule of the user's.
type FaultParams struct {
	File        string   `flag:"schedule-file" file:"in" json:",omitempty" help:"the schedule, in place of --schedule: a row a line with the receivers of nodes 0, 1, ..., - for an idle node"`
	FailNodes   []int    `flag:"fail-nodes" min:"0" max:"1023" most:"1024" json:",omitempty" help:"nodes that fail"`
	FailLinks   []int    `flag:"fail-links" min:"0" max:"1023" most:"1024" json:",omitempty" help:"nodes whose links to their leaves fail"`
	FailLeaves  []int    `flag:"fail-leaves" min:"0" max:"1023" most:"1024" json:",omitempty" help:"leaves of the folded Clos that fail"`
	FailSpines  []int    `flag:"fail-spines" min:"0" max:"1023" most:"1024" json:",omitempty" help:"spines that fail"`
	FailUplinks []string `flag:"fail-uplinks" most:"1024" json:",omitempty" help:"links that fail, each LEAF:SPINE"`
	FailAt      int      `flag:"fail-at" min:"0" max:"1000000000" json:",omitempty" help:"slot from which they are dead"`
	SwitchPorts int      `flag:"ports" min:"0" max:"256" json:",omitempty" help:"of a circuit switch, for failures of switches; 0: the fewest that do"`
	Corrupt     float64  `flag:"corrupt" min:"0" max:"0.99" json:",omitempty" help:"share of the headers that arrive corrupt (Appendix D)"`
}

// config completes a rack's configuration.
func (p *FaultParams) config(cfg *shoal.RackConfig, nodes, channels int, seed uint64) error {
	if p.File != "" {
		s, err := shoal.ReadScheduleFile(p.File, channels)
		if err != nil {
			return err
		}
		if s.Nodes() != nodes {
			return fmt.Errorf("%s: a schedule of %d nodes, want --nodes %d", p.File, s.Nodes(), nodes)
		}
		cfg.Schedule = s
	}
	cfg.Corrupt, cfg.Seed = p.Corrupt, seed
	if len(p.FailNodes)+len(p.FailLinks)+len(p.FailLeaves)+len(p.FailSpines)+len(p.FailUplinks) == 0 {
		return nil
	}
	f := &shoal.Failures{
		From: uint64(p.FailAt), Nodes: p.FailNodes, Links: p.FailLinks, Leaves: p.FailLeaves, Spines: p.FailSpines,
	}
	for _, u := range p.FailUplinks {
		leaf, spine, ok := strings.Cut(u, ":")
		l, errLeaf := strconv.Atoi(leaf)
		s, errSpine := strconv.Atoi(spine)
		if !ok || errLeaf != nil || errSpine != nil {
			return fmt.Errorf("--fail-uplinks %q, want LEAF:SPINE, such as 3:1", u)
		}
		f.Uplink = append(f.Uplink, [2]int{l, s})
	}
	if len(p.FailLeaves)+len(p.FailSpines)+len(p.FailUplinks) > 0 {
		ports := p.SwitchPorts
		if ports == 0 {
			ports = shoal.FewestPorts(nodes)
		}
		var err error
		if f.Clos, err = shoal.Decompose(cfg.Schedule, ports); err != nil {
			return err
		}
	}
	cfg.Failures = f
	return nil
}

// cellLog keeps the cells that went out. A rack of 1,024 nodes may send as many in a slot, so that there is a limit.
type cellLog struct {
	cells []loggedCell
}

type loggedCell struct {
	slot              uint64
	cell              shoal.Cell
	channel, from, to int16
}

// mostLogged is how many cells a log has room for: half a GB.
const mostLogged = 20_000_000

// take adds the cells of a rack's last slot.
func (l *cellLog) take(r *shoal.Rack) error {
	slot := r.Slot() - 1
	r.Sent(func(channel, from, to int, c shoal.Cell) {
		l.cells = append(l.cells, loggedCell{slot, c, int16(channel), int16(from), int16(to)})
	})
	if len(l.cells) > mostLogged {
		return fmt.Errorf("--cells: more than %d cells went out by slot %d, want fewer flows", mostLogged, slot)
	}
	return nil
}

// write writes the log as CSV: a line a cell on a line of the rack, with its header's fields.
func (l *cellLog) write(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString("slot,channel,from,to,source,destination,sequence,start,end,feedback,dropped\n")
	bit := map[bool]int{true: 1}
	for _, x := range l.cells {
		c := x.cell
		fmt.Fprintf(
			b, "%d,%d,%d,%d,%d,%d,%d,%d,%d,%s,%d\n", x.slot, x.channel, x.from, x.to, c.Source(), c.Dest(), c.Sequence(),
			bit[c.Start()], bit[c.End()], toldText(c.Feedback()), bit[c.Dropped()],
		)
	}
	return b.Flush()
}

// toldText is the rate limit feedback as a log has it: a length, or a word for none.
func toldText(feedback int) string {
	switch feedback {
	case shoal.FeedbackNone:
		return "none"
	case shoal.FeedbackCorrupt:
		return "corrupt"
	case shoal.FeedbackMine:
		return "mine"
	}
	return strconv.Itoa(feedback)
}
