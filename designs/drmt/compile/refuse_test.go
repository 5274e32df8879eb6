package compile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// A misfit is one line that names the place.
func TestRefusals(t *testing.T) {
	expr := op
	for _, c := range []struct {
		name string
		edit func(p *p4.Program, s *schedule.Schedule, o *compile.Options)
		err  string
	}{
		{"a table too large for a cluster", func(p *p4.Program, _ *schedule.Schedule, _ *compile.Options) {
			p.Ingress.Nodes[4].Table.Size = 2_000_000
		},
			"router: table l2 needs 1954 SRAM and 0 TCAM blocks and 1 key segments; 32 clusters do not have them left, " +
				"neither one nor several together"},
		{"clusters too small", func(_ *p4.Program, _ *schedule.Schedule, o *compile.Options) {
			o.Clusters, o.Memory = 1, drmt.Blocks{SRAM: 5, TCAM: 3}
		},
			"router: table route needs 1 SRAM and 1 TCAM blocks and 1 key segments; 1 clusters do not have them left, neither " +
				"one nor several together"},
		{"a key of more than eight segments", func(p *p4.Program, _ *schedule.Schedule, o *compile.Options) {
			o.Entries = nil
			for range 14 {
				p.Ingress.Nodes[4].Table.Key = append(p.Ingress.Nodes[4].Table.Key, p4.KeyField{Match: p4.Exact, Field: fEthDst})
			}
		}, "router: table l2 needs 7 SRAM and 0 TCAM blocks and 9 key segments; 32 clusters do not have them left, neither " +
			"one nor several together"},
		{"two operations in one", func(p *p4.Program, _ *schedule.Schedule, _ *compile.Options) {
			p.Actions[4].Ops[0].Value = expr(p4.Add, expr(p4.ShiftLeft, field(fClass), number(1)), field(fTTL))
		}, "router: the schedule has no operation tag.mark.2_ACTION"},
		{"a sum of 48 bits", func(p *p4.Program, _ *schedule.Schedule, _ *compile.Options) {
			p.Actions[4].Ops[0] = set(fEthSrc, expr(p4.Add, field(fEthSrc), number(1)))
		}, "router: the schedule has no operation tag.mark.2_ACTION"},
		{"control flow in a circle", func(p *p4.Program, _ *schedule.Schedule, _ *compile.Options) {
			p.Ingress.Nodes[7].Table.Next = []int{5}
		}, "router: control flow comes back to expired"},
		{"too many entries", func(p *p4.Program, _ *schedule.Schedule,
			_ *compile.Options) {
			p.Ingress.Nodes[4].Table.Size = 3
		},
			"router: table l2 has 21 entries, its size is 3"},
		{"a schedule without an operation",
			func(_ *p4.Program, s *schedule.Schedule, _ *compile.Options) { s.Graph.Nodes[1].Name = "x" },
			"router: the schedule has no operation route_MATCH"},
		{"a result that is not there yet", func(_ *p4.Program, s *schedule.Schedule, _ *compile.Options) { s.Start[1] += 9 },
			"router: route: its action starts at cycle 24, its result comes at 33"},
		{"a field that is not written yet", func(_ *p4.Program, s *schedule.Schedule, _ *compile.Options) {
			s.Start[10] = s.Start[4] - 1 // tag reads the class, which acl writes
		}, "router: acl at cycle 48 writes meta.class, tag at cycle 47 comes too early: want 1 cycles or more"},
		{"two packets at once", func(_ *p4.Program, s *schedule.Schedule, _ *compile.Options) {
			s.Start[4] += s.Start[2]%9 - s.Start[4]%9 + 9
			s.Start[5], s.Start[6], s.Start[7] = s.Start[5]+18, s.Start[6]+18, s.Start[7]+18
			s.Start[8], s.Start[9], s.Start[10] = s.Start[8]+18, s.Start[9]+18, s.Start[10]+18
		}, "packets start actions in cycle"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := router()
			s := naive(p, 9)
			_, entries := newPackets(t)
			o := compile.Options{Entries: entries}
			c.edit(p, s, &o)
			_, err := compile.DRMT(p, s, o)
			require.ErrorContains(t, err, c.err)
			require.NotContains(t, err.Error(), "\n")
		})
	}
}
