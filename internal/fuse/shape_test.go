package fuse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/fuse/zoo"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/fused"
)

// A program whose ports differ from the source's was built before the source changed: an error, for inputs and for
// outputs.
func TestProgramOlderThanSource(t *testing.T) {
	sim, err := zoo.NewCircle(rtl.Config{}, func(s *rtl.Sim) *rtl.Clock { return s.Clock("clk", clock.MHz(100)) })
	require.NoError(t, err)
	src := &source{ctx: t.Context(), dir: ".", old: "fused_circle.go"}
	require.NoError(t, src.load("github.com/goldwire/goldwire/internal/fuse/zoo"))
	for _, change := range [][]string{{"gain<", "level<"}, {"2.depth", "2.height"},
		{" back<3.out", " back<3.out more<3.out"}, {" back<3.out", ""}} {
		shape := fused.Shapes(sim)[0]
		shape.Text = strings.ReplaceAll(shape.Text, change[0], change[1])
		_, err := fuseIsland(src, "github.com/goldwire/goldwire/internal/fuse/zoo", shape, packageNames{})
		require.ErrorContains(t, err, "have changed since this program was built: build it again", change)
	}
}

// Paths become names that Go takes.
func TestNameBoxes(t *testing.T) {
	require.Equal(t, []string{"aTx", "bTx", "rxGearbox"}, nameBoxes([]string{"top.a.tx", "top.b.tx", "top.rx_gearbox"}))
	require.Equal(
		t, []string{"rxFifo", "rxFifoModule", "txFifo"}, nameBoxes([]string{"top.rx_fifo", "top.rx.fifo", "top.tx.fifo"}),
	)
	require.Equal(
		t, []string{"tickModuleModule", "tickModule", "lenModule", "comb7Module"},
		nameBoxes([]string{"tick", "tick_module", "len", "comb_7"}, "tick"),
	)
}

// Calls of one function for groups of one kind that stand beside each other are one call; of two functions they are
// two.
func TestPieces(t *testing.T) {
	a, b := &group{kind: &groupKind{}}, &group{kind: &groupKind{}}
	s := step{parts: []piece{
		{
			groups: []*group{a}, function: "tick",
		}, {groups: []*group{a}, function: "tick"}, {groups: []*group{b}, function: "tick"},
		{groups: []*group{b}, function: "commit"}, {text: "x"}, {text: "y"}, {groups: []*group{b}, function: "commit"}}}
	var joined []string
	for _, p := range s.pieces() {
		joined = append(joined, fmt.Sprint(len(p.groups), p.function, p.text))
	}
	require.Equal(t, []string{"2tick", "1tick", "1commit", "0xy", "1commit"}, joined)
}
