package edgecalls_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/edgecalls"
)

// part is a register that counts its own edges, and tells of its calls.
type part struct {
	name      string
	said      *[]string
	cur, next [1]uint64
}

func (p *part) Tick() {
	p.next[0] = p.cur[0] + 1
	*p.said = append(*p.said, fmt.Sprintf("%s ticks at %d", p.name, p.cur[0]))
}

func (p *part) Comb() { *p.said = append(*p.said, fmt.Sprintf("%s shows %d", p.name, p.cur[0])) }

// team has a part a clock.
func team(names ...string) (*edgecalls.Team, *[]string) {
	t, said := &edgecalls.Team{}, &[]string{}
	for _, name := range names {
		p := &part{name: name, said: said}
		b := &edgecalls.Beat{Ticks: []edgecalls.Ticker{p}, Combs: []edgecalls.Comber{p}}
		b.AddCommit(p.cur[:], p.next[:])
		t.Clocks = append(t.Clocks, b)
	}
	return t, said
}

// At an instant all ticks come first, then all commits, then all Combs, with a table and without, for more clocks than
// a byte can number too.
func TestInstant(t *testing.T) {
	pattern := [][]int{{0}, {0, 2}, {1, 2}, {0, 2}}
	for _, planned := range []bool{false, true} {
		team, said := team("a", "b", "c")
		if planned {
			team.Plan(pattern)
			require.Same(t, team.Clocks[0], team.Table[0])
			require.Same(t, team.Table[1], team.Table[3])
		}
		for place, due := range pattern {
			team.Run(due, place)
		}
		team.Settle()
		require.Equal(t, []string{
			"a ticks at 0", "a shows 1",
			"a ticks at 1", "c ticks at 0", "a shows 2", "c shows 1",
			"b ticks at 0", "c ticks at 1", "b shows 1", "c shows 2",
			"a ticks at 2", "c ticks at 2", "a shows 3", "c shows 3",
			"a shows 3", "b shows 1", "c shows 3",
		}, *said)
		require.Equal(t, planned, len(team.Due([]int{0, 1}, 1)) == 1)
		require.Len(t, team.Due([]int{0, 1}, -1), 2) // an instant out of the pattern
		team.Plan(nil)
		require.Nil(t, team.Table)
	}
}

// A beat that is alone at its instant ticks before its registers change, and settles after that. One that only changes
// registers is none that can be left out.
func TestRun(t *testing.T) {
	team, said := team("a")
	team.Clocks[0].Run()
	team.Clocks[0].Run()
	require.Equal(t, []string{"a ticks at 0", "a shows 1", "a ticks at 1", "a shows 2"}, *said)

	var b edgecalls.Beat
	require.True(t, b.Empty())
	b.AddCommit(make([]uint64, 1), make([]uint64, 1))
	require.False(t, b.Empty())
}

// Sets of clocks that differ in numbers above 255 are told apart.
func TestTable(t *testing.T) {
	made := 0
	table := edgecalls.Table([][]int{{1}, {257}, {1}, {1, 256}, {}},
		func(due []int) string { made++; return fmt.Sprint(due) })
	require.Equal(t, []string{"[1]", "[257]", "[1]", "[1 256]", "[]"}, table)
	require.Equal(t, 4, made)
}

// A pattern whose instants each have other clocks makes no table that is many times as long as the clocks' own lists.
func TestLongTablesAreNotMade(t *testing.T) {
	names := make([]string, 200)
	team, _ := team(names...)
	var pattern [][]int
	for skipped := range names {
		var due []int
		for c := range names {
			if c != skipped {
				due = append(due, c)
			}
		}
		pattern = append(pattern, due)
	}
	team.Plan(pattern)
	require.Nil(t, team.Table)
	team.Plan(pattern[:20])
	require.Len(t, team.Table, 20)
}
