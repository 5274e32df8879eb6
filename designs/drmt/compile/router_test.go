package compile_test

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// The router of these tests, written down by hand: Ethernet and 20 bytes of IPv4.
//
//	if (ipv4.isValid()) { route.apply(); if (acl.apply().hit) { deny } }  else { l2.apply() }
//	if (ipv4.isValid() && ttl == 0) { drop }
const (
	fEthDst = iota
	fEthSrc
	fEthType
	fEthValid
	fVerIHL
	fTOS
	fLen
	fIDFrag
	fTTL
	fProto
	fSum
	fSrc
	fDst
	fIPValid
	fInPort
	fSpec
	fClass // metadata
	fFields
)

func field(f int) *p4.Expr     { return &p4.Expr{Kind: p4.FieldValue, Field: f} }
func number(v uint64) *p4.Expr { return &p4.Expr{Kind: p4.Constant, Const: v} }
func param(n int) *p4.Expr     { return &p4.Expr{Kind: p4.ParamValue, Param: n} }
func set(f int, e *p4.Expr) p4.Primitive {
	return p4.Primitive{Op: p4.Assign, Field: f, Header: -1, Value: e}
}

func op(o p4.Operator, l, r *p4.Expr) *p4.Expr {
	return &p4.Expr{Kind: p4.Operation, Operator: o, Left: l, Right: r}
}

func router() *p4.Program {
	p := &p4.Program{
		Name: "router", Standard: p4.Standard{IngressPort: fInPort, EgressSpec: fSpec, EgressPort: -1, PacketLength: -1},
		Deparse: []int{0, 1},
	}
	for i, f := range []struct {
		name   string
		header int
		bits   int
	}{
		{"ethernet.dst", 0, 48}, {"ethernet.src", 0, 48}, {"ethernet.type", 0, 16}, {"ethernet.$valid$", 0, 1},
		{"ipv4.version_ihl", 1, 8}, {"ipv4.tos", 1, 8}, {"ipv4.length", 1, 16}, {"ipv4.id_fragment", 1, 32},
		{"ipv4.ttl", 1, 8}, {"ipv4.protocol", 1, 8},
		{"ipv4.checksum", 1, 16}, {"ipv4.src", 1, 32}, {"ipv4.dst", 1, 32}, {"ipv4.$valid$", 1, 1},
		{"standard_metadata.ingress_port", 2, 9}, {"standard_metadata.egress_spec", 2, 9}, {"meta.class", 2, 13},
	} {
		_ = i
		p.Fields = append(p.Fields, p4.Field{Name: f.name, Header: f.header, Bits: f.bits})
	}
	p.Headers = []p4.Header{
		{Name: "ethernet", Fields: []int{fEthDst, fEthSrc, fEthType}, Valid: fEthValid, Bits: 112},
		{
			Name: "ipv4", Fields: []int{fVerIHL, fTOS, fLen, fIDFrag, fTTL, fProto, fSum, fSrc, fDst}, Valid: fIPValid,
			Bits: 160,
		},
		{Name: "standard_metadata", Metadata: true, Fields: []int{fInPort, fSpec, fClass}, Valid: -1},
	}
	p.States = []p4.State{
		{Name: "start", Ops: []p4.ParserOp{{Header: 0}, {Header: -1, Field: fClass, Value: number(7)}}, Key: []int{fEthType},
			Transitions: []p4.Transition{{Value: 0x800, Mask: 0xffff, Next: 1}, {Next: p4.Accept}}},
		{Name: "ipv4", Ops: []p4.ParserOp{{Header: 1}}, Transitions: []p4.Transition{{Next: p4.Accept}}},
	}
	p.Actions = []p4.Action{
		{Name: "forward", Params: []p4.Param{{Name: "port", Bits: 9}, {Name: "mac", Bits: 48}}, Ops: []p4.Primitive{
			set(fSpec, param(0)), set(fEthSrc, field(fEthDst)), set(fEthDst, param(1)),
			set(fTTL, op(p4.And, op(p4.Add, field(fTTL), number(0xff)), number(0xff)))}},
		{Name: "drop", Ops: []p4.Primitive{{Op: p4.Drop, Field: fSpec, Header: -1}}},
		{
			Name: "classify", Params: []p4.Param{{Name: "class", Bits: 13}},
			Ops: []p4.Primitive{set(fClass, op(p4.Xor, field(fClass), param(0)))},
		},
		{Name: "to_port", Params: []p4.Param{{Name: "port", Bits: 9}}, Ops: []p4.Primitive{set(fSpec, param(0))}},
		{Name: "mark", Ops: []p4.Primitive{set(fTOS, field(fClass))}},
	}
	p.Ingress = p4.Pipeline{Name: "ingress", First: 0, Nodes: []p4.Node{
		{Name: "is_ip", Condition: &p4.Condition{If: op(p4.Equal, field(fIPValid), number(1)), True: 1, False: 4}},
		{
			Name: "route",
			Table: &p4.Table{
				Name: "route", Key: []p4.KeyField{{Match: p4.LPM, Field: fDst}}, Match: p4.LPM, Size: 1000,
				Actions: []int{0, 1}, Next: []int{2, 2}, Default: 1,
			},
		},
		{
			Name: "acl",
			Table: &p4.Table{
				Name: "acl",
				Key: []p4.KeyField{
					{Match: p4.Ternary, Field: fSrc}, {Match: p4.Ternary, Field: fDst}, {Match: p4.Ternary, Field: fProto},
					{Match: p4.Ternary, Field: fInPort},
				},
				Match:       p4.Ternary,
				Size:        100,
				Actions:     []int{2},
				Next:        []int{5},
				HitOrMiss:   true,
				Hit:         3,
				Miss:        5,
				Default:     2,
				DefaultData: []uint64{3},
			},
		},
		{Name: "deny", Table: &p4.Table{Name: "deny", Actions: []int{1}, Next: []int{5}, Default: 1}},
		{
			Name: "l2",
			Table: &p4.Table{
				Name: "l2", Key: []p4.KeyField{{Match: p4.Exact, Field: fEthDst}}, Match: p4.Exact, Size: 1000,
				Actions: []int{3, 1}, Next: []int{5, 5}, Default: 3, DefaultData: []uint64{17},
			},
		},
		{
			Name: "expired",
			Condition: &p4.Condition{
				If:   op(p4.LogicalAnd, op(p4.Equal, field(fIPValid), number(1)), op(p4.Equal, field(fTTL), number(0))),
				True: 6, False: 7,
			},
		},
		{Name: "kill", Table: &p4.Table{Name: "kill", Actions: []int{1}, Next: []int{p4.Accept}, Default: 1}},
		{Name: "tag", Table: &p4.Table{Name: "tag", Actions: []int{4}, Next: []int{p4.Accept}, Default: 4}},
	}}
	p.Egress = p4.Pipeline{Name: "egress", First: p4.Accept}
	ones := func(bits int) uint64 { return 1<<bits - 1 }
	sum := p4.Checksum{Name: "ipv4", Target: fSum, Update: true, If: field(fIPValid)}
	for _, f := range []int{fVerIHL, fTOS, fLen, fIDFrag, fTTL, fProto, fSrc, fDst} {
		sum.Input, sum.Bits = append(sum.Input, field(f)), append(sum.Bits, p.Fields[f].Bits)
	}
	p.Checksums = []p4.Checksum{sum}
	_ = ones
	return p
}

