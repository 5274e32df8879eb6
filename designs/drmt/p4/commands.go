package p4

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// other does the commands that are not for entries of simple tables.
func (c *commands) other(words []string) error {
	known := map[string]struct {
		least int // words after the command
		do    func([]string) error
	}{
		"table_indirect_add":                    {3, func(w []string) error { return c.indirect(w, false) }},
		"table_indirect_add_with_group":         {3, func(w []string) error { return c.indirect(w, true) }},
		"table_indirect_set_default":            {2, func(w []string) error { return c.indirectDefault(w, false) }},
		"table_indirect_set_default_with_group": {2, func(w []string) error { return c.indirectDefault(w, true) }},
		"act_prof_create_member":                {2, c.member},
		"act_prof_create_group":                 {1, c.group},
		"act_prof_add_member_to_group":          {3, c.groupMember},
		"register_write":                        {3, c.register},
		"mc_mgrp_create":                        {1, c.multicastGroup},
		"mc_node_create":                        {2, c.node},
		"mc_node_associate":                     {2, c.associate},
		"mirroring_add":                         {2, func(w []string) error { return c.mirror(w, false) }},
		"mirroring_add_mc":                      {2, func(w []string) error { return c.mirror(w, true) }},
		"meter_set_rates":                       {2, func(w []string) error { return c.rates(w[0], w[1], w[2:]) }},
		"meter_array_set_rates":                 {1, func(w []string) error { return c.rates(w[0], "-1", w[1:]) }},
		"pvs_add":                               {2, c.value},
	}
	x, ok := known[words[0]]
	switch {
	case ok:
	case slices.Contains(strings.Fields(otherCommands), words[0]):
		return fmt.Errorf("the command %s of simple_switch_CLI is not supported", words[0])
	default:
		return fmt.Errorf("there is no command %q", words[0])
	}
	if len(words) <= x.least {
		return fmt.Errorf("%s takes at least %d words, not %d", words[0], x.least, len(words)-1)
	}
	return x.do(words[1:])
}

// otherCommands are simple_switch_CLI's that change the switch, or show something of it, and that nothing here carries
// out.
const otherCommands = `act_prof_delete_group act_prof_delete_member act_prof_dump act_prof_dump_group
	act_prof_dump_member act_prof_modify_member act_prof_remove_member_from_group counter_read counter_reset counter_write
	get_time_elapsed get_time_since_epoch load_new_config_file mc_dump mc_mgrp_destroy mc_node_destroy mc_node_dissociate
	mc_node_update mc_set_lag_membership meter_get_rates mirroring_delete mirroring_get port_add port_remove pvs_clear
	pvs_get pvs_remove register_read register_reset reset_state serialize_state set_crc16_parameters set_crc32_parameters
	set_queue_depth set_queue_rate shell show_actions show_ports show_pvs show_tables swap_configs switch_info table_clear
	table_delete table_dump table_dump_entry table_dump_entry_from_key table_dump_group table_dump_member table_info
	table_indirect_delete table_indirect_modify table_indirect_modify_with_group table_indirect_reset_default table_modify
	table_num_entries table_reset_default table_set_timeout table_show_actions write_config_file`

func count(text string) (int, error) {
	n, err := strconv.ParseInt(text, 0, 32)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q, expected a number from 0", text)
	}
	return int(n), nil
}

// indirect adds an entry that names a member or a group.
func (c *commands) indirect(words []string, group bool) error {
	t, err := c.p.tableNamed(words[0])
	if err != nil {
		return err
	}
	e := Entry{Table: t.Name, Indirect: true, Group: group}
	rest, err := c.p.keys(t, &e, words[1:])
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return fmt.Errorf("%d words after =>, expected one member or group", len(rest))
	}
	if e.Member, err = count(rest[0]); err == nil {
		c.Entries = append(c.Entries, e)
	}
	return err
}

func (c *commands) indirectDefault(words []string, group bool) error {
	t, err := c.p.tableNamed(words[0])
	if err != nil {
		return err
	}
	e := Entry{Table: t.Name, Indirect: true, Group: group}
	if e.Member, err = count(words[1]); err == nil {
		c.Defaults[t.Name] = e
	}
	return err
}

// profileNamed returns the full name of an action profile, and a table that uses it.
func (c *commands) profileNamed(name string) (string, *Table, error) {
	for _, pipe := range []*Pipeline{&c.p.Ingress, &c.p.Egress} {
		for _, n := range pipe.Nodes {
			if n.Table == nil || n.Table.Profile == 0 {
				continue
			}
			full := c.p.Profiles[n.Table.Profile-1].Name
			if full == name || strings.HasSuffix(full, "."+name) {
				return full, n.Table, nil
			}
		}
	}
	return "", nil, fmt.Errorf("there is no action profile %s", name)
}

func (c *commands) member(words []string) error {
	name, t, err := c.profileNamed(words[0])
	if err != nil {
		return err
	}
	var e Entry
	if e.Action, err = c.p.actionNamed(t, words[1]); err != nil {
		return err
	}
	if e.Data, e.Wide, err = c.p.parameters(e.Action, words[2:]); err == nil {
		c.Members[name] = append(c.Members[name], e)
	}
	return err
}

