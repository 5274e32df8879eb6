package edm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Names of blocks in cycle tables. The digit tells them apart.
//
//	n0  /N/            w0  /MS/ of a WREQ        s0  /S/
//	g0  /G/            v0  /MST/ of an RRES      d0  /D/
//	r0  /MS/ of RREQ   m0  /MD/                  t0  /T/
//	a0  /MS/ of RMWREQ e0  /MT/                  f0  an ordered set
//	.   idle           -   no block              E   eight /E/
//	b0  a bad header   u0  an unknown type
var named, nameOf = func() (map[string]pcs.Block, map[pcs.Block]string) {
	types := DefaultTypes
	blocks := map[string]pcs.Block{".": pcs.IdleBlock(), "-": {}, "E": pcs.ErrorBlock()}
	for i := range 10 {
		x := uint64(i)
		for letter, b := range map[string]pcs.Block{
			"n": Header{Kind: WREQ, ID: uint8(i)}.block(types.N),
			"g": Header{Kind: RRES, ID: uint8(i)}.block(types.G),
			"r": Header{Kind: RREQ, ID: uint8(i)}.block(types.MS),
			"a": Header{Kind: RMWREQ, ID: uint8(i)}.block(types.MS),
			"w": Header{Kind: WREQ, ID: uint8(i)}.block(types.MS),
			"v": Header{Kind: RRES, ID: uint8(i)}.block(types.MST),
			"e": types.tail(x),
			"m": data(0x100 + x),
			"d": data(0x200 + x),
			"s": {Payload: pcs.TypeS0 | x<<8, Header: pcs.HeaderControl, Valid: true},
			"t": {Payload: pcs.TypeT1 | x<<8, Header: pcs.HeaderControl, Valid: true},
			"f": {Payload: pcs.TypeO0O4 | x<<8, Header: pcs.HeaderControl, Valid: true},
			"b": {Payload: x, Header: 3 * uint8(i%2), Valid: true},
			"u": {Payload: x << 8, Header: pcs.HeaderControl, Valid: true},
		} {
			blocks[fmt.Sprint(letter, i)] = b
		}
	}
	names := map[pcs.Block]string{}
	for name, b := range blocks {
		names[b] = name
	}
	return blocks, names
}()

// blocksOf reads a line of a cycle table.
func blocksOf(t require.TestingT, line string) []pcs.Block {
	var blocks []pcs.Block
	for _, name := range strings.Fields(line) {
		b, ok := named[name]
		require.True(t, ok, "no block is called %s", name)
		blocks = append(blocks, b)
	}
	return blocks
}

// player drives blocks, one a cycle, and then none.
type player struct {
	Out rtl.Out[pcs.Block]

	blocks []pcs.Block
	at     int
}

func (p *player) Reset() { p.at = 0; p.Tick() }

func (p *player) Tick() {
	b := pcs.Block{}
	if p.at < len(p.blocks) {
		b = p.blocks[p.at]
	}
	p.at++
	p.Out.Set(b)
}

// watcher calls a function at every edge, with the values before it.
type watcher struct{ look func() }

func (w *watcher) Tick() { w.look() }

// runModules simulates modules, added by the function, in strict mode for a number of cycles.
func runModules(t require.TestingT, cycles int, add func(s *rtl.Scope)) {
	sim := rtl.New(rtl.Config{Mode: rtl.Strict, Seed: 1})
	clk := sim.Clock("clk", clock.Block25G)
	add(sim.Scope("test").On(clk))
	require.NoError(t, sim.Elaborate())
	require.NoError(t, clk.Run(uint64(cycles)))
}

// Blocks of the tables are all different, or the tables say nothing.
func TestNamesOfBlocks(t *testing.T) {
	require.Len(t, nameOf, len(named))
}
