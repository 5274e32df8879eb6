package p4

import "fmt"

// Configuration is what a control plane sets before packets come.
type Configuration struct {
	// Entries are the contents of tables, beside the program's own; Defaults replace tables' actions on a miss.
	Entries  []Entry
	Defaults map[string]Entry
	// Members are the members of action profiles, by the profile's name, Groups their groups: numbers of members.
	Members map[string][]Entry
	Groups  map[string][][]int
	// Multicast are the replicas of each multicast group, Mirrors where each mirroring session sends its clones.
	Multicast map[int][]Replica
	Mirrors   map[int]Session
	// Registers are values that registers have at first.
	Registers []RegisterValueAt
	// Rates are the rates of meters.
	Rates []MeterRates
	// ValueSets are the values of parsers' value sets, by name.
	ValueSets map[string][]Number
	// Fresh says that each packet finds 0 in the fields of headers that it has not. In BMv2 it finds what a packet before
	// it left there, which no rule defines and no machine can follow.
	Fresh bool
	// Seed is what random numbers follow from.
	Seed uint64
}

// Replica is a copy that a multicast group makes.
type Replica struct{ Port, ID int }

// Session is a mirroring session: the port that clones go to, and the multicast group, -1 for none.
type Session struct{ Port, Group int }

// RegisterValueAt is a value of a register; Index -1 stands for all of the array.
type RegisterValueAt struct {
	Array string
	Index int
	Value Number
}

// Rate is a rate of a meter: units a microsecond, and how many units can come at once.
type Rate struct {
	PerMicrosecond float64
	Burst          uint64
}

// MeterRates are a meter's rates, the lowest first; Index -1 stands for all of the array.
type MeterRates struct {
	Array string
	Index int
	Rates []Rate
}

// CounterValue is what a counter has counted.
type CounterValue struct{ Packets, Bytes uint64 }

// profileContents are an action profile's members and groups.
type profileContents struct {
	members []Entry
	groups  [][]int
}

func (in *Interpreter) configure(c *Configuration) error {
	p := in.program
	in.members = make([]profileContents, len(p.Profiles))
	profile := func(name string) (*profileContents, error) {
		for i := range p.Profiles {
			if p.Profiles[i].Name == name {
				return &in.members[i], nil
			}
		}
		return nil, fmt.Errorf("%s: there is no action profile %s", p.Name, name)
	}
	for name, members := range c.Members {
		x, err := profile(name)
		if err != nil {
			return err
		}
		x.members = members
	}
	for name, groups := range c.Groups {
		x, err := profile(name)
		if err != nil {
			return err
		}
		for n, g := range groups {
			for _, m := range g {
				if m < 0 || m >= len(x.members) {
					return fmt.Errorf("%s: action profile %s: group %d has member %d, which is not there", p.Name, name, n, m)
				}
			}
		}
		x.groups = groups
	}
	for n, g := range c.Multicast {
		in.groups[n] = g
	}
	for n, s := range c.Mirrors {
		in.sessions[n] = s
	}
	for _, r := range c.Registers {
		if err := in.setRegister(r); err != nil {
			return err
		}
	}
	for _, r := range c.Rates {
		if err := in.setRates(r); err != nil {
			return err
		}
	}
	for name, values := range c.ValueSets {
		n := -1
		for i := range p.ValueSets {
			if p.ValueSets[i].Name == name {
				n = i
			}
		}
		if n < 0 {
			return fmt.Errorf("%s: there is no value set %s", p.Name, name)
		}
		in.valueSets[n] = map[string]bool{}
		for _, v := range values {
			if v.Sign() < 0 || v.BitLen() > p.ValueSets[n].Bits {
				return fmt.Errorf("%s: value set %s takes %d bits, not %#x", p.Name, name, p.ValueSets[n].Bits, v)
			}
			in.valueSets[n][v.Text(16)] = true
		}
	}
	return in.checkMembers()
}

// checkMembers checks that entries of indirect tables name members and groups that are there.
func (in *Interpreter) checkMembers() error {
	p := in.program
	for t, c := range in.tables {
		if t.Profile == 0 {
			continue
		}
		x := &in.members[t.Profile-1]
		check := func(e *Entry) error {
			switch {
			case !e.Indirect:
				return fmt.Errorf("%s: table %s: its entries name members of an action profile", p.Name, t.Name)
			case e.Group && (e.Member < 0 || e.Member >= len(x.groups)):
				return fmt.Errorf("%s: table %s: there is no group %d", p.Name, t.Name, e.Member)
			case !e.Group && (e.Member < 0 || e.Member >= len(x.members)):
				return fmt.Errorf("%s: table %s: there is no member %d", p.Name, t.Name, e.Member)
			}
			return nil
		}
		for i := range c.entries {
			if err := check(&c.entries[i]); err != nil {
				return err
			}
		}
		if c.otherwise != nil {
			if err := check(c.otherwise); err != nil {
				return err
			}
		}
		for i := range x.members {
			m := &x.members[i]
			if err := p.checkCall(t, m.Action, m.Data, m.Wide); err != nil {
				return err
			}
		}
	}
	return nil
}

func (in *Interpreter) setRegister(r RegisterValueAt) error {
	p := in.program
	for n, x := range p.Registers {
		if x.Name != r.Array {
			continue
		}
		if r.Index < -1 || r.Index >= x.Size || r.Value.Sign() < 0 || r.Value.BitLen() > x.Bits {
			return fmt.Errorf("%s: register_array %s has %d registers of %d bits: no %#x at %d", p.Name, x.Name, x.Size, x.Bits,
				r.Value, r.Index)
		}
		for i := range x.Size {
			if r.Index >= 0 && i != r.Index {
				continue
			}
			if in.wide[n] != nil {
				in.wide[n][i] = r.Value
			} else {
				in.registers[n][i] = r.Value.Uint64()
			}
		}
		return nil
	}
	return fmt.Errorf("%s: there is no register_array %s", p.Name, r.Array)
}

func (in *Interpreter) setRates(r MeterRates) error {
	p := in.program
	for n, x := range p.Meters {
		if x.Name != r.Array {
			continue
		}
		if r.Index < -1 || r.Index >= x.Size || len(r.Rates) != x.Rates {
			return fmt.Errorf(
				"%s: meter_array %s has %d meters of %d rates: none at %d with %d", p.Name, x.Name, x.Size, x.Rates,
				r.Index, len(r.Rates),
			)
		}
		for i := 1; i < len(r.Rates); i++ {
			if r.Rates[i].PerMicrosecond < r.Rates[i-1].PerMicrosecond {
				return fmt.Errorf("%s: meter_array %s: a rate of %g after one of %g, expected the lowest rate first", p.Name,
					x.Name, r.Rates[i].PerMicrosecond, r.Rates[i-1].PerMicrosecond)
			}
		}
		for i := range in.meters[n] {
			if r.Index < 0 || i == r.Index {
				in.meters[n][i] = newMeter(r.Rates)
			}
		}
		return nil
	}
	return fmt.Errorf("%s: there is no meter_array %s", p.Name, r.Array)
}
