package parity

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/hdl"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/tb"
	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/wave"
)

func Example() {
	p := &Parity{}
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("clk", clock.MHz(156.25))
	top := sim.Scope("top").On(clk)
	top.Add("parity", p)
	rtl.Tie(7, &p.In)
	if err := sim.Elaborate(); err != nil {
		log.Fatal(err) // every fault at once, with full paths
	}
	rec, _ := wave.NewRecorder(sim, clk, 16)
	_ = clk.Run(3)
	picture, _ := rec.Recording()
	fmt.Print(picture)
	// Output:
	// cycle                 0   1   2   3
	// top.parity.out_data  │0  │7
	// top.parity.out_parity▁▁▁▁╱▔▔▔▔▔▔▔▔▔▔▔
	// top.parity.seen      │0  │1  │2  │3
}

var unit = vectors.Unit{
	Name: "parity/parity", Doc: "even parity", Ref: "this page", Latency: 1, Clock: clock.MHz(156.25),
	Build: func(b *vectors.Bench) rtl.Module {
		p := &Parity{}
		vectors.Drive(b, &p.In, vectors.Uniform[uint8](b.Rand()))
		return p
	},
}

func TestParity(t *testing.T) { tb.CheckUnit(t, unit) }

// The Verilog that the page begins with passes the exported testbench.
func TestVerilogOfThePage(t *testing.T) {
	if err := hdl.Icarus.Available(); err != nil {
		t.Skipf("the page's Verilog was NOT run: %v", err)
	}
	dir := filepath.Join(t.TempDir(), "parity")
	set, err := vectors.Capture(unit, 1000, 1)
	require.NoError(t, err)
	require.NoError(t, vectors.Write(dir, set))
	source := filepath.Join(dir, "..", "parity_parity.v")
	require.NoError(t, os.WriteFile(source, []byte(`
module parity_parity (input clk, input rst, input [7:0] in, output reg [7:0] out_data, output reg out_parity);
  always @(posedge clk)
    if (rst) {out_parity, out_data} <= 0;
    else {out_parity, out_data} <= {^in, in};
endmodule
`), 0o644))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	res, err := hdl.Icarus.Run(ctx, hdl.Job{Top: "parity_parity_tb", Sources: []string{filepath.Join(dir, "parity_parity_tb.sv"), source}, Dir: dir})
	require.NoError(t, err)
	require.True(t, res[0].Passed(), res[0].Output)
}
