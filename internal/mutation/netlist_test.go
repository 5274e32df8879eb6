package mutation

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/vectors"
)

// module is a netlist in Yosys' JSON: clk 2, the selector 3, a 4, b 5, y 6, a register q 7 = y, and four gates.
const module = `{"modules": {"t": {
 "ports": {"clk": {"bits": [2]}, "goldwire_mutant": {"bits": [3]}, "a": {"bits": [4]}, "b": {"bits": [5]}, "y": {"bits": [6]}, "q": {"bits": [7]}},
 "cells": {
  "late": {"type": "$mux", "connections": {"A": [8], "B": [9], "S": [3], "Y": [6]}},
  "pick": {"type": "$mux", "connections": {"A": ["0"], "B": ["1"], "S": [5], "Y": [10]}},
  "both": {"type": "$and", "connections": {"A": [4], "B": [10], "Y": [8]}},
  "any": {"type": "$xor", "connections": {"A": [8], "B": ["1"], "Y": [9]}},
  "r": {"type": "$dff", "parameters": {"CLK_POLARITY": "1"}, "connections": {"CLK": [2], "D": [6], "Q": [7]}}}}}}`

func TestLanes(t *testing.T) {
	n, err := readNetlist(strings.NewReader(module), "t", []string{"clk"}, []string{selector})
	require.NoError(t, err)
	mutants := make([]int, 130) // three words
	for lane := range mutants {
		mutants[lane] = lane % 3 & 1
	}
	l := newLanes(n, mutants, 1)
	noise := l.registers(0)[0]
	require.Equal(t, 1-noise, l.registers(1)[0], "the neighbour's register holds the complement")
	for k := range uint64(4) {
		l.input("a", k)
		l.input("b", k>>1)
		l.settle()
		want := k & (k >> 1) & 1
		diff := make([]uint64, l.words)
		l.differ("y", want, diff)
		for lane, m := range mutants {
			require.EqualValues(t, m, diff[lane/64]>>(lane%64)&1, "lane %d: the mutant inverts y", lane)
		}
		l.edge(0)
		require.Equal(t, noise, l.registers(0)[0], "no edge")
		l.edge(1)
		require.Equal(t, want, l.registers(0)[0])
		require.Equal(t, want^1, l.registers(1)[0], "lane 1 is a mutant")
		packed := l.keep([]int{129, 1})
		require.Equal(t, []int{0, 1}, packed.mutants)
		require.Equal(t, l.registers(1), packed.registers(1))
		noise = want
	}
}

// A wire of an Invariant says where a register counts, bit by bit. It wants as many bits as the register.
func TestCounts(t *testing.T) {
	read := func(bits string) (*netlist, error) {
		text := strings.Replace(module, `"cells"`,
			`"netnames": {"r": {"bits": [7]}, "goldwire_counts_r": {"bits": [`+bits+`]}}, "cells"`, 1)
		return readNetlist(strings.NewReader(text), "t", []string{"clk"}, []string{selector})
	}
	n, err := read("4")
	require.NoError(t, err)
	require.Equal(t, []count{{is: n.regs[0].q, where: n.ports["a"][0]}}, n.counts)
	_, err = read("4, 5")
	require.EqualError(t, err, "t: the Invariant has goldwire_counts_r of 2 bits, register r has 1")
}

func TestNetlistsThatAreRefused(t *testing.T) {
	for edit, want := range map[string][2]string{
		"a latch":     {`"$dff"`, `"$dlatch"`},
		"an x":        {`"1"`, `"x"`},
		"a loop":      {`"A": [4], "B": [10]`, `"A": [6], "B": [10]`},
		"other clock": {`"CLK": [2]`, `"CLK": [4]`},
		"other edge":  {`"CLK_POLARITY": "1"`, `"CLK_POLARITY": "0"`},
		"no number":   {`"B": [9]`, `"B": ["w"]`},
		"two bits":    {`"B": [9]`, `"B": [9, 9]`},
	} {
		text := strings.Replace(module, want[0], want[1], 1)
		require.NotEqual(t, module, text)
		_, err := readNetlist(strings.NewReader(text), "t", []string{"clk"}, []string{selector})
		require.Error(t, err, edit)
	}
}

// A graph of random gates says what the lanes say, whatever the inputs: yosys-abc looks for inputs on which it does
// not.
func TestGraphIsTheNetlist(t *testing.T) {
	if err := formal.Available(formal.PDR); err != nil {
		t.Skipf("graphs were NOT given to yosys-abc: %v", err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	kinds := []string{"$and", "$or", "$xor", "$mux", "$not", "$pos"}
	found := 0
	for range 3 {
		var cells []string
		for i := range 40 { // nets 10 to 17 are a, each gate is one more
			pin := func() int { return 10 + random.IntN(8+i) }
			kind := kinds[random.IntN(len(kinds))]
			text := fmt.Sprintf(`"A": [%d], "Y": [%d]`, pin(), 18+i)
			if kind != "$not" && kind != "$pos" {
				text += fmt.Sprintf(`, "B": [%d]`, pin())
			}
			if kind == "$mux" {
				text += fmt.Sprintf(`, "S": [%d]`, pin())
			}
			cells = append(cells, fmt.Sprintf(`"g%d": {"type": "%s", "connections": {%s}}`, i, kind, text))
		}
		text := `{"modules": {"t": {"ports": {"clk": {"bits": [2]}, "a": {"bits": [10, 11, 12, 13, 14, 15, 16, 17]}, "y": ` +
			`{"bits": [57]}}, "cells": {` + strings.Join(
			cells, ",",
		) + `}}}}`
		n, err := readNetlist(strings.NewReader(text), "t", []string{"clk"}, nil)
		require.NoError(t, err)
		g := newGraph()
		v := make([]literal, n.nets)
		v[1] = literalTrue
		for _, net := range n.ports["a"] {
			v[net] = g.input()
		}
		g.run(n, v)
		// The truth table by simulation, as a sum of products beside the graph.
		l := newLanes(n, []int{0, 0}, 1)
		table := literalFalse
		for a := range uint64(256) {
			l.input("a", a)
			l.settle()
			if l.output("y") == 1 {
				product := literalTrue
				for i, net := range n.ports["a"] {
					product = g.and(product, v[net]^literal(a>>i&1^1))
				}
				table = g.or(table, product)
			}
		}
		zero, done, err := g.constants(t.Context(), options.Time, 0, "ifraig -C 10000",
			[]literal{v[n.ports["y"][0]], g.xor(table, v[n.ports["y"][0]])})
		require.NoError(t, err)
		require.True(t, done)
		require.Equal(t, []bool{table == literalFalse, true}, zero)
		g.latch() // yosys-abc wants one
		m := &miter{graph: g, fields: []vectors.Field{{Name: "a", Width: 8}}}
		verdict, err := m.equal(t.Context(), g.xor(table, v[n.ports["y"][0]]), options.Time, 0, wholeProof.commands)
		require.NoError(t, err)
		require.Equal(t, never, verdict)
		rows, _, err := m.find(t.Context(), v[n.ports["y"][0]], options.Time, 0, shortest())
		require.NoError(t, err)
		require.Equal(t, table != literalFalse, rows != nil)
		for _, row := range rows {
			l.input("a", row[0])
			l.settle()
			require.EqualValues(t, 1, l.output("y"))
			found++
		}
	}
	require.NotZero(t, found)
}
