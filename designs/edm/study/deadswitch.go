package study

import (
	"context"
	"math/rand/v2"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
)

// mirrorRuns sums runs of a case of two switches: each with other messages, and the fault at another time and place.
type mirrorRuns struct {
	Case       string `json:"case"`
	Runs       int    `json:"runs"`
	Messages   int    `json:"messages"`
	Lost       int    `json:"lost"`
	Shifted    int    `json:"shifted"`    // that came at another time than with two switches alike and no fault
	Twice      int    `json:"twice"`      // words that nobody waited for
	Violations int    `json:"violations"` // what else the monitor found
	Dropped    int    `json:"dropped"`    // blocks without a circuit in a switch that is on
}

// wrong counts what must not be if a mirror is to be of use.
func (m mirrorRuns) wrong() int { return m.Lost + m.Twice + m.Violations }

// mirrorCase is a case of two switches.
type mirrorCase struct {
	name   string
	alter  func(*edm.Config) // nil for two switches alike
	broken bool              // messages may be lost: the monitor only counts
	plan   func(n *edm.Network, fabric, node int, cycle uint64) error
}

// The cases. A cycle is 2.56 ns, 0.7 ns are 14 cm of fibre.
var (
	switchDies = mirrorCase{name: "one switch dies",
		plan: func(n *edm.Network, fabric, _ int, cycle uint64) error { return n.KillSwitch(fabric, cycle) }}
	linkDownDies = mirrorCase{name: "a link from a switch to a host dies",
		plan: func(n *edm.Network, fabric, node int, cycle uint64) error {
			return n.CutLink(fabric, node, false, cycle)
		}}
	linkUpDies = mirrorCase{name: "a link from a host to a switch dies", broken: true,
		plan: func(n *edm.Network, fabric, node int, cycle uint64) error {
			return n.CutLink(fabric, node, true, cycle)
		}}
	linkUpFailStop = mirrorCase{
		name:  "a link from a host to a switch dies, that switch stops",
		alter: func(c *edm.Config) { c.FailStop = true },
		plan: func(n *edm.Network, fabric, node int, cycle uint64) error {
			n.Switches[fabric].Dead = true
			return n.CutLink(fabric, node, true, cycle)
		},
	}
	longerLinks = mirrorCase{name: "second links longer by 35 ns, no fault", alter: lengthen("35ns", "0ns"),
		plan: func(*edm.Network, int, int, uint64) error { return nil }}
	longerLinksDies = mirrorCase{name: "second links longer by 35 ns, the first switch dies", alter: longerLinks.alter,
		plan: func(n *edm.Network, _, _ int, cycle uint64) error { return n.KillSwitch(0, cycle) }}
	nearlyEqual = mirrorCase{
		name: "second links longer by 0, 0.7, 1.4, 2.1 ns, no fault", alter: lengthen("0ns", "0.7ns"), broken: true,
		plan: longerLinks.plan,
	}
	unevenLinks = mirrorCase{
		name: "second links longer by 0, 7, 14, 21 ns, no fault", alter: lengthen("0ns", "7ns"), broken: true,
		plan: longerLinks.plan,
	}
	unevenLinksDies = mirrorCase{
		name: "second links longer by 0, 7, 14, 21 ns, the first switch dies", alter: unevenLinks.alter, broken: true,
		plan: longerLinksDies.plan,
	}
)

// lengthen makes the second switch's links longer: by a time, and by another for each node before theirs.
func lengthen(all, each string) func(*edm.Config) {
	return func(c *edm.Config) {
		for i := range c.Nodes {
			d := edm.WireDelay.Add(clock.MustTime(all)).Add(clock.MustTime(each).Times(int64(i)))
			c.MirrorUp, c.MirrorDown = append(c.MirrorUp, d), append(c.MirrorDown, d)
		}
	}
}

