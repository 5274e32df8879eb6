package study_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/designs/drmt/study"
	"github.com/goldwire/goldwire/rtl"
)

// byHand makes a program of the bare one's headers: each action a list of primitives, each node as given.
func byHand(nodes []p4.Node, actions ...[]p4.Primitive) *p4.Program {
	p := newBareProgram(rand.New(rand.NewPCG(1, 1))).p
	for i, ops := range actions {
		p.Actions = append(p.Actions, p4.Action{ID: i, Name: fmt.Sprint("a", i), Ops: ops})
	}
	p.Ingress.First, p.Ingress.Nodes = 0, nodes
	return p
}

// The fields of the bare program: the first header's, the second one's, metadata.
const (
	a0, a1, a2, a3 = firstField, firstField + 1, firstField + 2, firstField + 3
	b0, b1, b2     = firstField + 7, firstField + 8, firstField + 9
	m0, m1, m2     = firstField + 11, firstField + 12, firstField + 13
)

func assign(f int, e *p4.Expr) p4.Primitive {
	return p4.Primitive{Op: p4.Assign, Field: f, Header: -1, Value: e}
}
func fieldOf(f int) *p4.Expr { return &p4.Expr{Kind: p4.FieldValue, Field: f} }

// exactTable has a key of one field, and the same next node for all its actions.
func exactTable(name string, key, next int, actions ...int) p4.Node {
	t := &p4.Table{
		Name: name, Key: []p4.KeyField{{Match: p4.Exact, Field: key}}, Match: p4.Exact, Size: 64, Actions: actions,
		Default: actions[0],
	}
	for range actions {
		t.Next = append(t.Next, next)
	}
	return p4.Node{Name: name, Table: t}
}

// runByHand runs a program on both machines, on a schedule or on the shortest one, and compares all packets.
func runByHand(t *testing.T, p *p4.Program, s *schedule.Schedule) *compile.Result {
	t.Helper()
	program := study.Program{P4: p, Entries: study.RandomEntries(p, 12, 1)}
	source := func() study.Source { return study.NewTraffic(p, program.Entries, 400, 1) }
	opt := compile.Options{Entries: program.Entries}
	stages, err := compile.RMT(p, nil, opt)
	require.NoError(t, err)
	o, err := study.RunPipeline(t.Context(), program, stages, 1, 400, source, rtl.Config{}, nil)
	require.NoError(t, err)
	require.Zero(t, o.Faults, o.FirstFault)
	if s == nil {
		g, err := compile.Graph(p, compile.Options{})
		require.NoError(t, err)
		r, err := schedule.Minimize(t.Context(), g, schedule.DRMT(2), schedule.Options{})
		require.NoError(t, err)
		s = r.Schedule
	}
	require.NoError(t, s.Validate())
	c, err := compile.DRMT(p, s, opt)
	require.NoError(t, err)
	o, err = study.RunSwitch(t.Context(), program, c, s.Period, 400, source, rtl.Config{}, nil)
	require.NoError(t, err)
	require.Zero(t, o.Faults, o.FirstFault)
	require.NotZero(t, o.Hits)
	return c
}

// What a primitive reads of a field that one before it wrote has that field's bits.
func TestAValueIsCutToTheFieldThatItPassesThrough(t *testing.T) {
	runByHand(
		t,
		byHand(
			[]p4.Node{exactTable("t", a0, p4.Accept, 0)}, []p4.Primitive{assign(a0, fieldOf(a1)), assign(a2, fieldOf(a0))},
		),
		nil,
	)
}

