package rifl

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// verilog has the project's own RTL: modules for frames of any number of words and IDs of any width, by parameters.
//
//go:embed verilog/*.v
var verilog embed.FS

// Verilog returns the RTL in a file: "rifl_aligner". It panics if there is none.
func Verilog(name string) string {
	text, err := fs.ReadFile(verilog, "verilog/"+name+".v")
	if err != nil {
		panic(err) // the files are embedded
	}
	return string(text)
}

// rtlWith returns a module under another name and with other defaults of its parameters, for a simulator that sets none.
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
}

// rtlWrapped returns a module around a core. Where a model has a port a word, the core has one vector: word 0 is the most significant.
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
		joins = append(joins, fmt.Sprintf("        .%s({%s})", p.core, strings.Join(names, ", ")))
	}
	return fmt.Sprintf("module %s (\n%s\n);\n    %s #(%s) core (\n%s\n    );\nendmodule\n\n%s",
		name, strings.Join(heads, ",\n"), core, parameters, strings.Join(joins, ",\n"), Verilog(core))
}

// transmitterRTL is the TX controller with a port a word.
func transmitterRTL(name string, words, s int) string {
	return rtlWrapped(name, "rifl_tx_controller", fmt.Sprintf(".WORDS(%d), .S(%d)", words, s), []wrapperPort{
		{name: "clk"}, {name: "rst"}, {name: "segment", bits: 64, count: words}, {name: "valid"}, {output: true, name: "ready"},
		{name: "up", count: 1}, {name: "pause_request"}, {name: "retransmit"}, {name: "missing"}, {name: "remote_paused"},
		{name: "local_full"}, {name: "compensate"}, {output: true, name: "frame", bits: 64, count: words},
		{output: true, name: "id_value", bits: 12}, {output: true, name: "state_value", bits: 3}, {output: true, name: "state_data"},
		{output: true, name: "state_again"}, {output: true, name: "state_pass", bits: 14},
	})
}
