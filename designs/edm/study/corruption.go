package study

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
)

// §3.3 lets the scrambler check for corruption. It cannot: a scrambler has no redundancy. The descrambler turns a
// flipped bit into three, 39 and 58 bits apart, and passes them on. The receiver sees bits that cannot be a block: a
// sync header of two equal bits, a block type that nobody uses, a control code in an idle block that is none, a block
// where it may not stand.

// Outcome counts messages by their end.
type Outcome struct {
	Whole   int `json:"whole"`   // as without the error
	Corrupt int `json:"corrupt"` // completed with other data, or written elsewhere
	Null    int `json:"null"`    // a read, answered by its timer
	// a write that is complete for its application and has written nothing, or outside of the memory
	Silent int `json:"silent"`
	Stuck  int `json:"stuck"` // never completed
}

func (o *Outcome) add(p Outcome) {
	o.Whole += p.Whole
	o.Corrupt += p.Corrupt
	o.Null += p.Null
	o.Silent += p.Silent
	o.Stuck += p.Stuck
}

// Flips counts single bit errors: the flips that a receiver saw, so that it disabled its link, and the end of the hit
// message.
type Flips struct {
	Flips  int     `json:"flips"`
	Seen   int     `json:"seen"`
	IfSeen Outcome `json:"if_seen"`
	Unseen Outcome `json:"if_unseen"`
	Shut   int     `json:"shut"` // not seen, and a later message of the same nodes did not come through either
}

func (f *Flips) add(g Flips) {
	f.Flips += g.Flips
	f.Seen += g.Seen
	f.IfSeen.add(g.IfSeen)
	f.Unseen.add(g.Unseen)
	f.Shut += g.Shut
}

// sweep is the flips of all bits of a message on a link, one at a time.
type sweep struct {
	Message string `json:"message"`
	Link    string `json:"link"` // "up" to the switch or "down" from it
	Blocks  int    `json:"blocks"`
	Flips
}

// Busy is what single bit errors do at random places of a busy network.
type Busy struct {
	Load     float64 `json:"load"` // share of blocks that are not idle
	Flips    int     `json:"flips"`
	Seen     int     `json:"seen"`
	Harmless int     `json:"unseen_harmless"`
	Harmful  int     `json:"unseen_harmful"` // data was corrupted, or a message did not come
}

// corruptionReport is what single bit errors do.
type corruptionReport struct {
	Bytes  int     `json:"bytes"` // of the messages that are hit
	Sweeps []sweep `json:"sweeps"`
	All    Flips   `json:"all"`
	Busy   Busy    `json:"busy"`
}

// corruption flips every step-th bit of a lone read and of a lone write of some bytes, on every link that they cross,
// and a number of bits at random places under traffic.
func corruption(ctx context.Context, size, step, busy int, seed uint64) (*corruptionReport, error) {
	r := &corruptionReport{Bytes: size}
	for _, kind := range []edm.Kind{edm.RREQ, edm.WREQ} {
		clean, err := newTrial(kind, size)
		if err != nil {
			return nil, err
		}
		if err := clean.watch(); err != nil {
			return nil, err
		}
		for _, p := range clean.passages {
			s := sweep{Message: p.message, Link: p.link(), Blocks: p.blocks}
			for bit := 0; bit < p.blocks*pcs.BlockBits; bit += step {
				if err := s.flip(kind, size, clean, p, bit); err != nil {
					return nil, err
				}
				if err := ctx.Err(); err != nil {
					return nil, err
				}
			}
			r.Sweeps = append(r.Sweeps, s)
			r.All.add(s.Flips)
		}
	}
	var err error
	r.Busy, err = busyFlips(ctx, busy, seed)
	return r, err
}

// trial is a read or write in an idle network of two nodes, and a later one of each.
type trial struct {
	net      *edm.Network
	told     [3]int // completions, by tag
	null     [3]bool
	words    []edm.Word // of the first response, as delivered
	before   []byte     // node 1's memory
	after    []byte     // when the first should be over
	taps     []*lineTap
	passages []passage
}

// passage is a message on a link.
type passage struct {
	message string
	node    int
	up      bool
	first   uint64 // cycle in which the link takes its first block
	blocks  int
}

func (p passage) link() string {
	if p.up {
		return "up"
	}
	return "down"
}

// Cycles of a trial.
const (
	trialStart   = 64
	trialTimeout = 220
	trialLater   = trialStart + trialTimeout + 120 // the later messages
	trialEnd     = trialLater + trialTimeout + 120
)

func newTrial(kind edm.Kind, size int) (*trial, error) {
	n, err := edm.NewNetwork(edm.Config{Nodes: 2, Memory: 1024, Timeout: period(trialTimeout)})
	if err != nil {
		return nil, err
	}
	t := &trial{net: n}
	for i, h := range n.Hosts { // so that words tell where they are from
		for at := uint64(0); at < uint64(h.Memory.Bytes); at += 8 {
			h.Memory.Put(at, edm.Pattern(at+uint64(i)<<20))
		}
	}
	t.before = n.Hosts[1].Memory.Content()
	n.Hosts[0].App.Requests = []edm.Timed{
		{
			Cycle:   trialStart,
			Request: edm.Request{Kind: kind, Dest: 1, Address: 64, Local: 8 << 20, Bytes: uint16(size), Tag: 0},
		},
		{Cycle: trialLater, Request: edm.Request{Kind: edm.RREQ, Dest: 1, Address: 512, Local: 9 << 20, Bytes: 16, Tag: 1}},
		{Cycle: trialLater, Request: edm.Request{Kind: edm.WREQ, Dest: 1, Address: 512, Local: 10 << 20, Bytes: 16, Tag: 2}},
	}
	n.Hosts[0].App.Finished = func(c edm.Completion) {
		if int(c.Tag) < len(t.told) {
			t.told[c.Tag]++
			t.null[c.Tag] = t.null[c.Tag] || c.Null
		}
	}
	n.Sim.Observe(t)
	return t, nil
}