// Operations that depend on a table's result wait for the table's own condition, though the table's match does not.
func TestDecisionsOfATableThatIsDecidedAbout(t *testing.T) {
	first, second := exactTable("first", a0, 1, 0, 1), exactTable("second", a1, 2, 0, 1)
	first.Table.Next[1], second.Table.Next[1] = 3, 3
	last := exactTable("last", a2, p4.Accept, 3)
	p := byHand(
		[]p4.Node{first, second, exactTable("third", a2, 3, 2), last}, nil, nil, []p4.Primitive{assign(b0, fieldOf(a1))},
		[]p4.Primitive{assign(m0, fieldOf(a0))},
	)
	g, err := compile.Graph(p, compile.Options{})
	require.NoError(t, err)
	var waits []string
	for _, e := range g.Edges {
		if g.Nodes[e.To].Name == "third_ACTION" {
			require.Equal(t, schedule.AfterMatch, e.Delay)
			waits = append(waits, g.Nodes[e.From].Name)
		}
	}
	require.ElementsMatch(t, []string{"first_MATCH", "second_MATCH", "third_MATCH"}, waits)
	runByHand(t, p, nil)
}

// A node to which all ways of a table lead does not wait for the table's result, even if one way goes through another
// node, and even if packets come to it from elsewhere, too.
func TestWhatATableDoesNotDecide(t *testing.T) {
	is := &p4.Expr{Kind: p4.Operation, Operator: p4.Greater, Left: fieldOf(a0), Right: constantOf(100)}
	either := exactTable("either", a0, 2, 0, 0)
	either.Table.HitOrMiss, either.Table.Hit, either.Table.Miss = true, 3, 2
	p := byHand(
		[]p4.Node{
			{Name: "is", Condition: &p4.Condition{If: is, True: 1, False: 4}}, either, exactTable("between", a1, 3, 1),
			exactTable("end", a2, p4.Accept, 2),
			{Name: "other", Condition: &p4.Condition{If: is.Left, True: 3, False: p4.Accept}},
		},
		nil,
		[]p4.Primitive{assign(b0, fieldOf(a1))},
		[]p4.Primitive{assign(m0, fieldOf(a0))},
	)
	g, err := compile.Graph(p, compile.Options{})
	require.NoError(t, err)
	at := map[string]int{
		"is": 0, "other": 0, "either_MATCH": 5, "either_ACTION": 27, "between_MATCH": 1,
		"between_ACTION": 27, "end_MATCH": 0, "end_ACTION": 22,
	}
	s := &schedule.Schedule{Graph: g, Limits: schedule.DRMT(2), Period: 9}
	for _, n := range g.Nodes {
		s.Start = append(s.Start, at[n.Name])
	}
	runByHand(t, p, s)
}

// Eight actions of a cycle take all eight slots; results that wait whole periods are read in the cycle that writes
// their entry again.
func TestAllSlotsAndFullRings(t *testing.T) {
	var nodes []p4.Node
	var actions [][]p4.Primitive
	for i, key := range []int{a0, a1, a2, a3, b0, b1, b2, a0} {
		to := []int{m0, m1, m2, firstField + 4, firstField + 5, a1, b0, b1}[i]
		actions = append(actions, []p4.Primitive{assign(to, constantOf(uint64(i+1)))}, nil)
		nodes = append(nodes, exactTable(fmt.Sprint("t", i), key, i+1, 2*i, 2*i+1))
	}
	for i := range nodes[7].Table.Next {
		nodes[7].Table.Next[i] = p4.Accept
	}
	p := byHand(nodes, actions...)
	g, err := compile.Graph(p, compile.Options{})
	require.NoError(t, err)
	const period = 5
	for wait := range 4 {
		s := &schedule.Schedule{Graph: g, Limits: schedule.DRMT(1), Period: period}
		for _, n := range g.Nodes {
			at := 0
			if n.Kind == schedule.Action {
				at = 22 + wait*period
			}
			s.Start = append(s.Start, at)
		}
		c := runByHand(t, p, s)
		used := 0
		for _, slot := range c.Image.Slots[s.Start[len(s.Start)-1]%period] {
			if slot.Kind != drmt.Unused {
				used++
			}
		}
		require.Equal(t, drmt.Slots, used)
		require.Equal(t, 8*wait, c.Scratch)
	}
}
