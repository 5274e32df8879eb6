package study_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/study"
)

// instance lets keys, conditions and actions know why a packet is in ingress. Egress, too, can write egress_spec.
func (r *randomProgram) instance() {
	f := len(r.p.Fields)
	r.p.Fields = append(r.p.Fields, p4.Field{Name: "standard_metadata.instance_type", Header: 0, Bits: 32})
	r.p.Headers[0].Fields = append(r.p.Headers[0].Fields, f)
	if r.p.Standard.Others == nil {
		r.p.Standard.Others = map[string]int{}
	}
	r.p.Standard.Others["standard_metadata.instance_type"] = f
	r.values = append(r.values, f, f, f)
}

// runsAgain lets a random program's packets run up to three times more. Before each pipeline comes
//
//	turns = turns + 1
//	if turns < most && some condition: resubmit, or recirculate, with a list that keeps turns and other fields
func (r *randomProgram) runsAgain() {
	p := r.p
	turns := len(p.Fields)
	r.header("again", true, 3)
	var kept []int
	for _, f := range append([]int{fieldPort, fieldSpec, fieldEgress}, r.values...) {
		if h := p.Headers[p.Fields[f].Header]; h.Metadata && f != turns && r.rng.IntN(2) == 0 {
			kept = append(kept, f)
		}
	}
	p.FieldLists = []p4.FieldList{{ID: 1, Fields: append(kept, turns)}, {ID: 2, Fields: []int{turns}}}
	field := &p4.Expr{Kind: p4.FieldValue, Field: turns}
	first := func(pipe *p4.Pipeline, op p4.Op) {
		n := len(pipe.Nodes)
		node := func(name string, next int, ops ...p4.Primitive) {
			a := len(p.Actions)
			p.Actions = append(p.Actions, p4.Action{ID: a, Name: name, Ops: ops})
			pipe.Nodes = append(pipe.Nodes, p4.Node{Name: name, Table: &p4.Table{
				Name: name, Match: p4.Exact, Actions: []int{a}, Next: []int{next}, Default: a, Miss: p4.Accept,
			}})
		}
		node(pipe.Name+".turn", n+1, p4.Primitive{Op: p4.Assign, Field: turns, Header: -1,
			Value: &p4.Expr{Kind: p4.Operation, Operator: p4.Add, Left: field, Right: constantOf(1)}})
		some := &p4.Expr{Kind: p4.Operation, Operator: p4.Less, Left: field, Right: constantOf(2 + r.rng.Uint64()%3)}
		pipe.Nodes = append(pipe.Nodes, p4.Node{Name: pipe.Name + ".again", Condition: &p4.Condition{
			If:   &p4.Expr{Kind: p4.Operation, Operator: p4.LogicalAnd, Left: some, Right: r.condition(0)},
			True: n + 2, False: pipe.First,
		}})
		node(pipe.Name+".restart", pipe.First,
			p4.Primitive{Op: p4.Assign, Field: fieldSpec, Header: -1, Value: constantOf(100 + r.rng.Uint64()%100)},
			p4.Primitive{Op: op, Field: -1, Header: -1, Args: []*p4.Expr{constantOf(1 + r.rng.Uint64()%2)}})
		pipe.First = n
	}
	first(&p.Ingress, []p4.Op{p4.Resubmit, p4.Recirculate}[r.rng.IntN(2)])
	first(&p.Egress, []p4.Op{p4.Resubmit, p4.Recirculate, p4.Recirculate}[r.rng.IntN(3)])
}

// Random programs that resubmit and recirculate packets: every packet leaves as the interpreter has it, in strict mode,
// too, however many runs it takes.
func TestRandomProgramsThatRunAgain(t *testing.T) {
	ran, twice, refused := 0, 0, map[string]int{}
	for seed := range uint64(randomPrograms) {
		rng := rand.New(rand.NewPCG(seed, 0x4641))
		r := newBothPipelines(rng, seed%2 == 0)
		r.runsAgain()
		program := study.Program{P4: r.p, Entries: study.RandomEntries(r.p, 12, seed)}
		if o := runOnSwitch(t, rng, seed, program, compile.Options{Entries: program.Entries}, refused); o != nil {
			ran++
			if o.Entered > o.Compared {
				twice++
			}
		}
	}
	t.Logf("%d programs, %d of them ran packets again; refused: %v", ran, twice, refused)
	require.Greater(t, ran, randomPrograms/2)
	require.Greater(t, twice, ran/2)
}
