package shoal

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/tb"
)

// paperRows are rows as the paper's figures print them: nodes from 1, "." for idle, one line a node.
func paperRows(text string) [][]int16 {
	var rows [][]int16
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		for t, w := range strings.Fields(line) {
			if i == 0 {
				rows = append(rows, nil)
			}
			j := Idle
			if w != "." {
				fmt.Sscan(w, &j)
				j--
			}
			rows[t] = append(rows[t], int16(j))
		}
	}
	return rows
}

func TestFigure3(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	require.Equal(t, 7, s.Epoch())
	rows := paperRows(
		"2 3 4 5 6 7 8\n3 4 5 6 7 8 1\n4 5 6 7 8 1 2\n5 6 7 8 1 2 3\n6 7 8 1 2 3 4\n7 8 1 2 3 4 5\n8 1 2 3 4 5 6\n" +
			"1 2 3 4 5 6 7",
	)
	require.Equal(t, rows, s.to)
}

func TestFigure19(t *testing.T) {
	odd, err := HalfEpoch(7, 1)
	require.NoError(t, err)
	require.Equal(
		t, paperRows("2 3 4 7 6 5\n3 4 5 1 7 6\n4 5 6 2 1 7\n5 6 7 3 2 1\n6 7 1 4 3 2\n7 1 2 5 4 3\n1 2 3 6 5 4"), odd.to,
	)

	even, err := HalfEpoch(8, 1)
	require.NoError(t, err)
	// the last entry of row 5 is lost in the paper's text; its columns 4 and 8 tell it
	require.Equal(
		t,
		paperRows(
			"2 3 4 5 8 7 6 .\n3 4 5 6 1 8 7 .\n4 5 6 7 2 1 8 .\n5 6 7 8 3 2 1 .\n6 7 8 . 4 3 2 1\n7 8 1 . 5 4 3 2\n"+
				"8 1 2 . 6 5 4 3\n1 2 3 . 7 6 5 4",
		),
		even.to,
	)
}

// The reply of Appendix A comes exactly half an epoch later, for every pair of every size; the cyclic schedule's
// anywhere.
func TestReplyDistance(t *testing.T) {
	for n := 3; n <= 40; n++ {
		s, err := HalfEpoch(n, 1)
		require.NoError(t, err)
		least, most, err := s.ReplyDistance()
		require.NoError(t, err)
		require.Equal(t, n/2, least)
		require.Equal(t, n/2, most)
		require.Equal(t, n-1+(n+1)%2, s.Epoch())
	}
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	least, most, err := s.ReplyDistance()
	require.NoError(t, err)
	require.Equal(t, []int{0, 6}, []int{least, most})
}

func TestChannels(t *testing.T) {
	s, err := Cyclic(512, 4)
	require.NoError(t, err)
	require.Equal(t, 128, s.Epoch()) // 511 rows on four channels
	require.Equal(t, 3+7, s.To(1*4+2, 3), "channel 2 of slot 1 has the seventh row, seven places on")
	_, err = s.PairRows()
	require.NoError(t, err)
	for i := range 512 {
		require.Equal(t, Idle, s.To(511, i))
	}
}

func TestScheduleRefusals(t *testing.T) {
	for _, bad := range []struct{ text, want string }{
		{"", "s.txt: no rows, want one line a slot"},
		{"1 0\n1 x", `s.txt:2: node 1 sends to "x", want another node of 0 to 1, or -`},
		{"1 1", `s.txt:1: node 1 sends to "1", want another node of 0 to 1, or -`},
		{"1 2 0\n# nothing\n2 2 -", "s.txt:3: nodes 0 and 1 both send to node 2"},
		{"1 2 0\n2 - 1 0", "s.txt:2: 4 entries, want 3 as in the first row"},
		{"1 0 1", "s.txt:1: nodes 0 and 2 both send to node 1"},
		{"-", "schedule s.txt: 1 nodes, want 2 to 1024"},
	} {
		_, err := ReadSchedule(strings.NewReader(bad.text), "s.txt", 1)
		require.ErrorContains(t, err, bad.want)
	}
	_, err := NewSchedule("x", 2, 1, [][]int16{{1, 0}, {1, 0}})
	require.NoError(t, err)
	twice, _ := NewSchedule("x", 2, 1, [][]int16{{1, 0}, {1, 0}})
	_, err = twice.PairRows()
	require.EqualError(t, err, "schedule x: node 0 sends to node 1 in rows 0 and 1, want once an epoch")
	never, _ := NewSchedule("x", 2, 1, [][]int16{{1, Idle}})
	_, err = never.PairRows()
	require.EqualError(t, err, "schedule x: node 1 never sends to node 0, want once an epoch")
}

// Any schedule on any fabric that is large enough decomposes, and the checker, which knows only the select registers,
// agrees.
func TestDecomposeAnyPermutation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(2, 72).Draw(t, "nodes")
		ports := FewestPorts(nodes) + 2*rapid.IntRange(0, 2).Draw(t, "more")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		var rows [][]int16
		for range 4 {
			row := idleRow(nodes)
			for i, j := range rng.Perm(nodes) {
				if i != j && rng.IntN(10) > 0 {
					row[i] = int16(j)
				}
			}
			rows = append(rows, row)
		}
		s, err := NewSchedule("random", nodes, 1, rows)
		require.NoError(t, err)
		c, err := Decompose(s, ports)
		require.NoError(t, err)
		require.NoError(t, c.Check())
	})
}

