package compile

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// A meter with rates lies in a memory cluster, as an array of registers does: an access's key has the index, the units
// and the time at which the packet came. A meter without rates gives color 0 and takes no access.

// timeField is the name of the field that has the microsecond at which a packet came.
const timeField = "machine.time"

const ingressTime = "intrinsic_metadata.ingress_global_timestamp"

// Names that a table with a direct meter adds to: a table of the same keys, which finds the entry's number, and the
// access.
const (
	meteredOf = ".metered"
	meterOf   = ".meter"
)

// registerArray, meterArray and counterArray number the arrays of a machine, from 1 on: a program's registers, then its
// meters, then its counters. N counts from 0 among those of a kind.
func registerArray(n int) int               { return 1 + n }
func meterArray(p *p4.Program, n int) int   { return 1 + len(p.Registers) + n }
func counterArray(p *p4.Program, n int) int { return 1 + len(p.Registers) + len(p.Meters) + n }

// isMeter tells whether a table is an access to a meter.
func isMeter(t *p4.Table) bool { return t.Accesses != nil && t.Accesses.Op == p4.ExecuteMeter }

// hasRates tells whether the control plane gave a meter rates.
func (l *lowering) hasRates(meter int) bool {
	return slices.Contains(l.metered, l.p.Meters[meter].Name)
}

// time reads the microsecond of the packet's arrival.
func (l *lowering) time() *p4.Expr { return fieldExpr(l.once(timeField, 32)) }

// units are what a packet takes from a meter: its bytes, or 1.
func units(l *lowering, meter int) *p4.Expr {
	if l.p.Meters[meter].Bytes {
		return fieldExpr(l.packetLength())
	}
	return constant(1)
}

// directMeter puts the access of a direct meter before its table. The color must be there when the table's action
// starts: a table of the same keys finds the entry's number first. The color is the result; nil says that it is in the
// meter's target already. A target that the table matches on gets it when the action starts.
func (l *lowering) directMeter(pipe *p4.Pipeline, at int, exits *[]bool) *p4.Expr {
	p, t := l.p, pipe.Nodes[at].Table
	meter := t.Meter - 1
	target, found := p.Meters[meter].Target, (*p4.Expr)(nil)
	if slices.ContainsFunc(t.Key, func(k p4.KeyField) bool { return k.Field == target }) {
		target = l.field(t.Name+meterOf, 32)
		found = fieldExpr(target)
	}
	width := max(bits.Len(uint(t.Size)), 1)
	entry := l.field(t.Name+meteredOf, width)
	action := func(name string, params []p4.Param, ops ...p4.Primitive) int {
		a := len(p.Actions)
		p.Actions = append(p.Actions, p4.Action{ID: -1 - a, Name: t.Name + name, Params: params, Ops: ops})
		*exits = append(*exits, false)
		return a
	}
	param := &p4.Expr{Kind: p4.ParamValue}
	find, access := len(pipe.Nodes), len(pipe.Nodes)+1
	redirect(pipe, at, find)
	if pipe.First == at {
		pipe.First = find
	}
	nothing := action(meteredOf+".nothing", nil)
	hit := action(meteredOf, []p4.Param{{Name: entryNumber, Bits: width}}, assignment(entry, param))
	color := action(meterOf, []p4.Param{{Name: "color", Bits: 32}}, assignment(target, param))
	x := p4.Primitive{
		Op: p4.ExecuteMeter, Field: -1, Header: -1, Object: meter,
		Args: []*p4.Expr{fieldExpr(entry), units(l, meter), l.time()},
	}
	m := &p4.Table{
		Name: t.Name + meterOf, Match: p4.Exact, Size: max(p.Meters[meter].Size, 1), Array: meterArray(p, meter),
		Accesses: &x, Actions: []int{color, nothing}, Next: []int{at, at}, Default: nothing, Miss: p4.Accept,
	}
	for _, e := range x.Args {
		if !isConst(e) {
			m.Key = append(m.Key, p4.KeyField{Match: p4.Exact, Field: e.Field})
		}
	}
	pipe.Nodes = append(
		pipe.Nodes,
		p4.Node{Name: t.Name + meteredOf, Table: &p4.Table{
			Name: t.Name + meteredOf, Key: slices.Clone(t.Key), Match: t.Match, Size: t.Size, Actions: []int{hit, nothing},
			Next: []int{access, at}, Default: nothing, Miss: p4.Accept,
		}},
		p4.Node{Name: m.Name, Table: m},
	)
	l.egressState = l.egressState || pipe == &p.Egress
	return found
}

