package p4

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
)

func (b *bmv2Reader) readPipelines() error {
	b.p.Ingress, b.p.Egress = Pipeline{Name: "ingress", First: Accept}, Pipeline{Name: "egress", First: Accept}
	seen := map[string]bool{}
	for i := range b.in.Pipelines {
		in := &b.in.Pipelines[i]
		into := map[string]*Pipeline{"ingress": &b.p.Ingress, "egress": &b.p.Egress}[in.Name]
		if into == nil || seen[in.Name] {
			return fmt.Errorf("pipeline %q, expected one ingress and one egress", in.Name)
		}
		seen[in.Name] = true
		if err := b.pipeline(in, into); err != nil {
			return fmt.Errorf("%s: %w", in.Name, err)
		}
	}
	if !seen["ingress"] {
		return fmt.Errorf("no pipeline ingress")
	}
	return nil
}

func (b *bmv2Reader) pipeline(in *bmv2Pipeline, into *Pipeline) error {
	for _, x := range in.Profiles {
		if _, err := b.profile(x.Name, x.Selector); err != nil {
			return err
		}
	}
	nodes := map[string]int{}
	add := func(name string) error {
		if _, twice := nodes[name]; twice || name == "" {
			return fmt.Errorf("table or condition %q: no name, or one that is there twice", name)
		}
		nodes[name] = len(nodes)
		return nil
	}
	for _, t := range in.Tables {
		if err := add(t.Name); err != nil {
			return err
		}
	}
	for _, c := range in.Conditionals {
		if err := add(c.Name); err != nil {
			return err
		}
	}
	for _, c := range in.ActionCalls {
		if err := add(c.Name); err != nil {
			return err
		}
	}
	next := func(name *string) (int, error) {
		if name == nil {
			return Accept, nil
		}
		n, ok := nodes[*name]
		if !ok {
			return 0, fmt.Errorf("there is no table or condition %q", *name)
		}
		return n, nil
	}
	var err error
	if into.First, err = next(in.InitTable); err != nil {
		return err
	}
	for i := range in.Tables {
		t, err := b.table(&in.Tables[i], next)
		if err != nil {
			return fmt.Errorf("table %s: %w", in.Tables[i].Name, err)
		}
		into.Nodes = append(into.Nodes, Node{Name: t.Name, Table: t})
	}
	for _, c := range in.Conditionals {
		cond := &Condition{}
		if cond.If, err = b.expression(&c.Expression, nil, 0); err == nil {
			if cond.True, err = next(c.TrueNext); err == nil {
				cond.False, err = next(c.FalseNext)
			}
		}
		if err != nil {
			return fmt.Errorf("condition %s: %w", c.Name, err)
		}
		into.Nodes = append(into.Nodes, Node{Name: c.Name, Condition: cond})
	}
	for _, c := range in.ActionCalls { // a table without a key
		a, ok := b.actions[c.ActionID]
		if !ok || len(b.p.Actions[a].Params) > 0 {
			return fmt.Errorf("action call %s: there is no action %d without parameters", c.Name, c.ActionID)
		}
		to, err := next(c.Next)
		if err != nil {
			return fmt.Errorf("action call %s: %w", c.Name, err)
		}
		into.Nodes = append(into.Nodes, Node{Name: c.Name, Table: &Table{Name: c.Name, Match: Exact, Actions: []int{a},
			Next: []int{to}, Default: a, ConstantDefault: true}})
	}
	if n := loop(len(into.Nodes), into.First, func(i int) []int { return into.Nodes[i].next() }); n >= 0 {
		return fmt.Errorf("%s can come back to itself", into.Nodes[n].Name)
	}
	return nil
}

// profile adds an action profile.
func (b *bmv2Reader) profile(name string, selector *bmv2Selector) (int, error) {
	if _, twice := b.objects["action_profile "+name]; twice || name == "" {
		return 0, fmt.Errorf("action profile %q: no name, or one that is there twice", name)
	}
	x := Profile{Name: name, Selector: -1}
	if selector != nil {
		n, err := b.calculate("selector of "+name, selector.Algo, selector.Input)
		if err != nil {
			return 0, fmt.Errorf("action profile %s: %w", name, err)
		}
		x.Selector = n
	}
	b.objects["action_profile "+name] = len(b.p.Profiles)
	b.p.Profiles = append(b.p.Profiles, x)
	return len(b.p.Profiles) - 1, nil
}

