package compile

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// A table whose entries name groups of an action profile becomes three operations:
//
//	the table itself: the key gives the number of a group's first place and how many members the group has
//	a hash unit:      place = first + hash of the selector's fields modulo members
//	TABLE.members:    the place gives a member's action and data
//
// An entry that names a member names a group of one. The place after all others is an empty group: TABLE.members misses
// it, and no action runs. Where the program asks whether the table was hit, what a miss does has members of its own,
// TABLE.missed, since it goes on elsewhere.

// Names that a table with groups adds to.
const (
	groupOf   = ".group"
	membersOf = ".members"
	missedOf  = ".missed"
)

// A place has placeBits bits. emptyGroup is the place of empty groups.
const (
	placeBits  = 16
	emptyGroup = 1<<placeBits - 1
)

// grouping is a program whose tables with groups are replaced.
type grouping struct {
	given, program *p4.Program
	tables         map[string]*groupedTable
}

// groupedTable is a table with groups.
type groupedTable struct {
	profile string
	action  int // looks the group up
	members *places
	missed  *places // what a miss does, if that goes on elsewhere; else members
}

// places are what a table of members has: the first place of each target, and the first place that is free.
type places struct {
	table *p4.Table
	first map[target]int
	next  int
}

// target is what an entry names.
type target struct {
	group  bool
	number int
}

// withGroups returns the program that stands for one whose tables have groups.
func withGroups(p *p4.Program, opt *Options) (*grouping, error) {
	g := &grouping{given: p, program: p, tables: map[string]*groupedTable{}}
	if len(opt.Grouped) == 0 {
		return g, nil
	}
	opt.Defaults = maps.Clone(opt.Defaults)
	c := *p
	c.Fields, c.Headers, c.Actions = slices.Clone(p.Fields), slices.Clone(p.Headers), slices.Clone(p.Actions)
	c.Headers = append(c.Headers, p4.Header{Name: "groups", Metadata: true, Valid: -1})
	for _, pipe := range []*p4.Pipeline{&c.Ingress, &c.Egress} {
		pipe.Nodes = slices.Clone(pipe.Nodes)
		for i := range len(pipe.Nodes) {
			if t := pipe.Nodes[i].Table; t != nil && slices.Contains(opt.Grouped, t.Name) {
				d, missed := opt.Defaults[t.Name]
				x, err := g.replace(&c, pipe, i, missed)
				if err != nil {
					return nil, err
				}
				if g.tables[t.Name] = x; missed {
					d.Table, d.Action, d.Data = t.Name, x.action, []uint64{0, 0}
					opt.Defaults[t.Name] = d
				}
			}
		}
	}
	g.program = &c
	return g, nil
}

// replace replaces a table. Missed says that a miss runs a member's action, too.
func (g *grouping) replace(c *p4.Program, pipe *p4.Pipeline, at int, missed bool) (*groupedTable, error) {
	given := pipe.Nodes[at].Table
	if given.Profile == 0 || c.Profiles[given.Profile-1].Selector < 0 {
		return nil, fmt.Errorf("%s: table %s has no action selector", c.Name, given.Name)
	}
	profile := &c.Profiles[given.Profile-1]
	if m := given.Meter; m > 0 { // simple_switch hashes before
		for _, e := range c.Calculations[profile.Selector].Input {
			if slices.Contains(c.ExprReads(e), c.Meters[m-1].Target) {
				return nil, fmt.Errorf(
					"%s: table %s: its selector hashes the color of its meter: no machine runs that", c.Name, given.Name,
				)
			}
		}
	}
	place, h := len(c.Fields), len(c.Headers)-1
	c.Fields = append(c.Fields, p4.Field{Name: given.Name + ".place", Header: h, Bits: placeBits})
	c.Headers[h].Fields = append(c.Headers[h].Fields, place)
	c.Headers[h].Bits += placeBits
	x := &groupedTable{profile: profile.Name, action: len(c.Actions)}
	c.Actions = append(c.Actions, p4.Action{
		ID: -1 - x.action, Name: given.Name + groupOf,
		Params: []p4.Param{{Name: "first", Bits: placeBits}, {Name: "members", Bits: placeBits}},
		Ops: []p4.Primitive{{
			Op: p4.Hash, Field: place, Header: -1, Object: profile.Selector,
			Args: []*p4.Expr{{Kind: p4.ParamValue, Param: 0}, {Kind: p4.ParamValue, Param: 1}},
		}},
	})
	members := func(name string, to ...int) (*places, int) {
		t := &p4.Table{
			Name: given.Name + name, Key: []p4.KeyField{{Match: p4.Exact, Field: place}}, Match: p4.Exact, Default: -1,
			Actions: slices.Clone(given.Actions), Next: slices.Clone(given.Next), Miss: given.Miss,
		}
		if len(to) > 0 {
			t.Next, t.Miss = slices.Repeat(to, len(t.Actions)), to[0]
		}
		pipe.Nodes = append(pipe.Nodes, p4.Node{Name: t.Name, Table: t})
		return &places{table: t, first: map[target]int{}}, len(pipe.Nodes) - 1
	}
	t := *given
	t.Profile, t.Actions, t.Default, t.DefaultData, t.DefaultWide = 0, []int{x.action}, -1, nil, nil
	if missed {
		t.Default = x.action
	}
	t.Next = []int{0}
	if !t.HitOrMiss {
		x.members, t.Next[0] = members(membersOf)
		x.missed = x.members
	} else {
		t.HitOrMiss, t.Apart = false, true
		if x.members, t.Next[0] = members(membersOf, given.Hit); missed {
			x.missed, t.Miss = members(missedOf, given.Miss)
		}
	}
	pipe.Nodes[at].Table = &t
	return x, nil
}

