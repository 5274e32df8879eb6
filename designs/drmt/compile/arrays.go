package compile

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// accesses turns primitives that read and write registers, and that count, into accesses to arrays in memory clusters. An action is cut in
// two at each: the first part leaves what is to be done, the index and the value in fields, an access takes them as its key, and the second
// part goes on with what comes back.
func (l *lowering) accesses() error {
	p := l.p
	state := false
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for i := 0; i < len(pipe.Nodes); i++ { // those that are added here, too
			t := pipe.Nodes[i].Table
			if t == nil || t.Array > 0 {
				continue
			}
			for k, a := range slices.Clone(t.Actions) {
				at := slices.IndexFunc(p.Actions[a].Ops, stateful)
				if at < 0 {
					continue
				}
				state = state || pipe == &p.Egress
				if t.HitOrMiss {
					for n := range t.Next {
						t.Next[n] = t.Hit
					}
					t.HitOrMiss, t.Apart = false, true
				}
				if t.Apart && t.Default == a {
					return fmt.Errorf("%s: table %s: a default action with registers or counters, and a hit that goes another way than a miss: no machine runs that", p.Name, t.Name)
				}
				first, second, err := l.cut(pipe, a, at, t.Next[k])
				if err != nil {
					return err
				}
				t.Actions[k], t.Next[k] = first, second
				if t.Default == a {
					t.Default = first
				}
			}
		}
	}
	l.egressState = state
	return nil
}

func stateful(o p4.Primitive) bool {
	return o.Op == p4.ReadRegister || o.Op == p4.WriteRegister || o.Op == p4.Count
}

// cut cuts an action at a primitive and returns its first part, and the node that goes on.
func (l *lowering) cut(pipe *p4.Pipeline, action, at, next int) (first, node int, err error) {
	p := l.p
	a := p.Actions[action]
	o := a.Ops[at]
	if slices.ContainsFunc(a.Ops, func(o p4.Primitive) bool { return o.Op == p4.Jump || o.Op == p4.JumpIfZero }) || o.Dest != nil {
		return 0, 0, fmt.Errorf("%s: action %s: %v under a condition, or to an element of a stack: no machine runs that", p.Name, a.Name, o.Op)
	}
	name := fmt.Sprintf("%s.%v.%d", a.Name, o.Op, len(p.Actions))
	array, size, width := 1+o.Object, 0, 64
	if o.Op == p4.Count {
		array, size = 1+len(p.Registers)+o.Object, p.Counters[o.Object].Size
	} else {
		r := p.Registers[o.Object]
		if size = r.Size; r.Bits > 64 {
			return 0, 0, fmt.Errorf("%s: register_array %s has %d bits: no machine runs that", p.Name, r.Name, r.Bits)
		}
		if r.Bits <= 32 {
			width = 32
		}
	}
	op, index, value := l.field(name+".op", 8), l.field(name+".index", 32), l.field(name+".value", width)
	does := map[p4.Op]uint64{p4.ReadRegister: drmt.ReadElement, p4.WriteRegister: drmt.WriteElement, p4.Count: drmt.AddElement}[o.Op]
	ops := append(slices.Clone(a.Ops[:at]), assignment(op, constant(does)), assignment(index, o.Args[0]))
	switch o.Op {
	case p4.WriteRegister:
		ops = append(ops, assignment(value, o.Args[1]))
	case p4.Count:
		ops = append(ops, assignment(value, constant(1)))
	}
	rest := l.carry(&a, [][]p4.Primitive{ops, slices.Clone(a.Ops[at+1:])})
	first = len(p.Actions)
	x := a
	x.Ops = rest[0]
	p.Actions = append(p.Actions, x)
	found, nothing := len(p.Actions), len(p.Actions)+1
	back := p4.Action{ID: -1 - found, Name: name + ".found", Params: []p4.Param{{Name: "value", Bits: width}}}
	if o.Op == p4.ReadRegister {
		back.Ops = []p4.Primitive{assignment(o.Field, &p4.Expr{Kind: p4.ParamValue})}
	}
	p.Actions = append(p.Actions, back, p4.Action{ID: -1 - nothing, Name: name + ".nothing"})
	to := next
	node = len(pipe.Nodes)
	if len(rest[1]) > 0 {
		to = node + 1
	}
	key := []p4.KeyField{{Match: p4.Exact, Field: op}, {Match: p4.Exact, Field: index}, {Match: p4.Exact, Field: value}}
	pipe.Nodes = append(pipe.Nodes, p4.Node{Name: name, Table: &p4.Table{Name: name, Match: p4.Exact, Size: max(size, 1), Key: key,
		Actions: []int{found, nothing}, Next: []int{to, to}, Default: nothing, Miss: p4.Accept, Array: array}})
	if len(rest[1]) > 0 {
		c := len(p.Actions)
		p.Actions = append(p.Actions, p4.Action{ID: -1 - c, Name: name + ".then", Ops: rest[1]})
		pipe.Nodes = append(pipe.Nodes, p4.Node{Name: name + ".then", Table: &p4.Table{Name: name + ".then", Match: p4.Exact,
			Actions: []int{c}, Next: []int{next}, Default: c, Miss: p4.Accept}})
	}
	return first, node, nil
}

