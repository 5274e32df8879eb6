package study_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/study"
	"github.com/goldwire/goldwire/rtl"
)

// grouped lets some tables of a random program take their actions from action profiles: what an entry had is a member,
// and entries name members, groups of up to five of them, and empty groups. Some misses do, too.
func (r *randomProgram) grouped(entries []p4.Entry, counters bool) p4.Configuration {
	c := p4.Configuration{Defaults: map[string]p4.Entry{}, Members: map[string][]p4.Entry{}, Groups: map[string][][]int{}}
	p := r.p
	profiles := map[string]string{}
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			t := n.Table
			if t == nil || len(t.Key) == 0 || r.rng.IntN(4) == 0 {
				continue
			}
			x := p4.Calculation{Algorithm: []p4.Algorithm{p4.CRC16, p4.CRC32, p4.CSum16, p4.XOR16, p4.Identity}[r.rng.IntN(5)]}
			for range 1 + r.rng.IntN(3) {
				f := r.plain()
				x.Input = append(x.Input, &p4.Expr{Kind: p4.FieldValue, Field: f})
				x.Bits = append(x.Bits, p.Fields[f].Bits)
			}
			profiles[n.Name] = n.Name + ".profile"
			p.Profiles = append(p.Profiles, p4.Profile{Name: n.Name + ".profile", Selector: len(p.Calculations)})
			p.Calculations = append(p.Calculations, x)
			t.Profile, t.Default, t.DefaultData, t.Miss = len(p.Profiles), -1, nil, t.Next[0]
			t.Counters = counters
		}
	}
	for _, e := range entries {
		name, ok := profiles[e.Table]
		if ok {
			c.Members[name] = append(c.Members[name], p4.Entry{Action: e.Action, Data: e.Data, Wide: e.Wide})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Members)) {
		members := c.Members[name]
		for range 4 {
			c.Groups[name] = append(c.Groups[name], nil)
		}
		for g := range 3 { // the last one stays empty
			for range 1 + g*2 {
				c.Groups[name][g] = append(c.Groups[name][g], r.rng.IntN(len(members)))
			}
			slices.Sort(c.Groups[name][g])
			c.Groups[name][g] = slices.Compact(c.Groups[name][g])
		}
	}
	name := func(e p4.Entry) p4.Entry {
		members := c.Members[profiles[e.Table]]
		if len(members) == 0 {
			return e
		}
		e.Indirect, e.Action, e.Data, e.Wide = true, 0, nil, nil
		if e.Group = r.rng.IntN(4) > 0; e.Group {
			e.Member = r.rng.IntN(4)
		} else {
			e.Member = r.rng.IntN(len(members))
		}
		return e
	}
	for _, e := range entries {
		c.Entries = append(c.Entries, name(e))
	}
	for _, table := range slices.Sorted(maps.Keys(profiles)) {
		if len(c.Members[profiles[table]]) > 0 && r.rng.IntN(2) == 0 {
			c.Defaults[table] = name(p4.Entry{Table: table})
		}
	}
	return c
}

// Random programs whose tables take their actions from groups: each packet leaves as the interpreter has it, on dRMT
// and on RMT, and direct counters count alike, which RMT has not.
func TestRandomProgramsWithGroups(t *testing.T) {
	ran, staged, chosen, refused := 0, 0, 0, map[string]int{}
	for seed := range uint64(randomPrograms) {
		rng := rand.New(rand.NewPCG(seed, 0x4752))
		r := newBareProgram(rng)
		r.pipeline(&r.p.Ingress, "ingress", []bool{false, rng.IntN(2) == 0, false}, true)
		r.pipeline(&r.p.Egress, "egress", []bool{false}, false)
		setup := r.grouped(study.RandomEntries(r.p, 12, seed), seed%2 == 0)
		program := study.Program{P4: r.p, Entries: setup.Entries, Defaults: setup.Defaults, Setup: &setup}
		opt, err := compile.Setup(r.p, setup)
		require.NoError(t, err, "seed %d", seed)
		if o := runOnSwitch(t, rng, seed, program, opt, refused); o != nil {
			ran++
			chosen += len(opt.Grouped)
		}
		stages, err := compile.RMT(r.p, nil, opt)
		if err != nil {
			refused[fmt.Sprint("RMT: ", err)]++
			continue
		}
		source := func() study.Source { return study.NewTraffic(r.p, program.Entries, randomPackets, seed) }
		n := 1 + rng.IntN(len(stages.Image.Stages))
		o, err := study.RunPipeline(t.Context(), program, stages, n, randomPackets, source, rtl.Config{}, nil)
		require.NoError(t, err, "seed %d, RMT of %d stages", seed, n)
		require.Zero(t, o.Faults, "seed %d, RMT: %s", seed, o.FirstFault)
		staged++
	}
	t.Logf("%d programs of %d tables with groups, %d on RMT; refused: %v", ran, chosen, staged, refused)
	require.Greater(t, ran, randomPrograms/2)
	require.Greater(t, staged, randomPrograms/4)
	require.Greater(t, chosen, ran)
}

// Random contents name members and groups of profiles that are there. Other tables have the entries of RandomEntries.
func TestRandomSetup(t *testing.T) {
	grouped := 0
	for seed := range uint64(randomPrograms) {
		rng := rand.New(rand.NewPCG(seed, 0x5253))
		r := newBareProgram(rng)
		r.pipeline(&r.p.Ingress, "ingress", []bool{false, false, false}, true)
		r.grouped(study.RandomEntries(r.p, 6, seed), false)
		c := study.RandomSetup(r.p, 6, seed)
		_, err := p4.NewSwitch(r.p, c)
		require.NoError(t, err, "seed %d", seed)
		plain := slices.DeleteFunc(slices.Clone(c.Entries), func(e p4.Entry) bool { return e.Indirect })
		require.ElementsMatch(t, study.RandomEntries(r.p, 6, seed), plain, "seed %d", seed)
		for _, e := range c.Entries {
			if e.Group {
				grouped++
			}
		}
	}
	require.Greater(t, grouped, randomPrograms)
}
