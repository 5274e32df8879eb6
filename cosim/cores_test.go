package cosim_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks/units"
	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/pcs"
)

// core is RTL in testdata/cores that has the ports of a kind of public core, and the map that binds it.
type core struct {
	file, unit, settings string
	arguments            []string
	systemVerilog        bool      // Icarus does not take it
	fault                [2]string // an edit that must part
	parts                string    // why the core itself parts, in the field: it is another thing than the unit
}

var cores = []core{
	{file: "afifo.v", unit: "blocks/async_fifo",
		fault: [2]string{"{~rq2[LG:LG-1], rq2[LG-2:0]}", "{~rq2[LG], rq2[LG-1:0]}"}},
	{file: "async_fifo.v", unit: "blocks/async_fifo",
		fault: [2]string{"rempty <= rgray == rq2_wptr", "rempty <= rgray[1:0] == rq2_wptr[1:0]"}},
	{file: "cdc_fifo_gray.sv", unit: "blocks/async_fifo", systemVerilog: true,
		fault: [2]string{"if (push) data_q", "if (src_valid_i) data_q"}},
	{file: "sfifo.v", unit: "blocks/fifo",
		fault: [2]string{"o_full = o_fill == {1'b1, {LGFLEN{1'b0}}}", "o_full = 1'b0"}},
	{file: "fifo_v3.sv", unit: "blocks/fifo", systemVerilog: true,
		fault: [2]string{"rd_q <= rd_q + 1'b1", "rd_q <= rd_q + 1'b1 + (data_o[3:0] == 4'd9)"}},
	{file: "fifo_1r1w.sv", unit: "blocks/fifo", fault: [2]string{"full <= enq && wn == rn", "full <= 1'b0"}},
	{file: "prim_fifo_sync.sv", unit: "blocks/fifo", systemVerilog: true,
		fault: [2]string{"storage[n - pop] <=", "storage[n] <="}},
	{file: "axis_fifo.v", unit: "blocks/fifo", fault: [2]string{"(!valid || m_axis_tready)", "1'b1"}},
	{file: "skidbuffer.v", unit: "blocks/fifo", fault: [2]string{"if (o_ready) r_data", "if (i_ready) r_data"}},
	{file: "p64bscrambler.v", unit: "pcs/scrambler", settings: "state=0",
		fault: [2]string{"fill[k+19]", "fill[k+18]"}},
	{file: "lzc.sv", unit: "blocks/priority_encoder",
		arguments: []string{"-GMODE=count_pkg::TRAILING_ZEROS"}, systemVerilog: true,
		fault: [2]string{"i = WIDTH - 1; i >= 0", "i = WIDTH - 1; i > 0"}},
	{file: "penc.sv", unit: "blocks/priority_encoder", arguments: []string{"-GLSB_HIGH_PRIO=1'b1"},
		fault: [2]string{"output_enc = n,", "output_enc = n ^ (n == 40),"}},
	{file: "packer_fifo.sv", unit: "blocks/width_converter", settings: "in=64,out=32", systemVerilog: true,
		fault: [2]string{"data_q >> OutW", "data_q"}},
	{file: "axis_adapter.v", unit: "blocks/width_converter", settings: "in=16,out=64",
		fault: [2]string{"&segment ||", "segment == 2 ||"}},
	{file: "ram_1w_1rs.v", unit: "blocks/ram", settings: "latency=1",
		fault: [2]string{"if (wr_en) mem", "if (wr_en && wr_addr != 17) mem"}},
	{file: "crc32_64.v", unit: "blocks/crc32", fault: [2]string{"32'hEDB88320", "32'hEDB88321"}},
	{file: "rr_arb.sv", unit: "blocks/arbiter", systemVerilog: true,
		fault: [2]string{"if (req_o && gnt_i)", "if (req_o)"}},
	// its pointer moves by one, wherever the grant was
	{file: "rr_arb_tree.sv", unit: "blocks/arbiter", systemVerilog: true, parts: "grant_one_hot"},
}

func startCore(t *testing.T, c core, text string) *cosim.Session {
	name := strings.TrimSuffix(c.file, filepath.Ext(c.file))
	u, err := slices.Concat(units.Units(), pcs.Units()).Find(c.unit)
	require.NoError(t, err)
	if c.settings != "" {
		u, err = u.WithParams(strings.Split(c.settings, ",")...)
		require.NoError(t, err)
	}
	m, err := cosim.ReadMap(t.Context(), filepath.Join("testdata/cores", name+".yaml"))
	require.NoError(t, err)
	s, err := start(t, text, func(o *cosim.Options) {
		o.Unit, o.Map = u, m
		d, err := cosim.ReadArguments(append([]string{o.Design.Sources[0]}, c.arguments...))
		require.NoError(t, err)
		d.Top, d.Simulator, o.Dirty = name, cosim.Verilator, 0
		if !c.systemVerilog {
			d.Simulator = cosim.Icarus
		}
		o.Design = d
	})
	require.NoError(t, err)
	return s
}

