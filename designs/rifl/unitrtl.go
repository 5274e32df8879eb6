package rifl

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// verilog has the project's own RTL: modules for frames of any number of words and IDs of any width, by parameters.
//
//go:embed verilog/*.v
var verilog embed.FS

// instantiates says which files a file needs.
var instantiates = map[string]string{
	"rifl_meta_encoder": "rifl_encode", "rifl_framer": "rifl_encode",
	"rifl_meta_decoder": "rifl_decode", "rifl_collector": "rifl_decode", "rifl_receiver": "rifl_verifier",
}

// Verilog returns the RTL of a module, such as "rifl_aligner", with the modules that it instantiates. It panics if
// there is none.
func Verilog(name string) string {
	text, err := fs.ReadFile(verilog, "verilog/"+name+".v")
	if err != nil {
		panic(err) // the files are embedded
	}
	if inner := instantiates[name]; inner != "" {
		return string(text) + "\n" + Verilog(inner)
	}
	return string(text)
}

// RTL returns the source of rifl_endpoint, and the parameters with which it equals, edge by edge, an end of the link,
// if all its lines are as long.
func (l *Link) RTL() (source string, parameters map[string]int) {
	files, err := fs.Glob(verilog, "verilog/*.v")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, name := range files {
		text, err := fs.ReadFile(verilog, name)
		if err != nil {
			panic(err) // the files are embedded
		}
		source += string(text) + "\n"
	}
	cfg := l.Config
	return source, map[string]int{
		"LANES": cfg.Lanes, "WORDS": cfg.Words(), "S": cfg.S(), "WIDTH": cfg.UserBytes, "UP_BIT": cfg.upBit(),
		"PHASE": l.Ends[0].Lanes[0].Aligner.phase,
	}
}

// rtlWith returns a module under another name and with other defaults of its parameters, for a simulator that sets
// none.
func rtlWith(module, name string, parameters map[string]int) string {
	text := strings.Replace(Verilog(module), "module "+module+" ", "module "+name+" ", 1)
	for p, value := range parameters {
		old := regexp.MustCompile(`(parameter ` + p + ` *= )\d+`)
		if !old.MatchString(text) {
			panic(fmt.Sprintf("%s has no parameter %s", module, p))
		}
		text = old.ReplaceAllString(text, fmt.Sprintf("${1}%d", value))
	}
	return text
}

// A port of a wrapper: its direction, name, bits, how many there are, and the core's port, if it has another name.
type wrapperPort struct {
	output bool
	name   string
	bits   int
	count  int // 0: one, without a number
	core   string
	low    bool // word 0 is the least significant
}

// rtlWrapped returns a module around a core. Where a model has a port a word, the core has one vector: word 0 is the
// most significant, if the port does not say otherwise.
func rtlWrapped(name, core string, parameters string, ports []wrapperPort) string {
	var heads, joins []string
	for _, p := range ports {
		direction, bits := "input ", ""
		if p.output {
			direction = "output"
		}
		if p.bits > 1 {
			bits = fmt.Sprintf("[%d:0] ", p.bits-1)
		}
		if p.core == "" {
			p.core = p.name
		}
		names := []string{p.name}
		if p.count > 0 {
			names = nil
			for i := range p.count {
				names = append(names, fmt.Sprintf("%s_%d", p.name, i))
			}
		}
		for _, n := range names {
			heads = append(heads, fmt.Sprintf("    %s %s%s", direction, bits, n))
		}
		if p.low {
			slices.Reverse(names)
		}
		joins = append(joins, fmt.Sprintf("        .%s({%s})", p.core, strings.Join(names, ", ")))
	}
	text := Verilog(core)
	if core == name {
		core += "_vectors"
		text = strings.Replace(text, "module "+name+" ", "module "+core+" ", 1)
	}
	return fmt.Sprintf("module %s (\n%s\n);\n    %s #(%s) core (\n%s\n    );\nendmodule\n\n%s",
		name, strings.Join(heads, ",\n"), core, parameters, strings.Join(joins, ",\n"), text)
}

