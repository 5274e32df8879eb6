package edm

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Known answers of the atomic operations, by hand; memory and oracle both give them.
func TestAtomicOperations(t *testing.T) {
	const top = 1 << 63
	for _, c := range []struct {
		op                                  Operation
		word, first, second, next, returned uint64
	}{
		{CompareSwap, 5, 5, 9, 9, 1}, {CompareSwap, 5, 6, 9, 5, 0},
		{FetchAdd, 10, 3, 99, 13, 10}, {FetchAdd, ^uint64(0), 2, 0, 1, ^uint64(0)}, {FetchAdd, top, top, 0, 0, top},
		{Exchange, 7, 8, 0, 8, 7},
		{FetchAnd, 0b1100, 0b1010, 0, 0b1000, 0b1100}, {FetchOr, 0b1100, 0b1010, 0, 0b1110, 0b1100},
		{FetchXor, 0b1100, 0b1010, 0, 0b0110, 0b1100},
		{FetchMin, 4, 3, 0, 3, 4}, {FetchMin, 3, 4, 0, 3, 3}, {FetchMin, top, 1, 0, 1, top},
		{FetchMax, 4, 3, 0, 4, 4}, {FetchMax, 3, 4, 0, 4, 3}, {FetchMax, 1, top, 0, top, 1},
		{FetchMax + 1, 3, 4, 5, 3, 3},
	} {
		next, returned := c.op.Apply(c.word, c.first, c.second)
		require.Equal(t, []uint64{c.next, c.returned}, []uint64{next, returned}, "%+v", c)
		next, returned = oracleOperation(c.op, c.word, c.first, c.second)
		require.Equal(t, []uint64{c.next, c.returned}, []uint64{next, returned}, "the oracle, %+v", c)
	}
}

// Memory and oracle agree on all operands.
func TestOracleAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		op := Operation(rapid.IntRange(0, int(FetchMax)+1).Draw(t, "operation"))
		word, first, second := rapid.Uint64().
			Draw(t, "word"),
			rapid.Uint64().
				Draw(t, "first"),
			rapid.Uint64().
				Draw(t, "second")
		if rapid.Bool().Draw(t, "equal") {
			first = word
		}
		a, b := op.Apply(word, first, second)
		c, d := oracleOperation(op, word, first, second)
		require.Equal(t, []uint64{c, d}, []uint64{a, b})
	})
}