func (c *commands) group(words []string) error {
	name, _, err := c.profileNamed(words[0])
	if err == nil {
		c.Groups[name] = append(c.Groups[name], nil)
	}
	return err
}

func (c *commands) groupMember(words []string) error {
	name, _, err := c.profileNamed(words[0])
	if err != nil {
		return err
	}
	m, err := count(words[1])
	if err != nil {
		return err
	}
	g, err := count(words[2])
	if err != nil {
		return err
	}
	if g >= len(c.Groups[name]) || m >= len(c.Members[name]) {
		return fmt.Errorf(
			"action profile %s has %d members and %d groups: no member %d of group %d", name, len(c.Members[name]),
			len(c.Groups[name]), m, g,
		)
	}
	// a group's members are in the order of their numbers, whatever the order in which they come to it
	list := c.Groups[name][g]
	at := 0
	for at < len(list) && list[at] < m {
		at++
	}
	if at < len(list) && list[at] == m {
		return fmt.Errorf("member %d is in group %d already", m, g)
	}
	list = append(list, 0)
	copy(list[at+1:], list[at:])
	list[at] = m
	c.Groups[name][g] = list
	return nil
}

func (c *commands) register(words []string) error {
	for _, r := range c.p.Registers {
		if r.Name != words[0] && !strings.HasSuffix(r.Name, "."+words[0]) {
			continue
		}
		i, err := count(words[1])
		if err != nil {
			return err
		}
		if i >= r.Size {
			return fmt.Errorf("register_array %s has %d registers, none at %d", r.Name, r.Size, i)
		}
		v, err := parseNumber(words[2], r.Bits)
		c.Registers = append(c.Registers, RegisterValueAt{r.Name, i, v})
		return err
	}
	return fmt.Errorf("there is no register_array %s", words[0])
}

func (c *commands) multicastGroup(words []string) error {
	g, err := count(words[0])
	if err == nil {
		c.Multicast[g] = nil
	}
	return err
}

func (c *commands) node(words []string) error {
	id, err := count(words[0])
	if err != nil {
		return err
	}
	var ports []int
	for _, w := range words[1:] {
		if w == "|" {
			return fmt.Errorf("a list of link aggregation groups is not supported")
		}
		port, err := count(w)
		if err != nil {
			return err
		}
		ports = append(ports, port)
	}
	// a node's ports are a set: copies leave by the lowest port first, whatever the order here
	slices.Sort(ports)
	var list []Replica
	for _, port := range slices.Compact(ports) {
		list = append(list, Replica{port, id})
	}
	c.nodes = append(c.nodes, list)
	c.placed = append(c.placed, false)
	return nil
}

func (c *commands) associate(words []string) error {
	g, err := count(words[0])
	if err != nil {
		return err
	}
	n, err := count(words[1])
	if err != nil {
		return err
	}
	if _, ok := c.Multicast[g]; !ok || n >= len(c.nodes) {
		return fmt.Errorf("there is no multicast group %d, or no node %d", g, n)
	}
	if c.placed[n] {
		return fmt.Errorf("node %d is in a group already, and a node has one at most", n)
	}
	c.placed[n] = true
	c.Multicast[g] = append(c.Multicast[g], c.nodes[n]...)
	return nil
}

func (c *commands) mirror(words []string, group bool) error {
	s, err := count(words[0])
	if err != nil {
		return err
	}
	to, err := count(words[1])
	if err != nil {
		return err
	}
	x := Session{to, -1}
	if group {
		x = Session{-1, to}
	}
	c.Mirrors[s] = x
	return nil
}

func (c *commands) rates(array, index string, words []string) error {
	for _, m := range c.p.Meters {
		if m.Name != array && !strings.HasSuffix(m.Name, "."+array) {
			continue
		}
		x := MeterRates{Array: m.Name, Index: -1}
		var err error
		if index != "-1" {
			if x.Index, err = count(index); err != nil {
				return err
			}
		}
		for _, w := range words {
			rate, burst, _ := strings.Cut(w, ":")
			r, err := strconv.ParseFloat(rate, 64)
			b, err2 := strconv.ParseUint(burst, 10, 64)
			if err != nil || err2 != nil || r < 0 {
				return fmt.Errorf("%q, expected RATE:BURST", w)
			}
			if n := len(x.Rates); n > 0 && r < x.Rates[n-1].PerMicrosecond {
				return fmt.Errorf("a rate of %s after a greater one, expected the lowest rate first", rate)
			}
			x.Rates = append(x.Rates, Rate{r, b})
		}
		c.Rates = append(c.Rates, x)
		return nil
	}
	return fmt.Errorf("there is no meter_array %s", array)
}

func (c *commands) value(words []string) error {
	for _, s := range c.p.ValueSets {
		if s.Name == words[0] || strings.HasSuffix(s.Name, "."+words[0]) {
			v, err := parseNumber(words[1], s.Bits)
			c.ValueSets[s.Name] = append(c.ValueSets[s.Name], v)
			return err
		}
	}
	return fmt.Errorf("there is no value set %s", words[0])
}