func TestDecomposeLarge(t *testing.T) {
	for _, make := range []func(int, int) (*Schedule, error){Cyclic, HalfEpoch} {
		s, err := make(512, 4)
		require.NoError(t, err)
		for _, decompose := range []func(*Schedule, int) (*Clos, error){Decompose, DecomposeShifts} {
			c, err := decompose(s, 64)
			require.NoError(t, err)
			require.Equal(t, []int{16, 32}, []int{c.Leaves, c.Spines}) // 48 switches, as §5 counts
			require.NoError(t, c.Check())
		}
	}
}

// The closed form keeps the uplinks of every leaf still.
func TestShiftsKeepUplinksStill(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	c, err := DecomposeShifts(s, 4)
	require.NoError(t, err)
	require.NoError(t, c.Check())
	for r := range s.Rows() {
		for l := range c.Leaves {
			require.Equal(t, []int{0, 1}, []int{c.LeafSelect(r, l, 2), c.LeafSelect(r, l, 3)})
		}
		for sp := range c.Spines {
			for l := range c.Leaves { // leaf l to leaf l + floor((s+t)/m)
				require.Equal(t, l, c.SpineSelect(r, sp, (l+(sp+r+1)/2)%4))
			}
		}
	}
	uneven, err := Cyclic(7, 1)
	require.NoError(t, err)
	_, err = DecomposeShifts(uneven, 4)
	require.EqualError(t, err, "7 nodes on leaves of 2, want full leaves")
}

// The checker sees a circuit that is moved, doubled or turned back at its leaf.
func TestCheckSeesFaults(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	for _, fault := range []struct {
		plant func(c *Clos)
		want  string
	}{
		{func(c *Clos) { c.mid[2][0], c.mid[2][1] = c.mid[2][1], c.mid[2][0] }, "row 2: node"},
		{func(c *Clos) { c.mid[3][1] = c.mid[3][0] }, "row 3, spine 0: egress 1 selects ingress"},
		{func(c *Clos) { c.leaf[0][0], c.leaf[0][2] = c.leaf[0][2], c.leaf[0][0] },
			"row 0: leaf 0 turns port 0 back to port 0 without a spine"},
		{func(c *Clos) { c.leaf[6][2] = Idle }, "row 6: leaf 0 has no node for spine 0"},
	} {
		c, err := Decompose(s, 4)
		require.NoError(t, err)
		require.NoError(t, c.Check())
		fault.plant(c)
		require.ErrorContains(t, c.Check(), fault.want)
	}
}

func TestClosRefusals(t *testing.T) {
	s, err := Cyclic(9, 1)
	require.NoError(t, err)
	_, err = Decompose(s, 4)
	require.EqualError(t, err, "9 nodes on switches of 4 ports, want at most k²/2 = 8")
	_, err = Decompose(s, 5)
	require.EqualError(t, err, "switches of 5 ports, want an even number from 2 to 256")
	require.Equal(
		t, []int{2, 4, 4, 6, 32, 64},
		[]int{FewestPorts(2), FewestPorts(3), FewestPorts(8), FewestPorts(9), FewestPorts(512), FewestPorts(2048)},
	)
}

// Schedules as files, and the images of the prototype's switches.
func TestGoldenSchedules(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	half, err := HalfEpoch(8, 1)
	require.NoError(t, err)
	for _, s := range []*Schedule{s, half} {
		var text bytes.Buffer
		require.NoError(t, s.Write(&text))
		golden(t, s.Name()+"_8.txt", text.Bytes())
		back, err := ReadScheduleFile(filepath.Join("testdata", s.Name()+"_8.txt"), 1)
		require.NoError(t, err)
		require.Equal(t, s.to, back.to)
	}
	c, err := DecomposeShifts(s, 4)
	require.NoError(t, err)
	var images bytes.Buffer
	for sw := range c.Leaves + c.Spines {
		fmt.Fprintf(&images, "// switch %d\n", sw)
		require.NoError(t, c.WriteImage(&images, sw, 0))
	}
	golden(t, "images_8.hex", images.Bytes())
	// by hand, slot 1 of leaf 0: node 2 to spine 1, node 1 to spine 0 (select 4+1, 4+0); node 1 hears node 8, which goes
	// by spine 1 (4+3); node 2 hears node 1 by spine 0 (4+2): 101 100 110 111
	require.True(t, strings.HasPrefix(images.String(), "// switch 0\nb37\n"), images.String())
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if tb.Updating() {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

func FuzzReadSchedule(f *testing.F) {
	f.Add("1 2 0\n2 0 1\n")
	f.Add("1 - # x\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ReadSchedule(strings.NewReader(text), "x", 1)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		var out bytes.Buffer
		require.NoError(t, s.Write(&out))
		again, err := ReadSchedule(&out, "x", 1)
		require.NoError(t, err)
		require.Equal(t, s.to, again.to)
	})
}
