package wave_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/wave"
)

// repeated is n lines.
func repeated(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i))
	}
	return b.String()
}

// Headers that promise more than a machine has are refused before the memory is spent.
func TestHeadersOfBombs(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"widths": {repeated(1000, func(i int) string { return fmt.Sprintf("$var wire 1000000 i%d v%d $end\n", i, i) }),
			"variables of more than 33554432 bits"},
		"aliases": {repeated(100, func(i int) string { return fmt.Sprintf("$var wire 100000 x v%d $end\n", i) }),
			`more than 1048576 bits share the identifier "x"`},
		"names": {"$var wire 1 x " + strings.Repeat("n", 10_000) + " $end",
			"a variable's name of more than 4096 characters"},
		"scopes": {"$scope module " + strings.Repeat("n", 10_000) + " $end", "a scope's name of more than 4096 characters"},
		"paths": {repeated(900, func(int) string { return "$scope module " + strings.Repeat("n", 1000) + " $end\n" }) +
			repeated(1000, func(i int) string { return fmt.Sprintf("$var wire 1 i%d v $end\n", i) }),
			"paths of more than 67108864 characters"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := wave.NewReader(strings.NewReader(c.text+"\n$enddefinitions $end\n"), "f")
			require.Error(t, err)
			require.Regexp(t, c.want, err.Error())
			require.Less(t, len(err.Error()), 300)
			runtime.ReadMemStats(&after)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(256<<20))
		})
	}
}
