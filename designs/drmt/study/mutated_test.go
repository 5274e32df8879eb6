package study_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// spot is a value in a JSON text that can be replaced.
type spot struct {
	value any
	set   func(any)
}

// spots finds the values of a JSON text, always in the same order.
func spots(v any, all []spot) []spot {
	switch x := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(x)) {
			all = append(all, spot{x[k], func(v any) { x[k] = v }})
			all = spots(x[k], all)
		}
	case []any:
		for i := range x {
			all = append(all, spot{x[i], func(v any) { x[i] = v }})
			all = spots(x[i], all)
		}
	}
	return all
}

// mutate replaces a value by null, a number, a word of the format, or a value of the same JSON type from elsewhere.
func mutate(rng *rand.Rand, all []spot) {
	words := []string{
		"+", "<<", "0x0", "0xffffffffffffffffff", "push", "header_stack", "header", "expression", "hexstr", "lookahead",
		"size_stack", "valid",
	}
	to, from := all[rng.IntN(len(all))], all[rng.IntN(len(all))]
	switch rng.IntN(4) {
	case 0:
		to.set(nil)
	case 1:
		to.set(rng.IntN(70) - 3)
	case 2:
		if _, text := to.value.(string); text {
			to.set(words[rng.IntN(len(words))])
		}
	default:
		_, a := to.value.(map[string]any)
		_, b := from.value.(map[string]any)
		_, c := to.value.(string)
		_, d := from.value.(string)
		if a && b || c && d {
			copied, _ := json.Marshal(from.value)
			var v any
			_ = json.Unmarshal(copied, &v)
			to.set(v)
		}
	}
}

// A program in which something is replaced is refused, or else it is lowered or refused by the compiler, and the
// interpreter runs it: nothing panics, and some of the programs are accepted.
func TestMutatedProgramsDoNotPanic(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 8))
	rows := slices.Concat(formatRows, moreFormatRows)
	accepted := 0
	for range 1200 {
		var v any
		row := rows[rng.IntN(len(rows))]
		require.NoError(t, json.Unmarshal([]byte(unionJSON(row.p)), &v))
		all := spots(v, nil)
		for range 1 + rng.IntN(2) {
			mutate(rng, all)
		}
		text, err := json.Marshal(v)
		require.NoError(t, err)
		p, err := p4.ParseBMv2(row.name, bytes.NewReader(text))
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			continue
		}
		_ = compile.Supported(p, compile.Options{})
		in, err := p4.NewInterpreter(p, nil, nil)
		if err != nil {
			continue
		}
		accepted++
		s := &packetsOf{rng: rng, left: 4}
		for data, port, ok := s.Next(); ok; data, port, ok = s.Next() {
			in.Run(int(port), data)
		}
	}
	require.Greater(t, accepted, 100)
}