func (b *bmv2Reader) table(in *bmv2Table, next func(*string) (int, error)) (*Table, error) {
	t := &Table{Name: in.Name, Match: Exact, Default: -1, Miss: Accept, Counters: in.WithCounters}
	switch {
	case in.Entries != nil:
		t.Size = len(in.Entries)
	case in.MaxSize == nil:
		return nil, fmt.Errorf("neither max_size nor entries")
	}
	if in.MaxSize != nil {
		t.Size = max(t.Size, *in.MaxSize)
		if *in.MaxSize < 0 || *in.MaxSize > 1<<26 {
			return nil, fmt.Errorf("max_size is %d", *in.MaxSize)
		}
	}
	if err := b.tableKind(t, in); err != nil {
		return nil, err
	}
	if in.DirectMeters != nil {
		name, _ := json.Marshal(*in.DirectMeters)
		n, err := b.object("meter_array", name)
		if err != nil {
			return nil, err
		}
		if b.p.Meters[n].Target < 0 {
			return nil, fmt.Errorf("meter_array %s is not a direct one", *in.DirectMeters)
		}
		t.Meter = 1 + n
	}
	if err := b.key(t, in); err != nil {
		return nil, err
	}
	if len(in.ActionIDs) > 0 && len(in.ActionIDs) != len(in.Actions) {
		return nil, fmt.Errorf("%d action_ids and %d actions, expected as many of both", len(in.ActionIDs), len(in.Actions))
	}
	for i, name := range in.Actions {
		a := -1
		if len(in.ActionIDs) > 0 {
			n, ok := b.actions[in.ActionIDs[i]]
			if !ok || b.p.Actions[n].Name != name {
				return nil, fmt.Errorf("action %s has not the id %d", name, in.ActionIDs[i])
			}
			a = n
		} else {
			a = slices.IndexFunc(b.p.Actions, func(x Action) bool { return x.Name == name })
		}
		if a < 0 {
			return nil, fmt.Errorf("there is no action %q", name)
		}
		t.Actions = append(t.Actions, a)
	}
	if err := b.follow(t, in, next); err != nil {
		return nil, err
	}
	return t, b.entries(t, in)
}

// tableKind reads whether entries name actions, or members of a profile.
func (b *bmv2Reader) tableKind(t *Table, in *bmv2Table) error {
	if in.Type != "simple" && in.Type != "indirect" && in.Type != "indirect_ws" {
		return fmt.Errorf("a table of type %q is not supported, expected simple, indirect or indirect_ws", in.Type)
	}
	if in.Type == "simple" {
		return nil
	}
	var n int
	var err error
	switch {
	case in.Profile != nil:
		name, _ := json.Marshal(*in.Profile)
		n, err = b.object("action_profile", name)
	case in.OldProfile != nil:
		n, err = b.profile(*in.OldProfile, in.Selector)
	default:
		err = fmt.Errorf("an indirect table without an action_profile")
	}
	t.Profile = 1 + n
	if err == nil && in.Type == "indirect_ws" && b.p.Profiles[n].Selector < 0 {
		err = fmt.Errorf("action profile %s has no selector", b.p.Profiles[n].Name)
	}
	return err
}