// The same router in plain Go: its tables' contents, and its treatment of a packet.
type routes struct {
	prefix []struct {
		net, length, port uint32
		mac               uint64
		drop              bool
	}
	acl []struct {
		src, srcMask, dst, dstMask uint32
		class                      uint16
	}
	macs map[uint64]uint32
}

func randomRoutes(rng *rand.Rand) (r routes, entries []p4.Entry) {
	mask := func(n uint32) uint32 { return ^uint32(0) << (32 - n) }
	seen := map[[2]uint32]bool{}
	for i := range 60 {
		length := uint32(8 + rng.IntN(17))
		x := struct {
			net, length, port uint32
			mac               uint64
			drop              bool
		}{0x0a000000 | rng.Uint32()&0x00070f00, length, uint32(i), rng.Uint64() >> 16, rng.IntN(5) == 0}
		x.net &= mask(length)
		if seen[[2]uint32{x.net, length}] {
			continue
		}
		seen[[2]uint32{x.net, length}] = true
		r.prefix = append(r.prefix, x)
		e := p4.Entry{
			Table: "route", Key: []p4.KeyValue{{Value: uint64(x.net), Mask: uint64(mask(length)), PrefixLen: int(length)}},
			Data: []uint64{uint64(x.port), x.mac},
		}
		if x.drop {
			e.Action, e.Data = 1, nil
		}
		entries = append(entries, e)
	}
	for i := range 20 {
		x := struct {
			src, srcMask, dst, dstMask uint32
			class                      uint16
		}{rng.Uint32() & 0xff, 0xff, rng.Uint32() & 0xf00, 0xf00, uint16(i)}
		r.acl = append(r.acl, x)
		entries = append(
			entries,
			p4.Entry{Table: "acl", Priority: i + 1, Action: 2, Data: []uint64{uint64(i)}, Key: []p4.KeyValue{
				{Value: uint64(x.src), Mask: uint64(x.srcMask)}, {Value: uint64(x.dst), Mask: uint64(x.dstMask)}, {}, {}}},
		)
	}
	r.macs = map[uint64]uint32{}
	for range 30 {
		m := rng.Uint64N(64)
		if _, ok := r.macs[m]; !ok {
			r.macs[m] = rng.Uint32N(400)
			entries = append(
				entries,
				p4.Entry{
					Table: "l2", Key: []p4.KeyValue{{Value: m, Mask: 1<<48 - 1}}, Action: 3,
					Data: []uint64{uint64(r.macs[m])},
				},
			)
		}
	}
	return r, entries
}

