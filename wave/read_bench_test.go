package wave_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/wave"
)

// BenchmarkRead reads a dump of vectors and single bits, of which all change at each time.
func BenchmarkRead(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("$timescale 1ps $end\n$scope module top $end\n")
	for i := range 64 {
		fmt.Fprintf(&text, "$var wire 1 %c%c b%d $end\n$var wire 64 %c%c v%d [63:0] $end\n", '!'+i, 'a', i, '!'+i, 'b', i)
	}
	text.WriteString("$upscope $end\n$enddefinitions $end\n")
	value := uint64(1)
	changes := 0
	for stamp := range 2000 {
		fmt.Fprintf(&text, "#%d\n", stamp)
		for i := range 64 {
			value = value*6364136223846793005 + 1442695040888963407
			fmt.Fprintf(&text, "%d%c%c\nb%b %c%c\n", value>>63, '!'+i, 'a', value, '!'+i, 'b')
			changes += 2
		}
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		r, err := wave.NewReader(bytes.NewReader(text.Bytes()), "f")
		require.NoError(b, err)
		n := 0
		for r.Next(func(wave.Change) { n++ }) == nil {
		}
		require.Equal(b, changes, n)
	}
	b.ReportMetric(float64(changes*b.N)/b.Elapsed().Seconds()/1e6, "Mchanges/s")
}
