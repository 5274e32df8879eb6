package edm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// granter drives a grant in one cycle.
type granter struct {
	Out rtl.Out[Grant]

	at, cycle int
}

func (g *granter) Reset() { g.cycle = 0; g.Out.Set(Grant{}) }

func (g *granter) Tick() {
	g.Out.Set(Grant{Valid: g.cycle == g.at})
	g.cycle++
}

// valid tells whether a player drives a block.
type valid struct {
	In  rtl.In[pcs.Block]
	Out rtl.Wire[bool]
}

func (v *valid) Comb() { v.Out.Set(v.In.Get().Valid) }
func (v *valid) Tick() {}

// crossed runs a crossbar of two ports: lines of blocks by ingress, and the cycles in which each is granted egress 0.
// It returns the blocks that leave there, how many blocks waited at most, and the crossbar after that.
func crossed(t *testing.T, lines [2]string, granted [2]int) (out string, waited int, x *Crossbar) {
	x = &Crossbar{In: make([]rtl.In[pcs.Block], 2), Valid: make([]rtl.In[bool], 2), Grant: make([]rtl.In[Grant], 2),
		Out: make([]rtl.Wire[pcs.Block], 2), Types: DefaultTypes, Depth: 8}
	var left []string
	cycles := len(strings.Fields(lines[0])) + 6
	runModules(t, cycles, func(s *rtl.Scope) {
		for p := range 2 {
			blocks, grant, there := &player{blocks: blocksOf(t, lines[p])}, &granter{at: granted[p]}, &valid{}
			s.Add([]string{"blocks0", "blocks1"}[p], blocks)
			s.Add([]string{"grant0", "grant1"}[p], grant)
			s.Add([]string{"valid0", "valid1"}[p], there)
			rtl.Connect(&blocks.Out, &there.In)
			rtl.Connect(&blocks.Out, &x.In[p])
			rtl.Connect(&there.Out, &x.Valid[p])
			rtl.Connect(&grant.Out, &x.Grant[p])
		}
		s.Add("x", x)
		s.Add("watch", &watcher{func() {
			if b := x.Out[0].Get(); b.Valid {
				left = append(left, nameOf[b])
			}
			waited = max(waited, int(x.Waiting.Get()))
		}})
	})
	require.Zero(t, x.Waiting.Get())
	return strings.Join(left, " "), waited, x
}

// An egress belongs to a message until its end, even in a cycle in which that has no block: another ingress waits.
func TestACircuitIsHeldBetweenBlocks(t *testing.T) {
	out, waited, x := crossed(t, [2]string{
		"- - w1 m1 -  m2 e1 -  -  - ",
		"- - -  -  w2 m3 -  e2 -  - ",
	}, [2]int{0, 0})
	require.Equal(t, "w1 m1 m2 e1 w2 m3 e2", out)
	require.Positive(t, waited)
	require.Zero(t, x.Dropped.Get())
}

// A block that comes while others of its message wait goes after them.
func TestBlocksOfAMessageStayInOrder(t *testing.T) {
	out, waited, x := crossed(t, [2]string{
		"- - w1 m1 -  e1 -  -  -  - - -",
		"- - -  w2 m3 m3 m2 m2 e2 - - -",
	}, [2]int{0, 0})
	require.Equal(t, "w1 m1 e1 w2 m3 m3 m2 m2 e2", out)
	require.Positive(t, waited)
	require.Zero(t, x.Dropped.Get())
}

// Messages whose circuits follow each other do not wait.
func TestCircuitsInTurnDoNotWait(t *testing.T) {
	out, waited, x := crossed(t, [2]string{
		"- - w1 m1 e1 -  -  -  - -",
		"- - -  -  -  w2 m3 e2 - -",
	}, [2]int{0, 2})
	require.Equal(t, "w1 m1 e1 w2 m3 e2", out)
	require.Zero(t, waited)
	require.Zero(t, x.Dropped.Get())
}

// Data outside of any message has no circuit: before the first one, after the end of one.
func TestBlocksWithoutACircuitAreDropped(t *testing.T) {
	out, waited, x := crossed(t, [2]string{
		"- m1 w1 m2 e1 m3 -  -",
		"- m2 -  -  -  w2 m3 e2",
	}, [2]int{0, 0})
	require.Equal(t, "w1 m2 e1 w2 m3 e2", out)
	require.Zero(t, waited)
	require.EqualValues(t, 3, x.Dropped.Get())
}

// A block that finds its ingress' queue full is dropped and counted.
func TestBlocksWithoutRoomAreDropped(t *testing.T) {
	const over = 9
	idle := func(n int) string { return strings.Repeat("- ", n) }
	middle := strings.Repeat("m3 ", crossbarRoom+over-2)
	out, waited, x := crossed(t, [2]string{
		"- - w1 m1 " + idle(crossbarRoom+over) + "e1 " + idle(crossbarRoom+over),
		"- - -  -  w2 " + middle + "e2 - " + idle(crossbarRoom+over),
	}, [2]int{0, 0})
	require.Equal(t, "w1 m1 e1 w2"+strings.Repeat(" m3", crossbarRoom-1), out)
	require.Equal(t, crossbarRoom, waited)
	require.EqualValues(t, over, x.Dropped.Get())
}