// forward returns a packet's result.
func (r *routes) forward(in []byte) (out []byte, port uint16, drop bool) {
	out = append([]byte(nil), in...)
	if binary.BigEndian.Uint16(in[12:]) != 0x800 {
		var m [8]byte
		copy(m[2:], in[:6])
		p, ok := r.macs[binary.BigEndian.Uint64(m[:])]
		if !ok {
			p = 17
		}
		return out, uint16(p), false
	}
	src, dst := binary.BigEndian.Uint32(in[26:]), binary.BigEndian.Uint32(in[30:])
	best, class := -1, uint16(7)
	for i, x := range r.prefix {
		if dst&(^uint32(0)<<(32-x.length)) == x.net && (best < 0 || x.length > r.prefix[best].length) {
			best = i
		}
	}
	if drop = best < 0 || r.prefix[best].drop; !drop {
		x := r.prefix[best]
		port = uint16(x.port)
		copy(out[6:], in[:6])
		var m [8]byte
		binary.BigEndian.PutUint64(m[:], x.mac)
		copy(out, m[2:])
		out[22]--
	}
	hit := false
	for _, x := range r.acl {
		if src&x.srcMask == x.src && dst&x.dstMask == x.dst {
			class ^= x.class
			drop, hit = true, true
			break
		}
	}
	if !hit {
		class ^= 3
	}
	if out[22] == 0 {
		return out, port, true
	}
	out[15] = byte(class)
	out[24], out[25] = 0, 0
	var sum uint32
	for i := 14; i < 34; i += 2 {
		sum += uint32(binary.BigEndian.Uint16(out[i:]))
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	binary.BigEndian.PutUint16(out[24:], ^uint16(sum))
	return out, port, drop
}

func randomPacket(rng *rand.Rand, buffer []byte) []byte {
	p := buffer[:14+20+rng.IntN(30)]
	for i := range p {
		p[i] = byte(rng.Uint32())
	}
	binary.BigEndian.PutUint64(p, rng.Uint64N(64)<<16|rng.Uint64N(1<<16))
	binary.BigEndian.PutUint16(p[12:], 0x800)
	if rng.IntN(3) == 0 {
		binary.BigEndian.PutUint16(p[12:], 0x86dd)
	}
	p[22] = byte(rng.IntN(3)) // expires often
	binary.BigEndian.PutUint32(p[30:], 0x0a000000|rng.Uint32()&0x00070fff)
	return p
}

// naive makes a schedule that runs one node after another, each operation in a cycle of the period of its own as far as
// IPC wants it.
func naive(p *p4.Program, period int) *schedule.Schedule {
	g := &schedule.Graph{Name: p.Name}
	s := &schedule.Schedule{Graph: g, Limits: schedule.DRMT(1), Period: period}
	taken := map[[2]int]bool{}
	at := 0
	add := func(n schedule.Node, kind, from int) int {
		for taken[[2]int{kind, from % period}] {
			from++
		}
		taken[[2]int{kind, from % period}] = true
		g.Nodes, s.Start = append(g.Nodes, n), append(s.Start, from)
		return from
	}
	for _, n := range p.Ingress.Nodes {
		act := n.Name
		if n.Table != nil {
			act += "_ACTION"
			if len(n.Table.Key) > 0 {
				at = 22 + add(schedule.Node{Name: n.Name + "_MATCH", Kind: schedule.Match, KeyBits: p.KeyBits(n.Table)}, 0, at)
			}
		}
		at = 2 + add(schedule.Node{Name: act, Kind: schedule.Action}, 1, at)
	}
	return s
}