// run runs traffic between four nodes in a number of runs.
func (c mirrorCase) run(ctx context.Context, runs int, seed uint64) (mirrorRuns, error) {
	const nodes, messages = 4, 60
	m := mirrorRuns{Case: c.name}
	rng := rand.New(rand.NewPCG(seed, 10))
	for k := range runs {
		traffic := faultTraffic(rng.Uint64(), nodes, messages, 600, 40_000)
		fabric, node, cycle := k%2, rng.IntN(nodes), edm.WarmUp+uint64(rng.Int64N(lastCycle(traffic)-edm.WarmUp))
		alike := edm.Config{Nodes: nodes, Memory: 8192, Mirror: true}
		cfg := alike
		if c.alter != nil {
			c.alter(&cfg)
		}
		clean, err := runFaults(ctx, alike, traffic, false, func(*edm.Network) error { return nil })
		if err != nil {
			return m, err
		}
		f, err := runFaults(ctx, cfg, traffic, c.broken, func(n *edm.Network) error { return c.plan(n, fabric, node, cycle) })
		if err != nil {
			return m, err
		}
		m.add(f, clean)
	}
	return m, nil
}

func (m *mirrorRuns) add(f, clean *faultRun) {
	m.Runs++
	m.Messages += len(f.Messages)
	for i, r := range f.Messages {
		switch {
		case !r.Finished || !f.told[i].complete:
			m.Lost++
		case r.Finish != clean.Messages[i].Finish:
			m.Shifted++
		}
	}
	m.Twice += f.Monitor.Stray
	m.Violations += f.Monitor.Count + f.Monitor.Corrupted
	for _, s := range f.net.Switches {
		if !s.Dead {
			m.Dropped += int(s.Crossbar.Dropped.Get())
		}
	}
}

// aloneRuns sums runs in which the only switch dies.
type aloneRuns struct {
	Runs      int     `json:"runs"`
	Queue     int     `json:"queue"`        // requests that a message queue holds
	Writes    bool    `json:"writes_timed"` // writes have the timer of reads
	TimeoutNS float64 `json:"timeout_ns"`
	Messages  int     `json:"messages"`
	Finished  int     `json:"finished"`
	Null      int     `json:"null"`    // answered by their timers
	Hung      int     `json:"hung"`    // reads that a host took and never answered: they wait after writes
	Silent    int     `json:"silent"`  // writes, complete for their application, that have not arrived in whole
	Stuck     int     `json:"stuck"`   // writes that a host took and never completed: they wait for grants
	Unasked   int     `json:"unasked"` // that a host did not take any more, its message queue full
}

// blocked counts the requests for which an application waits in vain.
func (a aloneRuns) blocked() int { return a.Hung + a.Stuck + a.Unasked }

func (a *aloneRuns) add(f *faultRun) {
	a.Runs++
	a.Messages += len(f.Messages)
	for i, r := range f.Messages {
		t := f.told[i]
		switch {
		case t.null:
			a.Null++
		case r.Finished:
			a.Finished++
		case t.complete:
			a.Silent++
		case !f.asked[i]:
			a.Unasked++
		case r.Type == workload.Read:
			a.Hung++
		default:
			a.Stuck++
		}
	}
}

// alone lets the only switch die, in a number of runs.
func alone(ctx context.Context, runs int, timeWrites bool, seed uint64) (aloneRuns, error) {
	const nodes, queue, timeout = 4, 16, 1000
	a := aloneRuns{Queue: queue, Writes: timeWrites, TimeoutNS: timeout * edm.BlockPicoseconds / 1000.}
	rng := rand.New(rand.NewPCG(seed, 12))
	for range runs {
		traffic := faultTraffic(rng.Uint64(), nodes, 300, 600, 40_000)
		cycle := edm.WarmUp + uint64(rng.Int64N((lastCycle(traffic)-edm.WarmUp)/2))
		f, err := runFaults(
			ctx, edm.Config{Nodes: nodes, Memory: 8192, Queue: queue, Timeout: period(timeout), TimeWrites: timeWrites},
			traffic, true, func(n *edm.Network) error { return n.KillSwitch(0, cycle) },
		)
		if err != nil {
			return a, err
		}
		a.add(f)
	}
	return a, nil
}

// mirrorCases are all cases of two switches, in the order of the report.
var mirrorCases = []mirrorCase{
	switchDies, linkDownDies, linkUpDies, linkUpFailStop, longerLinks, longerLinksDies, nearlyEqual, unevenLinks,
	unevenLinksDies,
}