func (b *bmv2Reader) key(t *Table, in *bmv2Table) error {
	kinds := map[string]MatchKind{"exact": Exact, "lpm": LPM, "ternary": Ternary, "range": Range, "valid": Exact}
	lpm := false
	for _, k := range in.Key {
		kind, ok := kinds[k.MatchType]
		if !ok {
			return fmt.Errorf(
				"a key of match type %q is not supported, expected exact, lpm, ternary, range or valid", k.MatchType,
			)
		}
		x := KeyField{Name: k.Name, Match: kind}
		var ref []string
		var err error
		switch {
		case k.MatchType == "valid":
			var h int
			if h, err = b.headerRef(k.Target); err == nil {
				if x.Field = b.p.Headers[h].Valid; x.Field < 0 {
					err = fmt.Errorf("valid of %s, which is metadata", b.p.Headers[h].Name)
				}
			}
		case json.Unmarshal(k.Target, &ref) != nil:
			err = fmt.Errorf("a key's target is [header, field], not %s", k.Target)
		default:
			x.Field, err = b.fieldRef(ref)
		}
		if err != nil {
			return err
		}
		if k.Mask != nil {
			if x.Mask, err = b.number(*k.Mask); err != nil {
				return err
			}
			x.Masked = true
		}
		if kind == LPM && lpm {
			return fmt.Errorf("two lpm fields in one key")
		}
		lpm = lpm || kind == LPM
		t.Key = append(t.Key, x)
		t.Match = max(t.Match, kind)
	}
	want := kinds[in.MatchType]
	if want == 0 || in.MatchType == "valid" || want < t.Match {
		return fmt.Errorf("match_type %q, but its key makes it %s", in.MatchType, t.Match)
	}
	t.Match = want
	return nil
}

// follow reads next_tables: by action, or by __HIT__ and __MISS__.
func (b *bmv2Reader) follow(t *Table, in *bmv2Table, next func(*string) (int, error)) error {
	var err error
	toHit, hit := in.NextTables["__HIT__"]
	toMiss, miss := in.NextTables["__MISS__"]
	if hit != miss {
		return fmt.Errorf("next_tables has one of __HIT__ and __MISS__, expected both or none")
	}
	t.Next = make([]int, len(t.Actions))
	if hit {
		t.HitOrMiss = true
		if t.Hit, err = next(toHit); err == nil {
			t.Miss, err = next(toMiss)
		}
		return err
	}
	if t.Miss, err = next(in.BaseNext); err != nil {
		return err
	}
	for i, name := range in.Actions {
		to, ok := in.NextTables[name]
		if !ok && len(in.NextTables) > 0 {
			return fmt.Errorf("next_tables has nothing for action %s", name)
		}
		if t.Next[i], err = next(to); err != nil {
			return err
		}
	}
	for name := range in.NextTables {
		if !slices.Contains(in.Actions, name) {
			return fmt.Errorf("next_tables names action %s, which the table has not", name)
		}
	}
	return nil
}

// call reads an action's number and data.
func (b *bmv2Reader) call(t *Table, id int, texts []string) (action int, data []uint64, wide []Number, err error) {
	a, ok := b.actions[id]
	if !ok {
		return 0, nil, nil, fmt.Errorf("an entry calls action %d, which is not there", id)
	}
	params := b.p.Actions[a].Params
	if len(texts) != len(params) {
		return 0, nil, nil, fmt.Errorf(
			"an entry gives action %s %d parameters, expected %d", b.p.Actions[a].Name, len(texts), len(params),
		)
	}
	for i, text := range texts {
		v, err := b.number(text)
		if err != nil {
			return 0, nil, nil, err
		}
		if p := params[i]; v.Sign() < 0 || v.BitLen() > p.Bits {
			return 0, nil, nil, fmt.Errorf(
				"an entry gives action %s %s for %s, which has %d bits", b.p.Actions[a].Name, text, p.Name, p.Bits,
			)
		}
		data, wide = appendNumber(data, wide, v, params[i].Bits)
	}
	return a, data, wide, nil
}

// appendNumber appends a value of some width to an entry's data.
func appendNumber(data []uint64, wide []Number, v Number, bits int) ([]uint64, []Number) {
	if bits <= 64 {
		data = append(data, v.Uint64())
		if wide != nil {
			wide = append(wide, nil)
		}
		return data, wide
	}
	if wide == nil {
		wide = make([]Number, len(data))
	}
	return append(data, 0), append(wide, v)
}