// Public cores of each kind bind without a wrapper: RTL with their ports agrees, and with a fault in it parts.
func TestCoresByKind(t *testing.T) {
	for _, c := range cores {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("testdata/cores", c.file))
			require.NoError(t, err)
			s := startCore(t, c, string(text))
			if c.parts != "" {
				require.Equal(t, c.parts, part(t, s, nil).Field)
				return
			}
			agree(t, s, nil)
			if c.systemVerilog && !soak { // Verilator takes a second to build it
				return
			}
			wrong := strings.Replace(string(text), c.fault[0], c.fault[1], 1)
			require.NotEqual(t, string(text), wrong)
			part(t, startCore(t, c, wrong), nil)
		})
	}
}

// A CRC of bit by bit steps is proved equal to another one, and refuted with another polynomial.
func TestProveACRC(t *testing.T) {
	if err := formal.Available(formal.Auto); err != nil {
		t.Skipf("%s was NOT run: %v", t.Name(), err)
	}
	text, err := os.ReadFile("testdata/cores/crc32_64.v")
	require.NoError(t, err)
	m, err := cosim.ReadMap(t.Context(), "testdata/cores/crc32_64.yaml")
	require.NoError(t, err)
	u, err := units.Units().Find("blocks/crc32")
	require.NoError(t, err)
	for polynomial, want := range map[string]formal.Verdict{
		"32'hEDB88320": formal.Proved, "32'h82F63B78": formal.Refuted,
	} {
		file := filepath.Join(t.TempDir(), "crc32_64.v")
		edited := strings.Replace(string(text), "32'hEDB88320", polynomial, 1)
		require.NoError(t, os.WriteFile(file, []byte(edited), 0o600))
		p, err := cosim.Prove(t.Context(), cosim.Options{
			Unit: u, Map: m, Design: cosim.Design{Sources: []string{file}, Top: "crc32_64", Simulator: cosim.Icarus},
		}, formal.Options{})
		require.NoError(t, err)
		require.Equal(t, want, p.Answer.Verdict, p.Answer.Why)
		if want == formal.Proved {
			require.Equal(t, formal.Sums, p.Answer.Engine)
		}
	}
}

// The page on foreign RTL names each of them.
func TestCoresAreOnThePage(t *testing.T) {
	page, err := os.ReadFile("../docs/foreign-rtl.md")
	require.NoError(t, err)
	files, err := filepath.Glob("testdata/cores/*v")
	require.NoError(t, err)
	require.Len(t, files, len(cores))
	for _, c := range cores {
		name := strings.TrimSuffix(c.file, filepath.Ext(c.file))
		require.Contains(t, string(page), "cores/"+c.file)
		require.Contains(t, string(page), "cores/"+name+".yaml")
	}
}

// A parameter of an enumeration is named; a number is refused with a hint, and so is a name that is not there.
func TestEnumerationParameters(t *testing.T) {
	text := strings.Replace(`package p; typedef enum logic [1:0] {ODD = 2'd1, EVEN = 2'd2} kind_e; endpackage
`+plain, "#(parameter STEP = 1)", "#(parameter STEP = 1, parameter p::kind_e KIND = p::EVEN)", 1)
	text = strings.Replace(text, "out_odd =", "out_odd = KIND == p::EVEN ? ~out_total[0] :", 1)
	with := func(value string) func(*cosim.Options) {
		return func(o *cosim.Options) {
			d, err := cosim.ReadArguments([]string{o.Design.Sources[0], value})
			require.NoError(t, err)
			d.Top, d.Simulator = "acc", cosim.Verilator
			o.Design = d
		}
	}
	s, err := start(t, text, with("-GKIND=p::ODD"))
	agree(t, s, err)
	for value, want := range map[string]string{
		"KIND=1":       "a parameter of an enumeration takes its names: -G NAME=PACKAGE::CONSTANT",
		"KIND=p::NONE": "NONE", "KIN=p::ODD": "module acc has no parameter KIN"} {
		_, err = start(t, text, with("-G"+value))
		require.ErrorContains(t, err, want)
	}
}
