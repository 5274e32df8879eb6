package compile

import (
	"fmt"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// Setup turns what a control plane sets into what a machine takes. Entries that name a member of an action profile have
// its action and data. What no machine has is refused by name: groups of members, meters' rates.
func Setup(p *p4.Program, c p4.Configuration) (Options, error) {
	opt := Options{
		Defaults: map[string]p4.Entry{}, Registers: c.Registers, ValueSets: c.ValueSets, Multicast: c.Multicast,
		Mirrors: c.Mirrors,
	}
	refuse := func(what string) (Options, error) {
		return Options{}, fmt.Errorf("%s: %s: no machine runs that", p.Name, what)
	}
	for _, r := range c.Rates {
		return refuse("rates of meter_array " + r.Array)
	}
	direct := func(e p4.Entry) (p4.Entry, error) {
		if !e.Indirect {
			return e, nil
		}
		profile := ""
		for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
			for _, n := range pipe.Nodes {
				if n.Table != nil && n.Name == e.Table && n.Table.Profile > 0 {
					profile = p.Profiles[n.Table.Profile-1].Name
				}
			}
		}
		if e.Group {
			return e, fmt.Errorf(
				"%s: an entry of table %s names group %d of action profile %s: no machine runs that", p.Name, e.Table,
				e.Member, profile,
			)
		}
		if e.Member < 0 || e.Member >= len(c.Members[profile]) {
			return e, fmt.Errorf("%s: table %s: there is no member %d", p.Name, e.Table, e.Member)
		}
		m := c.Members[profile][e.Member]
		e.Action, e.Data, e.Wide, e.Indirect = m.Action, m.Data, m.Wide, false
		return e, nil
	}
	for _, e := range c.Entries {
		e, err := direct(e)
		if err != nil {
			return Options{}, err
		}
		opt.Entries = append(opt.Entries, e)
	}
	for name, e := range c.Defaults {
		e.Table = name
		e, err := direct(e)
		if err != nil {
			return Options{}, err
		}
		opt.Defaults[name] = e
	}
	return opt, nil
}

// initial takes the contents of registers and value sets.
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
	return nil
}
