package cosim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks/units"
	"github.com/goldwire/goldwire/cosim"
)

// A file whose name simulators do not take is refused in a line, before one of them reads half of the name; blanks and
// letters of all kinds work.
func TestNamesOfRTLFiles(t *testing.T) {
	for name, good := range map[string]bool{
		"a b.v": true, "ä'$x.v": true, "a\"b.v": false, "a\nb.v": false, "a\\b.v": false,
	} {
		edit := func(o *cosim.Options) {
			icarus(o)
			path := filepath.Join(filepath.Dir(o.Design.Sources[0]), name)
			require.NoError(t, os.Rename(o.Design.Sources[0], path))
			o.Design.Sources[0] = path
		}
		s, err := start(t, plain, edit)
		if good {
			agree(t, s, err)
			continue
		}
		require.ErrorContains(t, err, "want a name without quotes, backslashes and line ends")
	}
}

// A FIFO with ports of its own names: the fault of each field names the port that it could be. The ready's fault also
// says that transfers can be compared.
func TestFaultsNameThePortThatCouldFit(t *testing.T) {
	t.Parallel()
	fifo, err := units.Units().Find("blocks/fifo")
	require.NoError(t, err)
	_, err = start(t, `module theirs(input clk, input rst, input [63:0] wdata, input wvalid, output wready,
  output [63:0] rdata, output rvalid, input rready);
  assign wready = 1, rdata = wdata, rvalid = wvalid;
endmodule`, func(o *cosim.Options) {
		icarus(o)
		o.Unit, o.Design.Top = fifo, "theirs"
	})
	var faults *cosim.BindError
	require.ErrorAs(t, err, &faults)
	for _, want := range []string{
		"name it in the map (ports: {in_data: wdata})", "name it in the map (ports: {in_valid: wvalid})",
		"(ports: {ready: wready}), or compare transfers in place of cycles (streams: {in: {ready: wready}})",
		"name it in the map (ports: {out_valid: rvalid})", "name it in the map (ports: {out_ready: rready})",
		"name it in the map (ports: {level: …})",
	} {
		require.Contains(t, strings.Join(faults.Causes, "\n"), want)
	}
}

// Ports with fewer bits than a field: the fault has the map's entries that bind them, and these do.
func TestFaultsOfNarrowPorts(t *testing.T) {
	t.Parallel()
	u, err := units.Units().Find("blocks/arbiter")
	require.NoError(t, err)
	text, err := os.ReadFile("testdata/cores/rr_arb.sv")
	require.NoError(t, err)
	narrow := map[string]string{"request": "req_i", "accept": "gnt_i", "grant_one_hot": "gnt_o", "grant_index": "idx_o",
		"grant_valid": "req_o"}
	sliced := map[string]string{"request[15:0]": "req_i", "accept": "gnt_i", "grant_one_hot[15:0]": "gnt_o",
		"grant_index[3:0]": "idx_o", "grant_valid": "req_o"}
	for want, ports := range map[string]map[string]string{
		`ports: request has 64 bits, req_i has 16: set a parameter of the RTL (-G), or bind as many bits ` +
			`(ports: {"request[15:0]": req_i}) and hold the rest (without: {"request[63:16]": 0})`: narrow,
		`ports: grant_index has 6 bits, idx_o has 4: set a parameter of the RTL (-G), or bind as many bits ` +
			`(ports: {"grant_index[3:0]": idx_o}) and ignore the rest (ignore: ["grant_index[5:4]"])`: narrow,
		`bits 63:16 of input request: the map has no port for them: name one, or hold the rest ` +
			`(without: {"request[63:16]": 0})`: sliced,
		`bits 5:4 of output grant_index: the map has no port for them: name one, or ignore the rest ` +
			`(ignore: ["grant_index[5:4]"])`: sliced,
	} {
		_, err = start(t, string(text), func(o *cosim.Options) {
			o.Unit, o.BindOnly, o.Design.Top = u, true, "rr_arb"
			o.Map = cosim.Map{Ports: ports, Tie: map[string]uint64{"flush_i": 0}}
		})
		var bind *cosim.BindError
		require.ErrorAs(t, err, &bind)
		require.Contains(t, bind.Causes, want)
	}
	_, err = start(t, string(text), func(o *cosim.Options) {
		o.Unit, o.BindOnly, o.Design.Top = u, true, "rr_arb"
		o.Map = cosim.Map{Ports: sliced, Tie: map[string]uint64{"flush_i": 0},
			Without: map[string]uint64{"request[63:16]": 0}, Ignore: []string{"grant_one_hot[63:16]", "grant_index[5:4]"}}
	})
	require.NoError(t, err)
}
