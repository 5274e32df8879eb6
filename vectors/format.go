package vectors

import (
	"fmt"
	"io"
	"strings"
)

// Format is a form in which a set is exported beside the files that every export has.
type Format string

// The formats.
const (
	FormatVCD       Format = "vcd"       // MODULE.vcd: a waveform that Yosys and goldwire replay
	FormatCocotb    Format = "cocotb"    // test_MODULE.py and a Makefile
	FormatVerilator Format = "verilator" // MODULE_harness.cpp
	FormatWaveJSON  Format = "wavejson"  // MODULE.json for WaveDrom, and MODULE.svg
	FormatAXIStream Format = "axistream" // MODULE_PORT.csv for each port with a valid bit
	FormatDPI       Format = "dpi"       // MODULE_dpi.svh: the model behind DPI-C
)

// Formats returns all of them.
func Formats() []Format {
	return []Format{FormatVCD, FormatCocotb, FormatVerilator, FormatWaveJSON, FormatAXIStream, FormatDPI}
}

// describe returns lines about the files of a format that are there, none if it has none.
func (f Format) describe(b benchText, files []*exportFile) []string {
	if len(files) == 0 {
		return nil
	}
	var names []string
	for _, x := range files {
		names = append(names, x.name)
	}
	list := strings.Join(names, ", ")
	compare := "-sim-cmp"
	if b.Combinational {
		compare = "-sim-gate"
	}
	text := map[Format]string{
		FormatVCD: "LIST: a waveform; with Yosys and vcd2fst:\n" +
			"    yosys -p 'read_verilog -sv YOUR_RTL.sv; prep -top MODULE; sim -r MODULE.vcd -scope MODULE_tb.dut " +
			"-clock clk " + compare + " MODULE'",
		FormatCocotb:    "LIST: the same check for cocotb: make VERILOG_SOURCES=$PWD/YOUR_RTL.sv",
		FormatVerilator: "LIST: the same check in C++ for Verilator; its head says how to build it",
		FormatWaveJSON:  "LIST: a picture of the first cycles",
		FormatAXIStream: "LIST: AXI4-Stream beats of each port that is one",
		FormatDPI: "LIST: the model as a module MODULE_model, behind DPI-C; its library, libgoldwire.a, is not here: make " +
			"dpi in\n" +
			"  Goldwire's sources builds it. `include the file beside your RTL in a top module, say YOUR_TOP.sv, and link:\n" +
			"    verilator --binary --top-module YOUR_TOP -Wno-fatal -CFLAGS -fcoroutines YOUR_TOP.sv YOUR_RTL.sv -LDFLAGS " +
			"\"/PATH/libgoldwire.a -lpthread\"",
	}[f]
	text = strings.ReplaceAll(strings.ReplaceAll(text, "MODULE", b.Module), "LIST", list)
	return strings.Split(text, "\n")
}

// ParseFormats reads a list: "vcd,cocotb", or "all".
func ParseFormats(list []string) ([]Format, error) {
	var formats []Format
next:
	for _, name := range list {
		if name == "all" {
			return Formats(), nil
		}
		for _, f := range Formats() {
			if string(f) == name {
				formats = append(formats, f)
				continue next
			}
		}
		var names []string
		for _, f := range Formats() {
			names = append(names, string(f))
		}
		return nil, fmt.Errorf("format %q, want all or some of %s", name, strings.Join(names, ", "))
	}
	return formats, nil
}

// start starts the files of a format and returns them. Files that depend on the fields alone are written at once.
func (f Format) start(x *export) ([]*exportFile, error) {
	s := x.set
	if len(s.Clocks) > 0 && f != FormatWaveJSON {
		return nil, fmt.Errorf("format %s: of units with one clock, this has %d", f, len(s.Clocks))
	}
	switch f {
	case FormatVCD:
		return x.rowFile(s.module()+".vcd", func(w io.Writer) (rowWriter, error) { return newVCDWriter(w, s) })
	case FormatCocotb:
		test, err := x.template("test_"+s.module()+".py", "cocotb.py.tmpl")
		if err != nil {
			return nil, err
		}
		make, err := x.template("Makefile", "cocotb.mk.tmpl")
		return append(test, make...), err
	case FormatVerilator:
		return x.template(s.module()+"_harness.cpp", "harness.cpp.tmpl")
	case FormatDPI:
		return x.template(s.module()+"_dpi.svh", "dpi.svh.tmpl")
	case FormatWaveJSON:
		return x.picture()
	case FormatAXIStream:
		var files []*exportFile
		for _, a := range s.axiPorts() {
			one, err := x.rowFile(s.module()+"_"+a.port+".csv",
				func(w io.Writer) (rowWriter, error) { return newAXIWriter(w, s, a), nil })
			if err != nil {
				return nil, err
			}
			files = append(files, one...)
		}
		return files, nil
	}
	return nil, fmt.Errorf("format %q: not known", f)
}
