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
