package p4

// Reads returns the fields that a primitive reads, validity bits among them. Of an element of a stack that is known
// only when the action runs it has the field of every element.
func (p *Program) Reads(o *Primitive) []int {
	t := touched{p: p}
	for _, e := range append([]*Expr{o.Value, o.Source}, o.Args...) {
		t.expr(e)
	}
	if o.Dest != nil {
		t.expr(o.Dest.Left)
		t.expr(o.Dest.Right)
	}
	switch o.Op {
	case AssignVariable:
		t.add(o.Object)
	case AddHeader, RemoveHeader: // the effect depends on whether the header is valid
	case AssignHeader:
		for _, h := range p.elements(o.Source) {
			t.header(h)
		}
	case AssignUnion:
		t.headers(p.Unions[o.From].Headers)
	case AssignStack:
		t.headers(p.Stacks[o.From].Headers)
	case AssignUnionStack:
		t.unions(p.UnionStacks[o.From].Unions)
	case Push, Pop:
		t.headers(p.Stacks[o.Object].Headers)
	case PushUnions, PopUnions:
		t.unions(p.UnionStacks[o.Object].Unions)
	case Hash:
		for _, e := range p.Calculations[o.Object].Input {
			t.expr(e)
			for _, h := range p.elements(e) {
				t.header(h)
			}
		}
	case CloneIngress, CloneEgress, Resubmit, Recirculate:
		for _, l := range p.FieldLists {
			for _, f := range l.Fields {
				t.add(f)
			}
		}
	}
	return t.all
}

// Writes returns the fields that a primitive writes. AddHeader, which sets all fields to 0, has the validity bit alone.
func (p *Program) Writes(o *Primitive) []int {
	t := touched{p: p}
	t.add(o.Field)
	switch o.Op {
	case Drop:
		t.add(p.Standard.Other("standard_metadata.mcast_grp"))
		t.add(p.Standard.Other("intrinsic_metadata.mcast_grp"))
	case AddHeader, RemoveHeader, MarkValid:
		for _, h := range p.targets(o) {
			t.validity(h)
		}
	case AssignHeader:
		t.headers(p.targets(o))
	case AssignUnion:
		t.headers(p.Unions[o.Object].Headers)
	case AssignStack, Push, Pop:
		t.headers(p.Stacks[o.Object].Headers)
	case AssignUnionStack, PushUnions, PopUnions:
		t.unions(p.UnionStacks[o.Object].Unions)
	default:
		if o.Dest != nil && o.Dest.Kind == Member {
			for _, h := range p.elements(o.Dest.Left) {
				t.add(p.Headers[h].member(o.Dest.Param))
			}
		}
	}
	return t.all
}

// ExprReads returns the fields that an expression reads.
func (p *Program) ExprReads(e *Expr) []int {
	t := touched{p: p}
	t.expr(e)
	return t.all
}

type touched struct {
	p    *Program
	all  []int
	seen map[int]bool
}

func (t *touched) add(f int) {
	if f < 0 || t.seen[f] {
		return
	}
	if t.seen == nil {
		t.seen = map[int]bool{}
	}
	t.seen[f] = true
	t.all = append(t.all, f)
}

// validity adds the bits that change when a header's validity does: a union's headers share it.
func (t *touched) validity(h int) {
	x := &t.p.Headers[h]
	t.add(x.Valid)
	if x.Union > 0 {
		for _, other := range t.p.Unions[x.Union-1].Headers {
			t.add(t.p.Headers[other].Valid)
		}
	}
}

func (t *touched) header(h int) {
	t.validity(h)
	for _, f := range t.p.Headers[h].Fields {
		t.add(f)
	}
}

func (t *touched) headers(list []int) {
	for _, h := range list {
		t.header(h)
	}
}

func (t *touched) unions(list []int) {
	for _, u := range list {
		t.headers(t.p.Unions[u].Headers)
	}
}

func (t *touched) expr(e *Expr) {
	if e == nil {
		return
	}
	switch e.Kind {
	case FieldValue, Limb:
		t.add(e.Field)
	case Member:
		for _, h := range t.p.elements(e.Left) {
			t.add(t.p.Headers[h].member(e.Param))
		}
	case Valid:
		for _, h := range t.p.elements(e.Right) {
			t.validity(h)
		}
	case SameHeader:
		t.headers(t.p.elements(e.Left))
		t.headers(t.p.elements(e.Right))
	}
	t.expr(e.Left)
	t.expr(e.Right)
	t.expr(e.Cond)
}

// targets are the headers that a primitive may change.
func (p *Program) targets(o *Primitive) []int {
	if o.Dest != nil {
		return p.elements(o.Dest)
	}
	return []int{o.Header}
}

// elements are the headers that an expression may find.
func (p *Program) elements(e *Expr) (all []int) {
	if e == nil {
		return nil
	}
	unions := func(e *Expr) []int {
		if e.Kind == UnionElement {
			return p.UnionStacks[e.Field].Unions
		}
		return []int{e.Field}
	}
	switch e.Kind {
	case HeaderValue:
		return []int{e.Field}
	case StackElement, LastElement:
		return p.Stacks[e.Field].Headers
	case UnionMember:
		for _, u := range unions(e.Left) {
			all = append(all, p.Unions[u].Headers[e.Param])
		}
	case UnionValue, UnionElement:
		for _, u := range unions(e) {
			all = append(all, p.Unions[u].Headers...)
		}
	}
	return all
}
