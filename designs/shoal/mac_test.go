package shoal

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// A frame of the transmit MAC, word by word into the receive MAC: whole it is good, its words are the cell's, and it
// takes the cell's words and three more with the gap; with any one bit of the cell or its FCS wrong, a word short or a
// word long, it is not good.
func TestMACSeesDamage(t *testing.T) {
	const words = CellBytes / 8
	rng := rand.New(rand.NewPCG(2, 3))
	cell := make([]uint64, words)
	for i := range cell {
		cell[i] = rng.Uint64()
	}
	var frame []pcs.XGMII
	{
		var in poke[CellWord]
		var bootstrap poke[bool]
		tx := &MacTx{}
		sim := rtl.New(rtl.Config{Mode: rtl.Strict})
		clk := sim.Clock("clk", XGMIIClock)
		top := sim.Scope("top").On(clk)
		top.Add("in", &in)
		top.Add("bootstrap", &bootstrap)
		top.Add("dut", tx)
		rtl.Connect(&in.Out, &tx.In)
		rtl.Connect(&bootstrap.Out, &tx.Bootstrap)
		rtl.Tie(pcs.XGMII{}, &tx.Message)
		require.NoError(t, sim.Elaborate())
		for k := range words + 6 {
			in.next = CellWord{}
			if k < words {
				in.next = CellWord{Data: cell[k], First: k == 0, Last: k == words-1, Valid: true}
			}
			require.NoError(t, clk.Run(1))
			frame = append(frame, tx.Out.Get())
		}
		require.Equal(t, pcs.IdleWord(), frame[0])
		require.NotEqual(t, pcs.IdleWord(), frame[1], "preamble")
		for k, w := range cell {
			require.Equal(t, pcs.XGMII{Data: w, Valid: true}, frame[2+k])
		}
		require.Equal(t, pcs.IdleWord(), frame[words+3], "the gap after the FCS")
		frame = frame[1 : words+3]
	}
	receive := func(frame []pcs.XGMII) (got []uint64, checks []FrameCheck) {
		var in poke[pcs.XGMII]
		filled := poke[bool]{next: true}
		rx := &MacRx{words: words}
		sim := rtl.New(rtl.Config{})
		clk := sim.Clock("clk", XGMIIClock)
		top := sim.Scope("top").On(clk)
		top.Add("in", &in)
		top.Add("filled", &filled)
		top.Add("dut", rx)
		rtl.Connect(&in.Out, &rx.In)
		rtl.Connect(&filled.Out, &rx.Filled)
		require.NoError(t, sim.Elaborate())
		for k := range len(frame) + 4 {
			in.next = pcs.IdleWord()
			if k < len(frame) {
				in.next = frame[k]
			}
			require.NoError(t, clk.Run(1))
			if w := rx.Out.Get(); w.Valid {
				got = append(got, w.Data)
			}
			if c := rx.Check.Get(); c.Valid {
				checks = append(checks, c)
			}
		}
		return got, checks
	}
	got, checks := receive(frame)
	require.Equal(t, cell, got)
	require.Equal(t, []FrameCheck{{Good: true, Valid: true}}, checks)

	bad := []FrameCheck{{Valid: true}}
	for word := 1; word < len(frame); word++ {
		for bit := range 64 {
			if word == len(frame)-1 && bit >= 32 {
				continue // /T/ and idle
			}
			if bit%5 != word%5 { // a fifth of them is enough
				continue
			}
			hit := append([]pcs.XGMII(nil), frame...)
			hit[word].Data ^= 1 << bit
			_, checks := receive(hit)
			require.Equal(t, bad, checks, "word %d, bit %d", word, bit)
		}
	}
	short := append(append([]pcs.XGMII(nil), frame[:words]...), frame[words+1])
	_, checks = receive(short)
	require.Equal(t, bad, checks, "a word short")
	long := append(append([]pcs.XGMII(nil), frame[:words+1]...), frame[words], frame[words+1])
	_, checks = receive(long)
	require.Equal(t, bad, checks, "a word long")
}
