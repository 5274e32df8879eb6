package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cli"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/vectors/property"
)

const oneGrant = `module proof (input clk, input [63:0] request, input accept);
  reg started = 0;
  always @(posedge clk) started <= 1;
  (* keep *) wire rst = !started;
  wire [63:0] grant;
  blocks_arbiter dut (.clk(clk), .rst(rst), .request(request), .accept(accept), .grant_one_hot(grant));
  always @* if (started) one: assert ((grant & (grant - 64'd1)) == 0);
endmodule
`

// A module without RTL written by hand has its own Verilog as reference, and every report says so.
func TestEmittedReferences(t *testing.T) {
	if err := formal.Available(formal.Auto); err != nil {
		t.Skipf("references emitted from the model were NOT tried: %v", err)
	}
	u, err := catalogue.Designs().Units().Find("blocks/arbiter")
	require.NoError(t, err)
	dir := t.TempDir()
	byHand := filepath.Join(dir, "arbiter.v")
	require.NoError(t, os.WriteFile(byHand, []byte(u.RTL), 0o600))
	u.RTL = ""
	d := design.Design{Name: "blocks", Title: "an arbiter", Units: vectors.Catalogue{u}}
	d.Properties = property.Load(fstest.MapFS{"properties/one.sv": {Data: []byte(oneGrant)}}, nil, property.Property{
		Name: "blocks/one", Doc: "one grant at most", Emitted: []string{u.Module()}})
	goldwire := func(args ...string) string {
		var out, faults bytes.Buffer
		require.Equal(t, 0, cli.Main(args, &out, &faults, d), "%v: %s%s", args, out.String(), faults.String())
		return out.String()
	}
	const emitted = "Verilog emitted from the model, which cannot find an error that both share"
	set := filepath.Join(dir, "set")
	require.Contains(t, goldwire("mutants", "--mutants", "12"), "reference: "+emitted)
	require.Contains(t, goldwire("vectors", u.Name, "--until-killed", "--mutants", "12", "--dir", set),
		"reference: "+emitted)
	manifest, err := os.ReadFile(filepath.Join(set, "manifest.json"))
	require.NoError(t, err)
	require.Contains(t, string(manifest), `"reference": "`+emitted+`"`)
	require.Contains(t, goldwire("prove", u.Name, "--rtl", byHand, "--top", u.Module()), "reference: "+emitted)
	require.Contains(t, goldwire("properties"), "RTL: "+emitted)

	var out, faults bytes.Buffer
	require.Equal(t, 2, cli.Main([]string{"mutants", u.Name, "--source", dir}, &out, &faults, d))
	require.Contains(t, faults.String(), "there is no RTL of blocks/arbiter written by hand, and none can be made")
}

// Where the module's source is not, one line says where to go. Nothing is written.
func TestVerilogWithoutTheSource(t *testing.T) {
	empty := t.TempDir()
	file := filepath.Join(t.TempDir(), "s.v")
	var out, faults bytes.Buffer
	require.Equal(t, 2, cli.Main([]string{"verilog", "pcs/scrambler", "--dir", empty, "--out", file}, &out, &faults,
		catalogue.Designs()...))
	require.Equal(t, 1, bytes.Count(faults.Bytes(), []byte("\n")), faults.String())
	require.Contains(t, faults.String(), "run this in the module's repository, or give its folder")
	require.NoFileExists(t, file)
}
