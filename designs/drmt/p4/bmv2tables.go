package p4

import (
	"encoding/json"
	"fmt"
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
	if len(in.Profiles) > 0 {
		return fmt.Errorf("the pipeline has action profiles, which are not supported")
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
	if n := loop(len(into.Nodes), into.First, func(i int) []int { return into.Nodes[i].next() }); n >= 0 {
		return fmt.Errorf("%s can come back to itself", into.Nodes[n].Name)
	}
	return nil
}

// next returns all nodes that can follow.
func (n *Node) next() []int {
	if n.Condition != nil {
		return []int{n.Condition.True, n.Condition.False}
	}
	if n.Table.HitOrMiss {
		return []int{n.Table.Hit, n.Table.Miss}
	}
	return n.Table.Next
}

func (b *bmv2Reader) table(in *bmv2Table, next func(*string) (int, error)) (*Table, error) {
	t := &Table{Name: in.Name, Size: in.MaxSize, Match: Exact, Default: -1}
	if in.Type != "simple" {
		return nil, fmt.Errorf("a table of type %q is not supported, expected simple", in.Type)
	}
	if in.DirectMeters != nil {
		return nil, fmt.Errorf("direct meters are not supported")
	}
	if in.MaxSize < 0 || in.MaxSize > 1<<26 || in.MaxSize == 0 && len(in.Key) > 0 {
		return nil, fmt.Errorf("max_size is %d", in.MaxSize)
	}
	kinds := map[string]MatchKind{"exact": Exact, "lpm": LPM, "ternary": Ternary, "valid": Exact}
	for _, k := range in.Key {
		kind, ok := kinds[k.MatchType]
		if !ok {
			return nil, fmt.Errorf("a key of match type %q is not supported, expected exact, lpm or ternary", k.MatchType)
		}
		if k.Mask != nil {
			return nil, fmt.Errorf("a key with a mask of its own is not supported")
		}
		f, err := b.fieldRef(k.Target)
		if err != nil {
			return nil, err
		}
		if kind == LPM && t.Match == LPM {
			return nil, fmt.Errorf("two lpm fields in one key")
		}
		t.Key = append(t.Key, KeyField{kind, f})
		t.Match = max(t.Match, kind)
	}
	if want, ok := kinds[in.MatchType]; !ok || want != t.Match {
		return nil, fmt.Errorf("match_type %q, but its key makes it %s", in.MatchType, t.Match)
	}
	if len(in.ActionIDs) == 0 || len(in.ActionIDs) != len(in.Actions) {
		return nil, fmt.Errorf("%d action_ids and %d actions, expected as many of both and at least one", len(in.ActionIDs), len(in.Actions))
	}
	for i, id := range in.ActionIDs {
		a, ok := b.actions[id]
		if !ok || b.p.Actions[a].Name != in.Actions[i] {
			return nil, fmt.Errorf("action %s has not the id %d", in.Actions[i], id)
		}
		t.Actions = append(t.Actions, a)
	}
	if err := b.follow(t, in, next); err != nil {
		return nil, err
	}
	return t, b.entries(t, in)
}

// follow reads next_tables: by action, or by __HIT__ and __MISS__.
func (b *bmv2Reader) follow(t *Table, in *bmv2Table, next func(*string) (int, error)) error {
	t.Next = make([]int, len(t.Actions))
	_, hit := in.NextTables["__HIT__"]
	_, miss := in.NextTables["__MISS__"]
	if hit != miss || hit && len(in.NextTables) != 2 {
		return fmt.Errorf("next_tables has __HIT__ or __MISS__, expected both and nothing else")
	}
	var err error
	if hit {
		t.HitOrMiss = true
		if t.Hit, err = next(in.NextTables["__HIT__"]); err == nil {
			t.Miss, err = next(in.NextTables["__MISS__"])
		}
		return err
	}
	for i, name := range in.Actions {
		to, ok := in.NextTables[name]
		if !ok {
			return fmt.Errorf("next_tables has nothing for action %s", name)
		}
		if t.Next[i], err = next(to); err != nil {
			return err
		}
	}
	if len(in.NextTables) != len(in.Actions) {
		return fmt.Errorf("next_tables names %d actions, the table has %d", len(in.NextTables), len(in.Actions))
	}
	return nil
}

// entries reads the default action and the entries that the program itself has.
func (b *bmv2Reader) entries(t *Table, in *bmv2Table) error {
	call := func(id int, texts []string) (int, []uint64, error) {
		a, ok := b.actions[id]
		if !ok || !slices.Contains(t.Actions, a) {
			return 0, nil, fmt.Errorf("an entry calls action %d, which is none of the table's", id)
		}
		if len(texts) != len(b.p.Actions[a].Params) {
			return 0, nil, fmt.Errorf("an entry gives action %s %d parameters, expected %d", b.p.Actions[a].Name, len(texts), len(b.p.Actions[a].Params))
		}
		var data []uint64
		for i, text := range texts {
			v, err := b.number(text)
			if err != nil {
				return 0, nil, err
			}
			if p := b.p.Actions[a].Params[i]; v > ones(p.Bits) {
				return 0, nil, fmt.Errorf("an entry gives action %s %s for %s, which has %d bits", b.p.Actions[a].Name, text, p.Name, p.Bits)
			}
			data = append(data, v)
		}
		return a, data, nil
	}
	if in.DefaultEntry == nil {
		return fmt.Errorf("no default_entry")
	}
	var err error
	if t.Default, t.DefaultData, err = call(in.DefaultEntry.ActionID, in.DefaultEntry.ActionData); err != nil {
		return err
	}
	t.ConstantDefault = in.DefaultEntry.ActionConst
	for _, in := range in.Entries {
		e := Entry{Table: t.Name, Priority: in.Priority}
		if len(in.MatchKey) != len(t.Key) {
			return fmt.Errorf("an entry with %d keys, expected %d", len(in.MatchKey), len(t.Key))
		}
		for i, k := range in.MatchKey {
			bits := b.p.Fields[t.Key[i].Field].Bits
			kv := KeyValue{Mask: ones(bits), PrefixLen: bits}
			if kv.Value, err = b.number(k.Key); err != nil {
				return err
			}
			switch k.MatchType {
			case "lpm":
				if k.PrefixLength < 0 || k.PrefixLength > bits {
					return fmt.Errorf("an entry with a prefix of %d of %d bits", k.PrefixLength, bits)
				}
				kv.PrefixLen, kv.Mask = k.PrefixLength, ones(bits)&^ones(bits-k.PrefixLength)
			case "ternary":
				if kv.Mask, err = b.number(k.Mask); err != nil {
					return err
				}
			}
			kv.Value &= kv.Mask
			e.Key = append(e.Key, kv)
		}
		if e.Action, e.Data, err = call(in.ActionEntry.ActionID, in.ActionEntry.ActionData); err != nil {
			return err
		}
		t.ConstantEntries = append(t.ConstantEntries, e)
	}
	t.ImmutableEntries = len(t.ConstantEntries) > 0
	return nil
}

func (b *bmv2Reader) readChecksums() error {
	for _, c := range b.in.Checksums {
		sum, err := b.checksum(c.Name, c.Target, c.Calculation, c.IfCond)
		if err != nil {
			return fmt.Errorf("checksum %s: %w", c.Name, err)
		}
		sum.Verify, sum.Update = c.Verify == nil || *c.Verify, c.Update == nil || *c.Update
		b.p.Checksums = append(b.p.Checksums, sum)
	}
	return nil
}

func (b *bmv2Reader) checksum(name string, target []string, calculation string, cond *bmv2Value) (Checksum, error) {
	sum := Checksum{Name: name}
	var err error
	if sum.Target, err = b.fieldRef(target); err != nil {
		return sum, err
	}
	for _, c := range b.in.Calculations {
		if c.Name != calculation {
			continue
		}
		if c.Algo != "csum16" {
			return sum, fmt.Errorf("algorithm %q is not supported, expected csum16", c.Algo)
		}
		bits := 0
		for i := range c.Input {
			e, err := b.expression(&c.Input[i], nil, 0)
			if err != nil {
				return sum, err
			}
			w := c.Input[i].Bitwidth
			if e.Kind == FieldValue {
				w = b.p.Fields[e.Field].Bits
			}
			if w < 1 || w > maxBits {
				return sum, fmt.Errorf("an input has a bitwidth of %d, expected 1 to %d", w, maxBits)
			}
			sum.Input, sum.Bits = append(sum.Input, e), append(sum.Bits, w)
			bits += w
		}
		if bits%8 != 0 {
			return sum, fmt.Errorf("%d bits of input, expected whole bytes", bits)
		}
		if cond != nil {
			sum.If, err = b.expression(cond, nil, 0)
		}
		return sum, err
	}
	return sum, fmt.Errorf("there is no calculation %q", calculation)
}

func (b *bmv2Reader) readDeparser() error {
	if len(b.in.Deparsers) != 1 {
		return fmt.Errorf("%d deparsers, expected one", len(b.in.Deparsers))
	}
	if len(b.in.Deparsers[0].Primitives) > 0 {
		return fmt.Errorf("the deparser has primitives, which are not supported")
	}
	for _, name := range b.in.Deparsers[0].Order {
		raw, _ := json.Marshal(name)
		h, err := b.headerRef(raw)
		if err != nil {
			return fmt.Errorf("deparser: %w", err)
		}
		if b.p.Headers[h].Metadata || slices.Contains(b.p.Deparse, h) {
			return fmt.Errorf("deparser: %s is metadata, or is there twice", name)
		}
		b.p.Deparse = append(b.p.Deparse, h)
	}
	return nil
}