// entries reads the default action and the entries that the program itself has.
func (b *bmv2Reader) entries(t *Table, in *bmv2Table) error {
	var err error
	if d := in.DefaultEntry; d != nil {
		if t.Profile > 0 {
			return fmt.Errorf("an indirect table with a default_entry")
		}
		if d.ActionData == nil { // there is no default entry until the control plane sets it
			return nil
		}
		t.Default, t.DefaultData, t.DefaultWide, err = b.call(t, d.ActionID, d.ActionData)
		if err != nil {
			return err
		}
		if !slices.Contains(t.Actions, t.Default) {
			return fmt.Errorf("default_entry calls action %s, which is none of the table's", b.p.Actions[t.Default].Name)
		}
		t.ConstantAction, t.ConstantDefault = d.ActionConst, d.EntryConst
	}
	for _, in := range in.Entries {
		e := Entry{Table: t.Name, Priority: in.Priority}
		if len(in.MatchKey) != len(t.Key) {
			return fmt.Errorf("an entry with %d keys, expected %d", len(in.MatchKey), len(t.Key))
		}
		for i, k := range in.MatchKey {
			var text string
			var valid bool
			value, mask, prefix := new(big.Int), new(big.Int), k.PrefixLength
			switch {
			case k.MatchType == "valid" && json.Unmarshal(k.Key, &valid) == nil:
				if valid {
					value = one
				}
			case k.MatchType == "range":
				if value, err = b.number(k.Start); err == nil {
					mask, err = b.number(k.End)
				}
			case json.Unmarshal(k.Key, &text) != nil:
				err = fmt.Errorf("an entry's key is a number, not %.40s", k.Key)
			default:
				value, err = b.number(text)
				if k.MatchType == "ternary" && err == nil {
					mask, err = b.number(k.Mask)
				}
			}
			if err != nil {
				return err
			}
			kv, err := b.p.EntryKey(t.Key[i], value, mask, prefix)
			if err != nil {
				return err
			}
			e.Key = append(e.Key, kv)
		}
		if e.Action, e.Data, e.Wide, err = b.call(t, in.ActionEntry.ActionID, in.ActionEntry.ActionData); err != nil {
			return err
		}
		if !slices.Contains(t.Actions, e.Action) {
			return fmt.Errorf("an entry calls action %s, which is none of the table's", b.p.Actions[e.Action].Name)
		}
		t.ConstantEntries = append(t.ConstantEntries, e)
	}
	t.ImmutableEntries = in.Entries != nil
	return nil
}

// EntryKey makes a key of an entry: mask counts for a ternary field and is the upper end of a range, prefix counts for
// an LPM field.
func (p *Program) EntryKey(k KeyField, value, mask Number, prefix int) (KeyValue, error) {
	f := &p.Fields[k.Field]
	kv := KeyValue{PrefixLen: f.Bits}
	all := wideOnes(f.Bits)
	switch k.Match {
	case Exact:
		mask = all
	case LPM:
		if prefix < 0 || prefix > f.Bits {
			return kv, fmt.Errorf("field %s: a prefix of %d bits, expected 0 to %d", f.Name, prefix, f.Bits)
		}
		mask = p.prefixMask(k.Field, prefix)
		kv.PrefixLen = prefix
	case Ternary:
		mask = new(big.Int).And(mask, all)
	case Range:
		if mask = new(big.Int).And(mask, all); value.Cmp(mask) > 0 {
			return kv, fmt.Errorf("field %s: a range from %#x to %#x", f.Name, value, mask)
		}
	}
	value = new(big.Int).And(value, all)
	if k.Match != Range {
		value.And(value, mask)
	}
	if f.Bits > 64 {
		kv.WideValue, kv.WideMask = value, mask
	} else {
		kv.Value, kv.Mask = value.Uint64(), mask.Uint64()
	}
	return kv, nil
}

// prefixMask is the mask of a prefix. BMv2 keeps a key in whole bytes and counts a prefix from the first bit of the
// first one: of a field of 12 bits it leaves the lowest four out of every prefix.
func (p *Program) prefixMask(field, prefix int) Number {
	bits := p.Fields[field].Bits
	whole := (bits + 7) / 8 * 8
	m := new(big.Int).Lsh(wideOnes(prefix), uint(whole-prefix))
	return m.And(m, wideOnes(bits))
}
