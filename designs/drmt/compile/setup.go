package compile

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// Setup turns what a control plane sets into what a machine takes. Entries that name a member of an action profile have
// its action and data, unless others of the table name groups.
func Setup(p *p4.Program, c p4.Configuration) (Options, error) {
	opt := Options{
		Defaults: map[string]p4.Entry{}, Registers: c.Registers, ValueSets: c.ValueSets, Multicast: c.Multicast,
		Mirrors: c.Mirrors, Members: c.Members, Groups: c.Groups, Rates: c.Rates,
	}
	for _, r := range c.Rates {
		if !slices.Contains(opt.Metered, r.Array) {
			opt.Metered = append(opt.Metered, r.Array)
		}
	}
	slices.Sort(opt.Metered)
	profile := profiles(p)
	group := func(e *p4.Entry) error {
		if !e.Indirect || !e.Group || slices.Contains(opt.Grouped, e.Table) {
			return nil
		}
		x := profile[e.Table]
		if x == nil || x.Selector < 0 {
			return fmt.Errorf(
				"%s: an entry of table %s names group %d, and no selector chooses a member: no machine runs that", p.Name,
				e.Table, e.Member,
			)
		}
		opt.Grouped = append(opt.Grouped, e.Table)
		return nil
	}
	direct := func(e p4.Entry) (p4.Entry, error) {
		if !e.Indirect {
			return e, nil
		}
		name := ""
		if x := profile[e.Table]; x != nil {
			name = x.Name
		}
		list, err := membersNamed(p, opt, name, &e)
		if err == nil && !slices.Contains(opt.Grouped, e.Table) {
			e.Action, e.Data, e.Wide, e.Indirect = list[0].Action, list[0].Data, list[0].Wide, false
		}
		return e, err
	}
	defaults := slices.Sorted(maps.Keys(c.Defaults))
	for i := range c.Entries {
		if err := group(&c.Entries[i]); err != nil {
			return Options{}, err
		}
	}
	for _, name := range defaults {
		e := c.Defaults[name]
		e.Table = name
		if err := group(&e); err != nil {
			return Options{}, err
		}
	}
	slices.Sort(opt.Grouped)
	for _, e := range c.Entries {
		e, err := direct(e)
		if err != nil {
			return Options{}, err
		}
		opt.Entries = append(opt.Entries, e)
	}
	for _, name := range defaults {
		e := c.Defaults[name]
		e.Table = name
		e, err := direct(e)
		if err != nil {
			return Options{}, err
		}
		opt.Defaults[name] = e
	}
	return opt, nil
}

// profiles are the tables' action profiles.
func profiles(p *p4.Program) map[string]*p4.Profile {
	all := map[string]*p4.Profile{}
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			if n.Table != nil && n.Table.Profile > 0 {
				all[n.Name] = &p.Profiles[n.Table.Profile-1]
			}
		}
	}
	return all
}

// initial takes the contents of registers and value sets, and meters' rates.
func (c *compiler) initial(opt Options) error {
	p := c.program
	c.valueSets, c.start = opt.ValueSets, map[int][]uint64{}
	for _, r := range opt.Registers {
		n := -1
		for i := range p.Registers {
			if p.Registers[i].Name == r.Array {
				n = i
			}
		}
		if n < 0 {
			return fmt.Errorf("%s: there is no register_array %s", p.Name, r.Array)
		}
		words, bits := registerWords(p, n), 0
		for _, w := range words {
			bits += p.Registers[w].Bits
		}
		if r.Index < -1 || r.Index >= p.Registers[n].Size || r.Value.Sign() < 0 || r.Value.BitLen() > bits {
			return fmt.Errorf("%s: register_array %s does not take %#x at %d", p.Name, r.Array, r.Value, r.Index)
		}
		from := 0
		for _, w := range words {
			if c.start[w] == nil {
				c.start[w] = make([]uint64, p.Registers[w].Size)
			}
			v := bitsOf(r.Value, word{from, p.Registers[w].Bits})
			for i := range c.start[w] {
				if r.Index < 0 || i == r.Index {
					c.start[w][i] = v
				}
			}
			from += p.Registers[w].Bits
		}
	}
	return c.setRates(opt.Rates)
}
