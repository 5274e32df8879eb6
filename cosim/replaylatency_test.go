package cosim_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
)

// laterWaveform is the waveform of a FIFO of 16 words that gives a word an edge after it is taken. Lost is the number
// of a word that it loses, -1 for none.
func laterWaveform(lost int) string {
	rng := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	b.WriteString("$timescale 1ns $end\n$scope module t $end\n")
	for i, name := range []string{"clk", "rst", "wr_en", "full", "rd_en", "empty"} {
		fmt.Fprintf(&b, "$var wire 1 %c %s $end\n", 'a'+i, name)
	}
	b.WriteString("$var wire 64 i din [63:0] $end\n$var wire 64 o dout [63:0] $end\n$upscope $end\n$enddefinitions $end\n")
	var held []uint64
	var dout, din, word uint64
	bit := map[bool]int{true: 1}
	rst, write, read := true, false, false
	for cycle := range 400 {
		fmt.Fprintf(&b, "#%d\n0a\n%db\n%dc\n%dd\n%de\n%df\nb%b i\nb%b o\n#%d\n1a\n", 10*cycle, bit[rst], bit[write],
			bit[len(held) == 16], bit[read], bit[len(held) == 0], din, dout, 10*cycle+5)
		if !rst {
			push, pop := write && len(held) < 16, read && len(held) > 0
			if pop {
				dout, held = held[0], held[1:]
			}
			if push {
				if int(word) != lost {
					held = append(held, din)
				}
				word++
			}
			if push || !write { // an offer stands until it is taken
				write, din = rng.IntN(3) > 0, 0x100+word
			}
		}
		rst, read = cycle < 3, rng.IntN(2) == 0
	}
	return b.String()
}

// A waveform is compared transfer by transfer where the data come some edges after they are taken.
func TestReplayOfALatency(t *testing.T) {
	run := func(lost, latency int) *cosim.Replayed {
		res, err := replay(t, laterWaveform(lost), func(r *cosim.Replay) {
			var o cosim.Options
			wordsOptions(t, 0)(&o)
			out := o.Map.Streams["out"]
			out.Latency = latency
			o.Map.Streams["out"] = out
			r.Unit, r.Map, r.Scope = o.Unit, o.Map, "t"
		})
		require.NoError(t, err)
		return res
	}
	right := run(-1, 1)
	require.Nil(t, right.Divergence)
	require.Greater(t, right.Cycles, 100)
	wrong := run(20, 1).Divergence
	require.NotNil(t, wrong)
	require.Equal(t, 20, wrong.Cycle)
	require.EqualValues(t, 0x114, wrong.Want)
	require.EqualValues(t, 0x115, wrong.Got)
	require.NotNil(t, run(-1, 0).Divergence)
	require.NotNil(t, run(-1, 2).Divergence)
}
