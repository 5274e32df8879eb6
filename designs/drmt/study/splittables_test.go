package study_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/designs/drmt/study"
	"github.com/goldwire/goldwire/rtl"
)

// Tables that fit no cluster are split over several: a ternary one whose entries of high priority are in the first
// part, an exact one, and prefixes. The key goes to all parts at once, so that the packet takes no longer.
func TestSplitTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	p := byHand(
		[]p4.Node{
			exactTable("ternary", a1, 1, 0, 1, 2), exactTable("exact", a3, 2, 3, 4),
			exactTable("prefix", a2, p4.Accept, 5, 6),
		},
		[]p4.Primitive{assign(m0, constantOf(1))},
		[]p4.Primitive{assign(m1, &p4.Expr{Kind: p4.ParamValue})},
		nil,
		[]p4.Primitive{
			assign(b0, &p4.Expr{Kind: p4.ParamValue}),
		},
		nil,
		[]p4.Primitive{assign(a0, &p4.Expr{Kind: p4.ParamValue})},
		nil,
	)
	for action, bits := range map[int]int{1: 13, 3: 16, 5: 8} {
		p.Actions[action].Params = []p4.Param{{Name: "p", Bits: bits}}
	}
	size := []int{5000, 3000, 4100}
	for i, kind := range []p4.MatchKind{p4.Ternary, p4.Exact, p4.LPM} {
		table := p.Ingress.Nodes[i].Table
		table.Match, table.Size = kind, size[i]
		table.Key[0].Match = kind
	}
	p.Ingress.Nodes[0].Table.Default, p.Ingress.Nodes[1].Table.Default, p.Ingress.Nodes[2].Table.Default = 2, 4, 6
	var entries []p4.Entry
	seen := map[uint64]bool{}
	for i := range 4100 {
		entries = append(
			entries,
			p4.Entry{Table: "ternary", Priority: 1 + rng.IntN(9000), Action: 1, Data: []uint64{uint64(i % 8000)},
				Key: []p4.KeyValue{{Value: uint64(i) & 0x0fff, Mask: []uint64{0x0fff, 0xffff, 0x00ff}[rng.IntN(3)]}}},
		)
		entries[len(entries)-1].Key[0].Value &= entries[len(entries)-1].Key[0].Mask
		if i < 2990 {
			entries = append(
				entries,
				p4.Entry{
					Table: "exact", Action: 3, Data: []uint64{uint64(i)},
					Key: []p4.KeyValue{{Value: uint64(i) << 20, Mask: 1<<48 - 1, PrefixLen: 48}},
				},
			)
		}
		n := 8 + rng.IntN(25)
		mask := uint64(0xffffffff) &^ (1<<(32-n) - 1)
		if v := uint64(rng.Uint32()) & 0x0f0fffff & mask; !seen[v<<8|uint64(n)] {
			seen[v<<8|uint64(n)] = true
			entries = append(
				entries,
				p4.Entry{
					Table: "prefix", Action: 5, Data: []uint64{uint64(n)},
					Key: []p4.KeyValue{{Value: v, Mask: mask, PrefixLen: n}},
				},
			)
		}
	}
	g, err := compile.Graph(p, compile.Options{})
	require.NoError(t, err)
	for wait := range 2 { // results that are used when they come, and results that wait
		s := &schedule.Schedule{Graph: g, Limits: schedule.DRMT(1), Period: 6}
		for _, n := range g.Nodes {
			s.Start = append(s.Start, map[schedule.Kind]int{schedule.Match: 0, schedule.Action: 22 + 3*wait}[n.Kind])
		}
		require.NoError(t, s.Validate())
		c, err := compile.DRMT(p, s, compile.Options{Entries: entries, Memory: drmt.Blocks{SRAM: 3, TCAM: 1}})
		require.NoError(t, err)
		parts := map[string]int{}
		for _, x := range c.Image.Tables {
			parts[x.Name]++
		}
		require.Equal(t, map[string]int{"ternary": 3, "exact": 2, "prefix": 3}, parts)
		program := study.Program{P4: p, Entries: entries}
		const count = 1500
		o, err := study.RunSwitch(
			t.Context(), program, c, s.Period, count,
			func() study.Source { return study.NewTraffic(p, entries, count, 1) }, rtl.Config{}, nil,
		)
		require.NoError(t, err)
		require.Zero(t, o.Faults, o.FirstFault)
		require.EqualValues(t, s.Length(), o.MaxLatency)
		require.Greater(t, o.Hits, uint64(count))
	}
}