// contents replaces entries that name groups, and puts the members into their tables.
func (g *grouping) contents(opt Options) (Options, error) {
	if len(g.tables) == 0 {
		return opt, nil
	}
	given := opt
	opt.Entries, opt.Defaults = nil, map[string]p4.Entry{}
	var added []p4.Entry
	look := func(x *groupedTable, to *places, e p4.Entry) (p4.Entry, error) {
		list, err := membersNamed(g.given, given, x.profile, &e)
		if err != nil {
			return e, err
		}
		name := target{e.Group, e.Member}
		if _, known := to.first[name]; !known {
			to.first[name] = to.next
			for _, m := range list {
				m.Table = to.table.Name
				m.Key = []p4.KeyValue{{Value: uint64(to.next), Mask: p4.Ones(placeBits), PrefixLen: placeBits}}
				added = append(added, m)
				to.next++
			}
			if to.table.Size = max(to.next, 1); to.next > emptyGroup {
				return e, fmt.Errorf(
					"%s: table %s: its groups have more than %d members: no machine runs that", g.given.Name, e.Table, emptyGroup,
				)
			}
		}
		first := to.first[name]
		if len(list) == 0 {
			first = emptyGroup
		}
		e.Action, e.Data, e.Wide = x.action, []uint64{uint64(first), uint64(max(len(list), 1))}, nil
		e.Indirect, e.Group, e.Member = false, false, 0
		return e, nil
	}
	for _, e := range given.Entries {
		var err error
		if x := g.tables[e.Table]; x != nil {
			if e, err = look(x, x.members, e); err != nil {
				return opt, err
			}
		}
		opt.Entries = append(opt.Entries, e)
	}
	for _, name := range slices.Sorted(maps.Keys(given.Defaults)) {
		var err error
		e := given.Defaults[name]
		if x := g.tables[name]; x != nil {
			if e, err = look(x, x.missed, e); err != nil {
				return opt, err
			}
		}
		opt.Defaults[name] = e
	}
	opt.Entries = append(opt.Entries, added...)
	return opt, nil
}

// membersNamed are the actions and data of the member, or of the group's members, that an entry names, in the order in
// which a selector counts them.
func membersNamed(p *p4.Program, opt Options, profile string, e *p4.Entry) (list []p4.Entry, err error) {
	members, numbers := opt.Members[profile], []int{e.Member}
	if e.Group {
		if e.Member < 0 || e.Member >= len(opt.Groups[profile]) {
			return nil, fmt.Errorf("%s: table %s: there is no group %d", p.Name, e.Table, e.Member)
		}
		numbers = opt.Groups[profile][e.Member]
	}
	for _, n := range numbers {
		if n < 0 || n >= len(members) {
			return nil, fmt.Errorf("%s: table %s: there is no member %d", p.Name, e.Table, n)
		}
		m := members[n]
		list = append(list, p4.Entry{Action: m.Action, Data: m.Data, Wide: m.Wide})
	}
	return list, nil
}