// guardEgress keeps packets that go nowhere out of egress, where they would change registers.
func (l *lowering) guardEgress() {
	p := l.p
	var gone *p4.Expr
	add := func(field int, o p4.Operator, v uint64) {
		if field < 0 {
			return
		}
		e := binary(o, fieldExpr(field), constant(v))
		if gone != nil {
			e = binary(p4.LogicalOr, gone, e)
		}
		gone = e
	}
	add(p.Standard.EgressSpec, p4.Equal, p4.DropPort)
	add(p.Standard.Other("intrinsic_metadata.mcast_grp"), p4.NotEqual, 0)
	add(p.Standard.Other("intrinsic_metadata.priority"), p4.NotEqual, 0)
	if gone == nil || p.Egress.First == p4.Accept {
		return
	}
	first := p.Egress.First
	n := len(p.Egress.Nodes)
	// the condition belongs to ingress in what it reads: egress_spec is the port there
	if p.Ingress.First == p4.Accept {
		return
	}
	p.Egress.Nodes = append(p.Egress.Nodes, p4.Node{Name: "machine.gone", Condition: &p4.Condition{If: gone, True: p4.Accept, False: first}})
	p.Egress.First = n
}

// array returns the table of an access.
func (c *compiler) array(m *match) *drmt.Table {
	t := m.table
	a := drmt.Array{ID: t.Array, Size: t.Size, Bits: 64, Wide: true}
	if n := t.Array - 1; n < len(c.program.Registers) {
		r := c.program.Registers[n]
		a.Size, a.Bits, a.Wide = r.Size, r.Bits, r.Bits > 32
	}
	a.Found = m.choice(t.Actions[0], true).pointer
	return drmt.NewArray(a, drmt.Result{Pointer: m.choice(t.Default, false).pointer})
}

// spacing is how many cycles must lie between two packets. Each packet makes its accesses to an array at the same distances from its start: a
// packet that follows sooner than the last comes after the first would come between them.
func (l *linker) spacing() int {
	first, last, many := map[int]int{}, map[int]int{}, map[int]bool{}
	for x := range l.operations {
		m := l.operations[x].match
		if m == nil || m.table.Array == 0 {
			continue
		}
		a, t := m.table.Array, l.at[x].match
		if _, ok := first[a]; !ok {
			first[a], last[a] = t, t
			continue
		}
		many[a] = true
		first[a], last[a] = min(first[a], t), max(last[a], t)
	}
	most := 1
	for a := range many {
		most = max(most, last[a]-first[a]+1)
	}
	return most
}