// transmitterRTL is the TX controller with a port a word.
func transmitterRTL(name string, words, s, safe int) string {
	return rtlWrapped(
		name,
		"rifl_tx_controller",
		fmt.Sprintf(".WORDS(%d), .S(%d), .SAFE(%d)", words, s, safe),
		[]wrapperPort{
			{
				name: "clk",
			}, {name: "rst"}, {name: "segment", bits: 64, count: words}, {name: "valid"}, {output: true, name: "ready"},
			{name: "up", count: 1}, {name: "pause_request"}, {name: "retransmit"}, {name: "missing"}, {name: "remote_paused"},
			{name: "local_full"}, {name: "compensate"}, {output: true, name: "frame", bits: 64, count: words},
			{
				output: true, name: "id_value", bits: 12,
			}, {output: true, name: "state_value", bits: 3}, {output: true, name: "state_data"},
			{output: true, name: "state_again"}, {output: true, name: "state_pass", bits: 14},
		},
	)
}

// metaEncoderRTL and metaDecoderRTL are the meta codec with a port a word.
func metaEncoderRTL(name string, words int) string {
	return rtlWrapped(name, "rifl_meta_encoder", fmt.Sprintf(".WORDS(%d)", words), []wrapperPort{
		{name: "clk"}, {name: "rst"}, {name: "data", bits: 64, count: words, low: true},
		{name: "control_bytes", bits: 12}, {name: "control_last"}, {name: "control_valid"},
		{output: true, name: "frame", bits: 64, count: words},
	})
}

func metaDecoderRTL(name string, words int) string {
	return rtlWrapped(name, "rifl_meta_decoder", fmt.Sprintf(".WORDS(%d)", words), []wrapperPort{
		{name: "clk"}, {name: "rst"}, {name: "frame", bits: 64, count: words},
		{output: true, name: "data", bits: 64, count: words, low: true},
		{
			output: true, name: "control_bytes", bits: 12,
		}, {output: true, name: "control_last"}, {output: true, name: "control_valid"},
	})
}

// framerRTL is the framer with a port a word and lane.
func framerRTL(name string, width, lanes, words int) string {
	return rtlWrapped(
		name,
		"rifl_framer",
		fmt.Sprintf(".WIDTH(%d), .LANES(%d), .WORDS(%d)", width, lanes, words),
		[]wrapperPort{
			{name: "clk"}, {name: "rst"}, {name: "data", bits: 64, count: width / 8, low: true},
			{name: "control_bytes", bits: 12}, {name: "control_last"}, {name: "control_valid"}, {output: true, name: "ready"},
			{
				output: true, name: "segment", bits: 64, count: lanes * words,
			}, {output: true, name: "valid", count: lanes}, {name: "accept", count: lanes},
		},
	)
}

// collectorRTL is the collector with a port a word and lane.
func collectorRTL(name string, width, lanes, words, s int) string {
	return rtlWrapped(
		name,
		"rifl_collector",
		fmt.Sprintf(".WIDTH(%d), .LANES(%d), .WORDS(%d), .S(%d)", width, lanes, words, s),
		[]wrapperPort{
			{name: "clk"}, {name: "rst"}, {name: "frame", bits: 64, count: lanes * words}, {name: "valid", count: lanes},
			{output: true, name: "data", bits: 64, count: width / 8, low: true},
			{
				output: true, name: "control_bytes", bits: 12,
			}, {output: true, name: "control_last"}, {output: true, name: "control_valid"},
			{name: "ready"}, {output: true, name: "count", bits: 16, count: lanes}, {output: true, name: "overflow", bits: 32},
			{output: true, name: "high", bits: 16, count: lanes},
		},
	)
}

// serialiserRTL is the TX width converter with a port a word.
func serialiserRTL(name string, words int) string {
	return rtlWrapped(name, "rifl_serialiser", fmt.Sprintf(".WORDS(%d)", words), []wrapperPort{
		{name: "clk"}, {name: "rst"}, {name: "frame", bits: 64, count: words}, {name: "id_value", bits: 12},
		{output: true, name: "out_data", bits: 64}, {output: true, name: "out_id", bits: 12},
		{output: true, name: "out_first"}, {output: true, name: "out_last"}, {output: true, name: "out_valid"},
	})
}
