package mutation

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/internal/hdl"
)

// wordCells are the cells that words knows: how many operands each has, and whether its operands may be signed.
var wordCells = map[string]struct {
	operands int
	signed   bool
}{
	"$pos": {1, true}, "$not": {1, true}, "$neg": {1, true},
	"$reduce_and": {1, true}, "$reduce_or": {1, true}, "$reduce_bool": {1, true}, "$reduce_xor": {1, true},
	"$reduce_xnor": {1, true}, "$logic_not": {1, true},
	"$and": {2, true}, "$or": {2, true}, "$xor": {2, true}, "$xnor": {2, true}, "$logic_and": {2, true},
	"$logic_or": {2, true},
	"$add":      {2, true}, "$sub": {2, true}, "$mul": {2, true},
	"$eq": {2, true}, "$ne": {2, true}, "$eqx": {2, true}, "$nex": {2, true}, "$lt": {2, true}, "$le": {2, true},
	"$gt": {2, true}, "$ge": {2, true},
	"$shl": {2, true}, "$sshl": {2, true}, "$shr": {2, true}, "$sshr": {2, true}, "$shift": {2, true},
	"$shiftx": {2, true},
	"$mux":    {3, false}, "$pmux": {3, false},
}

// A cell's gates compute the value that Yosys' eval gives the cell, for random widths, signs and operands. Where eval
// says x, one lane has 0 and the other 1. A $pmux is x where several selected words differ: there the gates give the
// or of the words, a 1.
func TestWordsAreYosysCells(t *testing.T) {
	if err := formal.Available(formal.PDR); err != nil {
		t.Skipf("cells were NOT given to yosys: %v", err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	type instance struct {
		kind           string
		a, b, s, y     int // widths
		aSigned, bSign bool
	}
	var list []instance
	for _, kind := range slices.Sorted(maps.Keys(wordCells)) {
		is := wordCells[kind]
		for range 12 {
			c := instance{kind: kind, a: 1 + random.IntN(9), y: 1 + random.IntN(9)}
			c.aSigned = is.signed && random.IntN(2) == 1
			if c.bSign = c.aSigned; is.operands > 1 {
				c.b = 1 + random.IntN(6)
			}
			switch kind {
			case "$mux":
				c.s, c.a, c.b = 1, c.y, c.y
			case "$pmux":
				c.s, c.a, c.b = 3, c.y, 3*c.y
			case "$shl", "$sshl", "$shr", "$sshr":
				c.a, c.bSign = 1+random.IntN(40), false
			case "$shift", "$shiftx":
				c.a = 1 + random.IntN(40)
				if c.bSign = random.IntN(2) == 1; kind == "$shiftx" {
					c.aSigned = false
				}
			}
			list = append(list, c)
		}
	}
	// One module with all cells, and what eval says of each for some operands.
	text, questions := "module \\t\n", "read_rtlil cells.il\n"
	var asked []map[string]uint64
	declare := func(name string, width int, way string) {
		if width > 0 {
			text += fmt.Sprintf("  wire width %d %s \\%s\n", width, way, name)
		}
	}
	port := 0
	number := func() int { port++; return port }
	for i, c := range list {
		declare(fmt.Sprintf("a%d", i), c.a, fmt.Sprintf("input %d", number()))
		declare(fmt.Sprintf("b%d", i), c.b, fmt.Sprintf("input %d", number()))
		declare(fmt.Sprintf("s%d", i), c.s, fmt.Sprintf("input %d", number()))
		declare(fmt.Sprintf("y%d", i), c.y, fmt.Sprintf("output %d", number()))
	}
	for i, c := range list {
		text += fmt.Sprintf("  cell %s $cell%d\n", c.kind, i)
		parameter := func(name string, x int) { text += fmt.Sprintf("    parameter \\%s %d\n", name, x) }
		sign := map[bool]int{true: 1}
		switch {
		case c.s > 0:
			parameter("WIDTH", c.y)
			if c.kind == "$pmux" {
				parameter("S_WIDTH", c.s)
			}
			text += fmt.Sprintf("    connect \\S \\s%d\n", i)
		default:
			parameter("A_SIGNED", sign[c.aSigned])
			parameter("A_WIDTH", c.a)
			if parameter("Y_WIDTH", c.y); c.b > 0 {
				parameter("B_SIGNED", sign[c.bSign])
				parameter("B_WIDTH", c.b)
			}
		}
		if c.b > 0 {
			text += fmt.Sprintf("    connect \\B \\b%d\n", i)
		}
		text += fmt.Sprintf("    connect \\A \\a%d\n    connect \\Y \\y%d\n  end\n", i, i)
		for range 8 {
			operands := map[string]uint64{}
			q := "eval"
			for _, pin := range []struct {
				name  string
				width int
			}{{"a", c.a}, {"b", c.b}, {"s", c.s}} {
				name, width := pin.name, pin.width
				if width == 0 {
					continue
				}
				x := random.Uint64N(1 << width)
				operands[fmt.Sprintf("%s%d", name, i)] = x
				q += fmt.Sprintf(" -set %s%d %d'b%0*b", name, i, width, width, x)
			}
			asked = append(asked, operands)
			questions += fmt.Sprintf("%s -show y%d t\n", q, i)
		}
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cells.il"), []byte(text+"end\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "script.ys"), []byte(questions+"write_json cells.json\n"), 0o644))
	result := regexp.MustCompile(`^Eval result: \\y(\d+) = (?:\d+')?([01x]+)\.$`)
	var answers [][]string
	require.NoError(
		t,
		hdl.Lines(context.Background(), 0, dir, []string{"yosys", "-Q", "-T", "-s", "script.ys"}, func(line string) {
			if m := result.FindStringSubmatch(line); m != nil {
				answers = append(answers, m[1:])
			}
		}),
	)
	require.Len(t, answers, len(asked))
	file, err := os.Open(filepath.Join(dir, "cells.json"))
	require.NoError(t, err)
	defer file.Close()
	n, err := readNetlist(file, "t", nil, nil)
	require.NoError(t, err)
	l := newLanes(n, []int{0, 0}, 1)
	xs := 0
	for k, operands := range asked {
		for name, x := range operands {
			l.input(name, x)
		}
		l.settle()
		port, want := "y"+answers[k][0], answers[k][1]
		if want == "x" { // of all bits
			want = strings.Repeat(want, len(n.ports[port]))
		}
		several := list[k/8].kind == "$pmux"
		for lane, x := range []string{"0", "1"} {
			if several {
				x = "1"
			}
			got := ""
			for _, net := range n.ports[port] {
				got = fmt.Sprint(l.bit(net, lane)) + got
			}
			require.Equal(t, strings.ReplaceAll(want, "x", x), got, "%+v of %v, lane %d", list[k/8], operands, lane)
		}
		if !several {
			xs += strings.Count(want, "x")
		}
	}
	require.NotZero(t, xs)
}

