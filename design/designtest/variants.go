package designtest

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

var moduleName = regexp.MustCompile(`(?m)^\s*module\s+(\w+)`)

// joinVersions returns a source in which the module stands in all its versions: which of them its outputs come from
// says +version=N, by default 0. Verilator takes seconds to build a testbench that runs for milliseconds, so all bugs
// share a build.
func joinVersions(module string, fields []vectors.Field, versions []string) string {
	var joined strings.Builder
	for i, text := range versions {
		for _, m := range moduleName.FindAllStringSubmatch(text, -1) {
			name := regexp.MustCompile(`\b` + m[1] + `\b`)
			text = name.ReplaceAllString(text, fmt.Sprintf("%s_version%d", m[1], i))
		}
		joined.WriteString(text + "\n")
	}
	controls := []string{"clk", "rst"}
	for i, f := range fields {
		if f.Clock { // it is among the fields; its reset is not
			controls = append(controls[:i], strings.TrimSuffix(f.Name, "_clk")+"_rst")
		}
	}
	fmt.Fprintf(&joined, "module %s (input wire %s", module, strings.Join(controls, ", input wire "))
	for _, f := range fields {
		direction := "input wire"
		if f.Dir == rtl.Output {
			direction = "output reg"
		}
		fmt.Fprintf(&joined, ", %s [%d:0] %s", direction, f.Width-1, f.Name)
	}
	joined.WriteString(");\n  integer version;\n  initial if (!$value$plusargs(\"version=%d\", version)) version = 0;\n")
	for i := range versions {
		var ports []string
		for _, f := range fields {
			wire := f.Name
			if f.Dir == rtl.Output {
				wire = fmt.Sprintf("%s_of%d", f.Name, i)
				fmt.Fprintf(&joined, "  wire [%d:0] %s;\n", f.Width-1, wire)
			}
			ports = append(ports, fmt.Sprintf(".%s(%s)", f.Name, wire))
		}
		for _, c := range controls {
			ports = append(ports, fmt.Sprintf(".%s(%s)", c, c))
		}
		fmt.Fprintf(&joined, "  %s_version%d v%d (%s);\n", module, i, i, strings.Join(ports, ", "))
	}
	for _, f := range fields {
		if f.Dir != rtl.Output {
			continue
		}
		fmt.Fprintf(&joined, "  always @* case (version)\n")
		for i := range versions[1:] {
			fmt.Fprintf(&joined, "    %d: %s = %s_of%d;\n", i+1, f.Name, f.Name, i+1)
		}
		fmt.Fprintf(&joined, "    default: %s = %s_of0;\n  endcase\n", f.Name, f.Name)
	}
	return joined.String() + "endmodule\n"
}