// setRates notes meters' rates, by meter array.
func (c *compiler) setRates(list []p4.MeterRates) error {
	p := c.program
	c.rates = map[int][][]drmt.MeterRate{}
	for _, r := range list {
		n := slices.IndexFunc(p.Meters, func(m p4.Meter) bool { return m.Name == r.Array })
		if n < 0 {
			return fmt.Errorf("%s: there is no meter_array %s", p.Name, r.Array)
		}
		x := &p.Meters[n]
		if r.Index < -1 || r.Index >= x.Size || len(r.Rates) != x.Rates {
			return fmt.Errorf(
				"%s: meter_array %s has %d meters of %d rates: none at %d with %d", p.Name, x.Name, x.Size, x.Rates, r.Index,
				len(r.Rates),
			)
		}
		var rates []drmt.MeterRate
		for _, y := range r.Rates {
			rates = append(rates, drmt.MeterRate{PerMicrosecond: y.PerMicrosecond, Burst: y.Burst})
		}
		if !slices.IsSortedFunc(rates, func(a, b drmt.MeterRate) int {
			return cmp.Compare(a.PerMicrosecond, b.PerMicrosecond)
		}) {
			return fmt.Errorf("%s: meter_array %s: expected the lowest rate first", p.Name, x.Name)
		}
		if c.rates[n] == nil {
			c.rates[n] = make([][]drmt.MeterRate, x.Size)
		}
		for i := range c.rates[n] {
			if r.Index < 0 || i == r.Index {
				c.rates[n][i] = rates
			}
		}
	}
	return nil
}

// times gives egress the time at which its packet came, and the metadata of an empty queue: packets spend no time
// there, as in the interpreter, whatever ingress wrote.
func (l *lowering) times() {
	p := l.p
	s := &p.Standard
	written := l.everWritten()
	var ops []p4.Primitive
	set := func(f int, e func() *p4.Expr) {
		if f >= 0 && (slices.Contains(kept(p), f) ||
			slices.ContainsFunc(p.Egress.Nodes, func(n p4.Node) bool { return readsField(p, &n, f) })) {
			ops = append(ops, assignment(f, e()))
		}
	}
	none := func(f int) {
		if f >= 0 && (written[f] || slices.Contains(kept(p), f)) {
			set(f, func() *p4.Expr { return constant(0) })
		}
	}
	set(s.Other("intrinsic_metadata.egress_global_timestamp"), l.time)
	var queue []int
	for _, name := range []string{"enq_timestamp", "enq_qdepth", "deq_timedelta", "deq_qdepth"} {
		queue = append(queue, s.Other("queueing_metadata."+name))
	}
	if !slices.Contains(queue, -1) { // all of them, or none counts
		set(queue[0], l.time)
		for _, f := range queue[1:] {
			none(f)
		}
	}
	none(s.Other("queueing_metadata.qid"))
	if len(ops) == 0 {
		return
	}
	first := p.Egress.First
	a := len(p.Actions)
	p.Actions = append(p.Actions, p4.Action{ID: -1 - a, Name: timeField, Ops: ops})
	p.Egress.First = len(p.Egress.Nodes)
	p.Egress.Nodes = append(p.Egress.Nodes, p4.Node{Name: timeField, Table: &p4.Table{
		Name: timeField, Match: p4.Exact, Actions: []int{a}, Next: []int{first}, Default: a, Miss: p4.Accept,
	}})
}