// A cell whose pins do not fit together is refused.
func TestCellsThatAreRefused(t *testing.T) {
	for _, text := range []string{
		`{"type": "$mux", "connections": {"A": [2], "B": [3], "S": [4, 5], "Y": [6]}}`,
		`{"type": "$mux", "connections": {"A": [2, 3], "B": [3, 2], "S": [4], "Y": [6]}}`,
		`{"type": "$pmux", "connections": {"A": [2], "B": [3], "S": [4, 5], "Y": [6]}}`,
		`{"type": "$dff", "connections": {"CLK": [2], "D": [3], "Q": [4, 5]}}`,
		`{"type": "$dff", "connections": {"CLK": [2, 3], "D": [4], "Q": [5]}}`,
		`{"type": "$assert", "connections": {"A": [2]}}`,
		`{"type": "$assume", "connections": {"A": [2, 3], "EN": [4]}}`,
	} {
		var c cell
		require.NoError(t, json.Unmarshal([]byte(text), &c))
		require.Error(t, c.check(), text)
	}
}

// A bit that stands for more than the word is wide shifts all of it out, whatever it stands for.
func TestWideShifts(t *testing.T) {
	for bit := range 100 {
		require.Equal(t, min(1<<min(bit, 10), 9), distance(bit, 9), "bit %d", bit)
	}
}

// Gates are one only if their kinds and all their pins are the same.
func TestGatesThatAreOne(t *testing.T) {
	w := &words{n: &netlist{nets: 10}, known: map[gate]int32{}}
	seen := map[int32]bool{}
	for _, gate := range []func() int32{
		func() int32 { return w.mux(2, 3, 4) }, func() int32 { return w.mux(5, 3, 4) },
		func() int32 { return w.mux(2, 4, 3) },
		func() int32 { return w.and(3, 4) }, func() int32 { return w.or(3, 4) }, func() int32 { return w.xor(3, 4) },
		func() int32 { return w.and(3, 5) },
		func() int32 { return w.not(3) }, func() int32 { return w.not(4) },
	} {
		y := gate()
		require.False(t, seen[y])
		require.Equal(t, y, gate())
		seen[y] = true
	}
	require.Len(t, w.n.gates, len(seen))
	require.Equal(t, w.xor(3, 4), w.xor(4, 3))
}
