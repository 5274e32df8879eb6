package study_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/study"
)

// copied lets some packets of a random program have replicas, and clones at either pipeline's end. A copy is not cloned
// again. Tables, conditions and actions know the group, the replica's number and the instance type.
func (r *randomProgram) copied() {
	p := r.p
	standard := func(name string, bits int) int {
		f := len(p.Fields)
		p.Fields = append(p.Fields, p4.Field{Name: "standard_metadata." + name, Header: 0, Bits: bits})
		p.Headers[0].Fields = append(p.Headers[0].Fields, f)
		p.Standard.Others["intrinsic_metadata."+name] = f
		return f
	}
	group, replica := standard("mcast_grp", 16), standard("egress_rid", 16)
	instance := p.Standard.Others["standard_metadata.instance_type"]
	r.values = append(r.values, group, replica)
	var kept []int
	for _, f := range append([]int{fieldPort, fieldSpec, fieldEgress}, r.values...) {
		if h := p.Headers[p.Fields[f].Header]; h.Metadata && r.rng.IntN(2) == 0 {
			kept = append(kept, f)
		}
	}
	p.FieldLists = []p4.FieldList{{ID: 1, Fields: kept}, {ID: 2, Fields: []int{group}}}
	first := func(pipe *p4.Pipeline, ops ...p4.Primitive) {
		n, a := len(pipe.Nodes), len(p.Actions)
		p.Actions = append(p.Actions, p4.Action{ID: a, Name: pipe.Name + ".copy", Ops: ops})
		normal := &p4.Expr{Kind: p4.Operation, Operator: p4.Equal, Right: constantOf(0),
			Left: &p4.Expr{Kind: p4.FieldValue, Field: instance}}
		pipe.Nodes = append(pipe.Nodes,
			p4.Node{Name: pipe.Name + ".some", Condition: &p4.Condition{
				If:   &p4.Expr{Kind: p4.Operation, Operator: p4.LogicalAnd, Left: normal, Right: r.condition(0)},
				True: n + 1, False: pipe.First,
			}},
			p4.Node{Name: pipe.Name + ".copy", Table: &p4.Table{
				Name: pipe.Name + ".copy", Match: p4.Exact, Actions: []int{a}, Next: []int{pipe.First}, Default: a, Miss: p4.Accept,
			}})
		pipe.First = n
	}
	clone := func(op p4.Op) p4.Primitive {
		return p4.Primitive{Op: op, Field: -1, Header: -1,
			Args: []*p4.Expr{constantOf(4 + r.rng.Uint64()%4), constantOf(r.rng.Uint64() % 4)}}
	}
	to := p4.Primitive{Op: p4.Assign, Field: group, Header: -1, Value: constantOf(r.rng.Uint64() % 4)}
	first(&p.Ingress, [][]p4.Primitive{
		{clone(p4.CloneIngress)}, {to}, {clone(p4.CloneIngress), to}, {to, clone(p4.CloneEgress)},
	}[r.rng.IntN(4)]...)
	first(&p.Egress, clone([]p4.Op{p4.CloneEgress, p4.CloneEgress, p4.CloneIngress}[r.rng.IntN(3)]))
}

func someGroups() map[int][]p4.Replica {
	return map[int][]p4.Replica{1: {{Port: 3, ID: 9}, {Port: 5, ID: 9}, {Port: 4, ID: 1}}, 2: {{Port: 7, ID: 2}}}
}

func someSessions() map[int]p4.Session {
	return map[int]p4.Session{4: {Port: 9, Group: -1}, 5: {Port: -1, Group: 1}, 6: {Port: 8, Group: 2}}
}

// Random programs that copy packets: each copy leaves as the interpreter has it, in strict mode, too.
func TestRandomProgramsThatCopy(t *testing.T) {
	ran, copied, refused := 0, 0, map[string]int{}
	setup := p4.Configuration{Multicast: someGroups(), Mirrors: someSessions()}
	for seed := range uint64(randomPrograms) {
		rng := rand.New(rand.NewPCG(seed, 0x434f))
		r := newBothPipelines(rng, seed%2 == 0)
		r.copied()
		own := setup
		own.Entries = study.RandomEntries(r.p, 12, seed)
		program := study.Program{P4: r.p, Entries: own.Entries, Setup: &own}
		opt, err := compile.Setup(r.p, own)
		require.NoError(t, err)
		if o := runOnSwitch(t, rng, seed, program, opt, refused); o != nil {
			ran++
			if o.Entered > o.Compared {
				copied++
			}
		}
	}
	t.Logf("%d programs, %d of them copied packets; refused: %v", ran, copied, refused)
	require.Greater(t, ran, randomPrograms/2)
	require.Greater(t, copied, ran/2)
}
