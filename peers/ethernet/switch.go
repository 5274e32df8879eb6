package ethernet

import (
	"fmt"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Crossbar carries beats from inputs to outputs: 18 ns (EDM Table 1). The packet manager lets one input at a time send
// to an output.
type Crossbar struct {
	In  []rtl.Async[Directed] // by input
	Out []rtl.Out[pcs.Beat]   // by output

	lines []*blocks.DelayLine[Directed]
}

func newCrossbar(ports, edges int) *Crossbar {
	c := &Crossbar{In: make([]rtl.Async[Directed], ports), Out: make([]rtl.Out[pcs.Beat], ports)}
	for range ports {
		c.lines = append(c.lines, blocks.NewDelayLine(edges-1, Directed{}))
	}
	return c
}

// Tick moves a beat of each input.
func (c *Crossbar) Tick() {
	for p := range c.Out {
		c.Out[p].Set(pcs.Beat{})
	}
	for i, l := range c.lines {
		if x := l.Shift(c.In[i].Get()); x.Beat.Valid {
			c.Out[x.Port].Set(x.Beat)
		}
	}
}

// Switch is a layer-2 switch: 400 ns from the receiving to the sending MAC (EDM Table 1) if nothing queues.
type Switch struct {
	Ports       []*Port
	Parsers     []*Parser
	MatchAction []*MatchAction
	Manager     *PacketManager
	Crossbar    *Crossbar
	Table       *ExactMatch
}

// maxPorts is what a mask of ports holds.
const maxPorts = 64

// newSwitch builds a switch whose ports receive on one clock and send on another.
func newSwitch(sc *rtl.Scope, cfg Config, c *clocks) *Switch {
	tx, rx := c.at(0, "tx_clk"), c.at(hop, "rx_clk")
	parsed, matched, managed := int64(parsing), int64(parsing+matchAction), int64(parsing+matchAction+managing)
	crossed := managed + crossing
	parseClock, matchClock, manageClock := c.at(hop+parsed, "parse_clk"), c.at(hop+matched, "match_clk"),
		c.at(hop+managed, "manage_clk")
	// One hop of wires and the forwarding path together are a whole number of cycles, 175, so the last box ends on tx.
	s := &Switch{Table: NewExactMatch(4 * cfg.Ports),
		Manager: newPacketManager(cfg.Ports, c.edges(matched, managed), cfg.Buffer,
			(cfg.MaxFrame-pcs.FCSBytes+7)/8, cfg.Forwarding),
		Crossbar: newCrossbar(cfg.Ports, c.edges(managed, crossed))}
	for i := range cfg.Ports {
		p, parse := &Port{}, &Parser{line: blocks.NewDelayLine(c.edges(0, parsed)-1, Parsed{})}
		match := &MatchAction{line: blocks.NewDelayLine(c.edges(parsed, matched)-1, Matched{}), table: s.Table, own: 1 << i}
		if cfg.Flood {
			match.miss = ^uint64(0) >> (maxPorts - cfg.Ports)
		}
		name := fmt.Sprintf("port_%d", i)
		p.add(sc.Scope(name), tx, rx)
		sc.Scope(name).On(parseClock).Add("parser", parse)
		sc.Scope(name).On(matchClock).Add("match_action", match)
		rtl.Connect(&p.Deframer.Out, &parse.In)
		rtl.Connect(&parse.Out, &match.In)
		rtl.Connect(&match.Out, &s.Manager.In[i])
		rtl.Connect(&s.Manager.Out[i], &s.Crossbar.In[i])
		rtl.Connect(&s.Crossbar.Out[i], &p.TxFIFO.In)
		s.Ports, s.Parsers, s.MatchAction = append(s.Ports, p), append(s.Parsers, parse), append(s.MatchAction, match)
	}
	sc.On(manageClock).Add("packet_manager", s.Manager)
	sc.On(tx).Add("crossbar", s.Crossbar)
	return s
}
