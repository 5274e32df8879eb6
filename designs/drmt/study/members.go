package study

import (
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// mostInGroup bounds a random group.
const mostInGroup = 4

// RandomSetup is [RandomEntries], and members and groups of action profiles, named by entries of the tables that take
// them. It is a configuration without anything else.
func RandomSetup(p *p4.Program, each int, seed uint64) p4.Configuration {
	c := p4.Configuration{
		Entries: RandomEntries(p, each, seed), Members: map[string][]p4.Entry{}, Groups: map[string][][]int{},
	}
	f := newFiller(p, seed)
	f.rng = rand.New(rand.NewPCG(seed, 0x6d656d62)) // the entries of other tables stay as they are
	tables := make([][]*p4.Table, len(p.Profiles))
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			if n.Table != nil && n.Table.Profile > 0 && len(n.Table.Key) > 0 {
				tables[n.Table.Profile-1] = append(tables[n.Table.Profile-1], n.Table)
			}
		}
	}
	for i, x := range p.Profiles {
		if len(tables[i]) == 0 || each == 0 {
			continue
		}
		common := *tables[i][0] // with the actions that all tables of the profile have
		common.Actions = slices.DeleteFunc(slices.Clone(common.Actions), func(a int) bool {
			return slices.ContainsFunc(tables[i], func(t *p4.Table) bool { return !slices.Contains(t.Actions, a) })
		})
		if len(common.Actions) == 0 {
			continue
		}
		for range each {
			e := f.entry(&common)
			c.Members[x.Name] = append(c.Members[x.Name], p4.Entry{Action: e.Action, Data: e.Data, Wide: e.Wide})
		}
		groups := x.Selector >= 0 && p.Calculations[x.Selector].Algorithm < p4.RoundRobin
		if groups {
			c.Groups[x.Name] = f.groups(max(each/mostInGroup, 1), each)
		}
		for _, t := range tables[i] {
			var list []p4.Entry
			for range min(each, t.Size) {
				e := f.entry(t)
				e.Action, e.Data, e.Wide, e.Indirect, e.Member = 0, nil, nil, true, f.rng.IntN(each)
				if e.Group = groups && f.rng.IntN(4) > 0; e.Group {
					e.Member = f.rng.IntN(len(c.Groups[x.Name]))
				}
				list = append(list, e)
			}
			c.Entries = append(c.Entries, distinctKeys(t, list)...)
		}
	}
	return c
}

// groups are a number of groups of one to four members each, in the order of their numbers.
func (f *filler) groups(many, members int) (all [][]int) {
	for range many {
		var g []int
		for range 1 + f.rng.IntN(mostInGroup) {
			g = append(g, f.rng.IntN(members))
		}
		slices.Sort(g)
		all = append(all, slices.Compact(g))
	}
	return all
}
