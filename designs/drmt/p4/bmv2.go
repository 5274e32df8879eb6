package p4

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
)

// Bounds of a file's requests; BMv2 itself has none.
const (
	maxBits  = 1 << 16 // the width of a field, a parameter or a checksum's input
	maxArray = 1 << 24 // the elements of an array of registers, counters or meters
)

// ParseBMv2 reads a program and checks it. file is for messages. An error is one line with the place and the expected
// form.
func ParseBMv2(file string, r io.Reader) (p *Program, err error) {
	defer func() { err = input.OneLine(err) }()
	data, err := readBounded(file, r)
	if err != nil {
		return nil, err
	}
	var f bmv2File
	dec := json.NewDecoder(strings.NewReader(string(data)))
	if err := dec.Decode(&f); err != nil {
		return nil, fmt.Errorf("%s:%d: %s", file, lineAt(data, dec.InputOffset()), jsonError(err))
	}
	b := &bmv2Reader{file: file, in: &f, p: &Program{Name: file}, headers: map[string]int{}, headerIDs: map[int]int{},
		fields: map[string]int{}, aliases: map[string]int{}, actions: map[int]int{}, objects: map[string]int{},
		calculations: map[string]int{}}
	for _, step := range []func() error{b.preamble, b.readHeaders, b.readGroups, b.readStandard, b.readErrors,
		b.readArrays,
		b.readCalculations, b.readLengths, b.readParser, b.readActions, b.readPipelines, b.readChecksums, b.readDeparser} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return b.p, nil
}