// Observe keeps the words delivered to node 0.
func (t *trial) Observe(edges rtl.Edges) {
	if t.after != nil {
		return
	}
	if h := t.net.Hosts[0]; edges.Has(h.RxClock) && h.Rx.PushWord.Get() {
		if w := h.Rx.Word.Get(); w.Bytes > 0 {
			t.words = append(t.words, w)
		}
	}
	for i, tap := range t.taps {
		node, up := i/2, i%2 == 0
		e := &t.net.Ports[node].LinkEnd
		if up {
			e = &t.net.Hosts[node].LinkEnd
		}
		if edges.Has(e.TxClock) {
			tap.update()
			t.pass(tap.block, node, up, e.TxClock.Cycle()+1)
		}
	}
}

// pass notes a block that a link will take in a cycle.
func (t *trial) pass(b pcs.Block, node int, up bool, cycle uint64) {
	if !b.Valid || edm.IsIdle(b) || cycle < trialStart {
		return
	}
	var name string
	switch edm.DefaultTypes.Classify(b) {
	case edm.N:
		name = "/N/"
	case edm.G:
		name = "/G/"
	case edm.MS, edm.MST:
		name = edm.HeaderOf(b).Kind.String()
	default:
		for k := range t.passages {
			if p := &t.passages[k]; p.node == node && p.up == up && p.first+uint64(p.blocks) == cycle {
				p.blocks++
			}
		}
		return
	}
	t.passages = append(t.passages, passage{name, node, up, cycle, 1})
}

// watch runs the trial to the later messages and sees which blocks the links take for the first.
func (t *trial) watch() error {
	for i := range t.net.Hosts {
		for _, e := range []*edm.LinkEnd{&t.net.Hosts[i].LinkEnd, &t.net.Ports[i].LinkEnd} {
			t.taps = append(t.taps, &lineTap{get: e.TxPCS.Scrambler.Out.Get, count: e.TxClock.Cycle})
		}
	}
	return t.run()
}

// run runs the trial to the later messages.
func (t *trial) run() error {
	err := t.net.Clock.Run(trialLater)
	t.after = t.net.Hosts[1].Memory.Content()
	return err
}

// outcome compares with the trial without an error.
func (t *trial) outcome(kind edm.Kind, clean *trial) (o Outcome) {
	same := bytes.Equal(t.after, clean.after) && slices.Equal(t.words, clean.words)
	switch {
	case t.told[0] == 0:
		o.Stuck = 1
	case t.null[0]:
		o.Null = 1
	case same:
		o.Whole = 1
	case kind == edm.WREQ && bytes.Equal(t.after, t.before):
		o.Silent = 1
	default:
		o.Corrupt = 1
	}
	return o
}

// flip does a trial with a bit of a message flipped.
func (s *sweep) flip(kind edm.Kind, size int, clean *trial, p passage, bit int) error {
	t, err := newTrial(kind, size)
	if err != nil {
		return err
	}
	if err := t.net.FlipBits(0, p.node, p.up, (p.first-1)*pcs.BlockBits+uint64(bit)); err != nil {
		return err
	}
	if err := t.run(); err != nil {
		return err
	}
	s.Flips.Flips++
	if t.net.Disabled() {
		s.Seen++
		s.IfSeen.add(t.outcome(kind, clean))
		return nil
	}
	s.Unseen.add(t.outcome(kind, clean))
	if err := t.net.Clock.Run(trialEnd - trialLater); err != nil {
		return err
	}
	if written := t.net.Hosts[1].Memory.At(512); t.told[1] != 1 || t.null[1] || t.told[2] != 1 ||
		written != edm.Pattern(10<<20) {
		s.Shut++
	}
	return nil
}

// busyFlips flips one bit of a network with much to carry, again and again elsewhere.
func busyFlips(ctx context.Context, flips int, seed uint64) (b Busy, err error) {
	rng := rand.New(rand.NewPCG(seed, 8))
	const nodes, messages = 2, 60
	blocks, cycles := uint64(0), uint64(0)
	for range flips {
		traffic := faultTraffic(rng.Uint64(), nodes, messages, 512, 60_000)
		last := traffic[messages-1].Start / edm.BlockPicoseconds
		node, up, cycle := rng.IntN(nodes), rng.IntN(2) == 0, edm.WarmUp+uint64(rng.Int64N(last))
		var net *edm.Network
		r, err := edm.Run(
			ctx,
			edm.Config{Nodes: nodes, Memory: 8192, Timeout: period(2000)},
			traffic,
			edm.Options{Lossy: true, Limit: 20_000_000, Prepare: func(n *edm.Network) {
				net = n
				err = n.FlipBits(0, node, up, cycle*pcs.BlockBits+uint64(rng.IntN(pcs.BlockBits)))
			}},
		)
		if err != nil {
			return b, err
		}
		b.Flips++
		blocks += r.Up.Control + r.Up.Data + r.Down.Control + r.Down.Data
		cycles += 2 * nodes * uint64(last)
		b.Load = float64(blocks) / float64(cycles)
		switch {
		case net.Disabled():
			b.Seen++
		case r.Monitor.Corrupted == 0 && r.Monitor.Count == 0 &&
			!slices.ContainsFunc(r.Messages, func(m workload.Result) bool { return !m.Finished }):
			b.Harmless++
		default:
			b.Harmful++
		}
	}
	return b, nil
}
