package compile

import (
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// moreData begins the names of tables that have data of other tables.
const moreData = ".more"

// data gives tables whose action data do not fit a result's 96 bits a second table before them, of the same keys and
// entries, whose actions keep some of the parameters in fields.
func (l *lowering) data() {
	p := l.p
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for i := range len(pipe.Nodes) {
			t := pipe.Nodes[i].Table
			if t == nil || len(t.Key) == 0 || t.Array > 0 || t.Computes != nil ||
				!slices.ContainsFunc(t.Actions, func(a int) bool {
					_, err := layOut(p.Actions[a].Params)
					return err != nil
				}) {
				continue
			}
			more := &p4.Table{
				Name: t.Name + moreData, Key: slices.Clone(t.Key), Match: t.Match, Size: t.Size, Default: -1,
				DefaultData: t.DefaultData, Miss: i,
			}
			for k, a := range t.Actions {
				here, there := l.divide(p.Actions[a])
				n := len(p.Actions)
				p.Actions = append(p.Actions, here, there)
				if t.Default == a && more.Default < 0 {
					t.Default, more.Default = n, n+1
				}
				t.Actions[k] = n
				more.Actions, more.Next = append(more.Actions, n+1), append(more.Next, i)
			}
			l.before(pipe, i, more.Name, nil)
			pipe.Nodes[len(pipe.Nodes)-1].Table = more
		}
	}
}

// divide divides an action's parameters: the parameters that fit stay, the others are kept in fields.
func (l *lowering) divide(a p4.Action) (here, there p4.Action) {
	here, there = a, a
	here.Params, there.Params = slices.Clone(a.Params), slices.Clone(a.Params)
	there.Name, there.Ops = a.Name+moreData, nil
	kept := map[int]int{}
	for i := range a.Params {
		_, err := layOut(here.Params[:i+1])
		if here.Params[i].Elsewhere = err != nil; err == nil {
			there.Params[i].Elsewhere = true
			continue
		}
		kept[i] = l.field(there.Name+"."+a.Params[i].Name, a.Params[i].Bits)
		there.Ops = append(there.Ops, assignment(kept[i], &p4.Expr{Kind: p4.ParamValue, Param: i}))
	}
	with := func(n int) *p4.Expr {
		if f, ok := kept[n]; ok {
			return fieldExpr(f)
		}
		return &p4.Expr{Kind: p4.ParamValue, Param: n}
	}
	here.Ops = slices.Clone(a.Ops)
	for i := range here.Ops {
		here.Ops[i].Value = replaceParams(here.Ops[i].Value, with)
	}
	return here, there
}