// jsonError puts what the JSON decoder says in words about the file.
func jsonError(err error) string {
	if t, ok := err.(*json.UnmarshalTypeError); ok {
		return fmt.Sprintf("%s is a JSON %s, which it cannot be", t.Field, t.Value)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

type bmv2Reader struct {
	file         string
	in           *bmv2File
	p            *Program
	headers      map[string]int
	headerIDs    map[int]int
	fields       map[string]int // "ipv4.ttl"
	aliases      map[string]int // BMv2's name of a field
	actions      map[int]int    // index by id
	objects      map[string]int // index by kind and name: "register_array count"
	calculations map[string]int
	places       int // of random numbers
}

func (b *bmv2Reader) preamble() error {
	f := b.in
	switch {
	case f.Meta == nil && f.HeaderTypes == nil:
		return fmt.Errorf("no __meta__ with a version [major, minor]: is it the JSON of p4c-bm2-ss?")
	case f.Meta != nil && len(f.Meta.Version) > 0 && (len(f.Meta.Version) != 2 || f.Meta.Version[0] != 2):
		return fmt.Errorf("version %d of the format, expected 2", f.Meta.Version[0])
	case len(f.ExternInstances) > 0:
		x := f.ExternInstances[0]
		return fmt.Errorf("extern %s of type %s is not supported", x.Name, x.Type)
	}
	return nil
}

type bmv2Member struct {
	name     string
	bits     int
	field    Field
	variable bool
}

func (b *bmv2Reader) readHeaders() error {
	types := map[string][]bmv2Member{}
	longest := map[string]int{}
	for _, t := range b.in.HeaderTypes {
		if _, twice := types[t.Name]; twice || t.Name == "" {
			return fmt.Errorf("header type %q: no name, or one that is there twice", t.Name)
		}
		if t.MaxLength != nil {
			longest[t.Name] = *t.MaxLength
		}
		list := []bmv2Member{}
		for i, f := range t.Fields {
			m, err := member(f)
			if err != nil {
				return fmt.Errorf("header type %s: field %d %w", t.Name, i, err)
			}
			list = append(list, m)
		}
		types[t.Name] = list
	}
	for _, h := range b.in.Headers {
		members, ok := types[h.HeaderType]
		if !ok {
			return fmt.Errorf("header %s: there is no header type %q", h.Name, h.HeaderType)
		}
		if _, twice := b.headers[h.Name]; twice || h.Name == "" {
			return fmt.Errorf("header %q: no name, or one that is there twice", h.Name)
		}
		if err := b.header(h.Name, h.HeaderType, h.Metadata, members, longest[h.HeaderType]); err != nil {
			return err
		}
		b.headerIDs[h.ID] = b.headers[h.Name]
	}
	return nil
}

// member reads [name, bits, signed, saturating].
func member(f []json.RawMessage) (m bmv2Member, err error) {
	if len(f) < 2 || json.Unmarshal(f[0], &m.name) != nil {
		return m, fmt.Errorf("is not [name, bits]")
	}
	var star string
	if json.Unmarshal(f[1], &star) == nil && star == "*" {
		m.variable = true
	} else if json.Unmarshal(f[1], &m.bits) != nil {
		return m, fmt.Errorf("is not [name, bits]")
	}
	if len(f) > 2 && json.Unmarshal(f[2], &m.field.Signed) != nil ||
		len(f) > 3 && json.Unmarshal(f[3], &m.field.Saturating) != nil {
		return m, fmt.Errorf("is not [name, bits, signed]")
	}
	if !m.variable && (m.bits < 1 || m.bits > maxBits) || m.name == "" || strings.HasPrefix(m.name, "$") {
		return m, fmt.Errorf("%q has %d bits, expected a name and 1 to %d bits", m.name, m.bits, maxBits)
	}
	return m, nil
}

func (b *bmv2Reader) header(name, kind string, metadata bool, members []bmv2Member, longest int) error {
	n := len(b.p.Headers)
	b.headers[name] = n
	header := Header{Name: name, Type: kind, Metadata: metadata, Valid: -1, MaxBytes: longest}
	for _, m := range members {
		full := name + "." + m.name
		if m.variable {
			if header.Variable > 0 || metadata {
				return fmt.Errorf("header type %s: field %s: a header has one field of variable length at most, and metadata none",
					kind, m.name)
			}
			header.Variable = 1 + len(header.Fields)
		}
		f := m.field
		f.Name, f.Header, f.Bits = full, n, m.bits
		header.Fields = append(header.Fields, b.field(f))
		header.Bits += m.bits
	}
	if !metadata {
		if header.Bits%8 != 0 {
			return fmt.Errorf("header %s: %d bits, expected a whole number of bytes", name, header.Bits)
		}
		header.Valid = b.field(Field{Name: name + ".$valid$", Header: n, Bits: 1})
	}
	if header.Variable > 0 {
		bits := maxBits
		if longest > 0 && longest*8 <= maxBits {
			bits = max(longest*8-header.Bits, 8)
		}
		b.p.Fields[header.Fields[header.Variable-1]].Bits = bits
	}
	b.p.Headers = append(b.p.Headers, header)
	return nil
}

// readLengths reads the expressions for fields of variable length: their locals are fields of the header itself.
func (b *bmv2Reader) readLengths() error {
	for _, t := range b.in.HeaderTypes {
		if t.Length == nil {
			continue
		}
		e, err := b.expression(t.Length, make([]Param, len(t.Fields)), 0)
		if err != nil {
			return fmt.Errorf("header type %s: length_exp: %w", t.Name, err)
		}
		for h := range b.p.Headers {
			if x := &b.p.Headers[h]; x.Type == t.Name && x.Variable > 0 {
				x.Length = local(e, x.Fields)
			}
		}
	}
	return nil
}

// local replaces parameters by fields.
func local(e *Expr, fields []int) *Expr {
	if e == nil {
		return nil
	}
	c := *e
	if c.Kind == ParamValue {
		return &Expr{Kind: FieldValue, Field: fields[c.Param]}
	}
	c.Left, c.Right, c.Cond = local(e.Left, fields), local(e.Right, fields), local(e.Cond, fields)
	return &c
}

// field adds a field. Of two with one name in a header, which BMv2 allows, the name means the first.
func (b *bmv2Reader) field(f Field) int {
	if _, twice := b.fields[f.Name]; !twice {
		b.fields[f.Name] = len(b.p.Fields)
	}
	b.p.Fields = append(b.p.Fields, f)
	return len(b.p.Fields) - 1
}

// readGroups reads header stacks and unions.
func (b *bmv2Reader) readGroups() error {
	p := b.p
	byID := func(of string, ids []int, known map[int]int) (all []int, err error) {
		for _, id := range ids {
			n, ok := known[id]
			if !ok {
				return nil, fmt.Errorf("%s: there is no header or union with the id %d", of, id)
			}
			all = append(all, n)
		}
		if len(all) == 0 {
			return nil, fmt.Errorf("%s: it is empty", of)
		}
		return all, nil
	}
	for _, s := range b.in.HeaderStacks {
		headers, err := byID("header stack "+s.Name, s.HeaderIDs, b.headerIDs)
		if err != nil {
			return err
		}
		for _, h := range headers {
			if p.Headers[h].Type != p.Headers[headers[0]].Type || p.Headers[h].Metadata {
				return fmt.Errorf("header stack %s: its headers are of two types, or metadata", s.Name)
			}
		}
		b.objects["header_stack "+s.Name] = len(p.Stacks)
		p.Stacks = append(p.Stacks, Stack{s.Name, headers})
	}
	unionIDs := map[int]int{}
	for _, u := range b.in.HeaderUnions {
		headers, err := byID("header union "+u.Name, u.HeaderIDs, b.headerIDs)
		if err != nil {
			return err
		}
		for _, h := range headers {
			if p.Headers[h].Union > 0 || p.Headers[h].Metadata {
				return fmt.Errorf("header union %s: %s is in another union, or metadata", u.Name, p.Headers[h].Name)
			}
			p.Headers[h].Union = 1 + len(p.Unions)
		}
		unionIDs[u.ID] = len(p.Unions)
		b.objects["header_union "+u.Name] = len(p.Unions)
		p.Unions = append(p.Unions, Union{u.Name, headers})
	}
	for _, s := range b.in.HeaderUnionStacks {
		unions, err := byID("header union stack "+s.Name, s.UnionIDs, unionIDs)
		if err != nil {
			return err
		}
		for _, u := range unions {
			if !b.sameUnions(unions[0], u) {
				return fmt.Errorf("header union stack %s: its unions are of two types", s.Name)
			}
		}
		b.objects["header_union_stack "+s.Name] = len(p.UnionStacks)
		p.UnionStacks = append(p.UnionStacks, UnionStack{s.Name, unions})
	}
	return nil
}

// sameUnions tells whether two unions have headers of the same types.
func (b *bmv2Reader) sameUnions(x, y int) bool {
	return slices.EqualFunc(b.p.Unions[x].Headers, b.p.Unions[y].Headers, func(h, k int) bool {
		return b.p.Headers[h].Type == b.p.Headers[k].Type
	})
}

// unionMember finds a member of a stack of unions by its name.
func (b *bmv2Reader) unionMember(stack, name string) (int, error) {
	for _, s := range b.in.HeaderUnionStacks {
		for _, t := range b.in.HeaderUnionTypes {
			if s.Name != stack || t.Name != s.UnionType {
				continue
			}
			for i, h := range t.Headers {
				if len(h) > 0 && h[0] == name {
					return i, nil
				}
			}
		}
	}
	return 0, fmt.Errorf("union stack %s has no member %q", stack, name)
}

// readStandard finds the fields that simple_switch knows: an alias comes before a field of that name.
func (b *bmv2Reader) readStandard() error {
	for _, a := range b.in.FieldAliases {
		var name string
		var to []string
		if len(a) != 2 || json.Unmarshal(a[0], &name) != nil || json.Unmarshal(a[1], &to) != nil {
			return fmt.Errorf("a field alias is [name, [header, field]]")
		}
		f, err := b.fieldRef(to)
		if err != nil {
			return fmt.Errorf("field alias %s: %w", name, err)
		}
		b.aliases[name] = f
	}
	find := func(name string) int {
		if i, ok := b.aliases[name]; ok {
			return i
		}
		if i, ok := b.fields[name]; ok {
			return i
		}
		return -1
	}
	s := &b.p.Standard
	*s = Standard{find("standard_metadata.ingress_port"), find("standard_metadata.egress_spec"),
		find("standard_metadata.egress_port"), find("standard_metadata.packet_length"), map[string]int{}}
	for _, name := range []string{"standard_metadata.instance_type", "standard_metadata.parser_error",
		"standard_metadata.checksum_error", "intrinsic_metadata.ingress_global_timestamp",
		"intrinsic_metadata.egress_global_timestamp", "intrinsic_metadata.mcast_grp", "intrinsic_metadata.egress_rid",
		"intrinsic_metadata.priority", "queueing_metadata.enq_timestamp", "queueing_metadata.enq_qdepth",
		"queueing_metadata.deq_timedelta", "queueing_metadata.deq_qdepth", "queueing_metadata.qid"} {
		if f := find(name); f >= 0 {
			s.Others[name] = f
		}
	}
	if f, ok := b.fields["standard_metadata.mcast_grp"]; ok { // mark_to_drop looks for it without an alias
		s.Others["standard_metadata.mcast_grp"] = f
	}
	if s.EgressSpec < 0 {
		return fmt.Errorf("no field standard_metadata.egress_spec: only the v1model architecture is supported")
	}
	return nil
}

// readErrors numbers the parser's errors: the core library's that the program does not number come after the others.
func (b *bmv2Reader) readErrors() error {
	known, next := map[string]uint64{}, uint64(0)
	for _, e := range b.in.Errors {
		var name string
		var v uint64
		if len(e) != 2 || json.Unmarshal(e[0], &name) != nil || json.Unmarshal(e[1], &v) != nil {
			return fmt.Errorf("an error is [name, number]")
		}
		known[name] = v
		next = max(next, v+1)
	}
	e := &b.p.Errors
	for _, x := range []struct {
		name string
		to   *uint64
	}{{"NoError", &e.None}, {"PacketTooShort", &e.PacketTooShort}, {"NoMatch", new(uint64)},
		{"StackOutOfBounds", &e.StackOutOfBounds}, {"HeaderTooShort", &e.HeaderTooShort}, {"ParserTimeout", &e.Timeout},
		{"ParserInvalidArgument", &e.InvalidArgument}} {
		v, ok := known[x.name]
		if !ok {
			v = next
			next++
		}
		*x.to = v
	}
	return nil
}

// fieldRef resolves ["ipv4", "ttl"].
func (b *bmv2Reader) fieldRef(ref []string) (int, error) {
	if len(ref) != 2 {
		return 0, fmt.Errorf("a field is [header, field], not %q", ref)
	}
	f, ok := b.fields[ref[0]+"."+ref[1]]
	if !ok {
		return 0, fmt.Errorf("there is no field %s.%s", ref[0], ref[1])
	}
	return f, nil
}

func (b *bmv2Reader) headerRef(raw json.RawMessage) (int, error) {
	var name string
	if json.Unmarshal(raw, &name) != nil {
		return 0, fmt.Errorf("a header is given by its name, not by %s", raw)
	}
	h, ok := b.headers[name]
	if !ok {
		return 0, fmt.Errorf("there is no header %q", name)
	}
	return h, nil
}

// object resolves the name of an array, a stack, a calculation, ...
func (b *bmv2Reader) object(kind string, raw json.RawMessage) (int, error) {
	var name string
	if json.Unmarshal(raw, &name) != nil {
		return 0, fmt.Errorf("a %s is given by its name, not by %s", kind, raw)
	}
	n, ok := b.objects[kind+" "+name]
	if !ok {
		return 0, fmt.Errorf("there is no %s %q", kind, name)
	}
	return n, nil
}

// number reads a hexadecimal number, of which the sign and 0x may come first.
func (b *bmv2Reader) number(text string) (Number, error) {
	digits, negative := strings.CutPrefix(text, "-")
	digits = strings.TrimPrefix(digits, "0x")
	if digits == "" || len(digits) > maxBits/4 || strings.Trim(digits, "0123456789abcdefABCDEF") != "" {
		return nil, fmt.Errorf("number %.40q, expected 0x and hexadecimal digits", text)
	}
	v, _ := new(big.Int).SetString(digits, 16)
	if negative {
		v.Neg(v)
	}
	return v, nil
}

// loop returns a node that can be reached from itself, -1 if there is none. Nodes are numbered from 0; numbers below 0
// are ends.
func loop(n, start int, next func(int) []int) int {
	const open, done = 1, 2
	state := make([]int, n)
	var visit func(int) int
	visit = func(v int) int {
		if v < 0 || state[v] == done {
			return -1
		}
		if state[v] == open {
			return v
		}
		state[v] = open
		for _, w := range next(v) {
			if found := visit(w); found >= 0 {
				return found
			}
		}
		state[v] = done
		return -1
	}
	return visit(start)
}
