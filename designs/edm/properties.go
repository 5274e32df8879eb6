package edm

import (
	"embed"
	"fmt"
	"math/bits"
	"strings"

	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/vectors/property"
)

//go:embed properties/*.sv
var harnesses embed.FS

// Properties are the proved properties of this package's RTL.
func Properties() []property.Property {
	return property.Load(harnesses, Verilog, matchingOf(2, 1), matchingOf(3, 1))
}

// matchingOf returns the proved properties of a scheduler with that many ports, and active notifications a pair.
func matchingOf(ports, active int) property.Property {
	inside := map[string]string{
		"state": "dut.state", "asks": "dut.asks", "matched": "dut.matched", "remove": "dut.remove",
		"renew": "dut.renew", "listed": "dut.listed", "waits": "dut.waits",
	}
	// elements connects a wire of the harness with the registers of an array, the first one in its lowest bits.
	elements := func(name string, n, width int) {
		for i := range n {
			inside[fmt.Sprintf("%s[%d:%d]", name, width*i+width-1, width*i)] = fmt.Sprintf("dut.%s[%d]", name, i)
		}
	}
	port := bits.Len(uint(ports - 1))
	for name, width := range map[string]int{"busy": 3, "peer": port, "chosen": port, "asked": port + 1, "gone": port + 1} {
		elements(name, ports, width)
	}
	elements("ahead", 2*ports*ports, port+1)
	elements("count", 2*ports*ports, bits.Len(uint(active)))
	bugs := []vectors.Bug{
		{Kind: "a busy source is asked", Edits: []string{"&& src_free[k/2] && (", "&& ("}},
		{
			Kind: "a source hears the destinations from its own number on",
			Edits: []string{
				"for (d = 0; d < N; d = d + 1)\n                            if (asks[d]",
				"for (d = s; d < N; d = d + 1)\n                            if (asks[d]",
			},
		},
	}
	// the second one starves a pair for more than 19 cycles then, and Yosys wants more than 4 GiB to find that
	if ports > 2 {
		bugs = bugs[:1]
	}
	return property.Property{
		Name: fmt.Sprintf("edm/matching_%d", ports), Harness: "matching",
		Params: map[string]int{"N": ports, "ACTIVE": active},
		Doc: fmt.Sprintf("grants of a scheduler of %d ports are a matching of what was demanded, and it becomes maximal",
			ports),
		Modules: []string{"edm_scheduler"}, Connect: inside, Registers: true, Engine: property.SAT, Slow: true,
		Hold: map[string]string{
			"long": fmt.Sprintf("%d'd0", ports), "is_read": fmt.Sprintf("%d'd0", ports),
			"id":    fmt.Sprintf("%d'd0", 8*ports),
			"bytes": fmt.Sprintf("%d'h%s", 16*ports, strings.Repeat("0008", ports)),
			"any":   fmt.Sprintf("8'd%d", 1<<(port+1)),
		},
		Show: []string{"notify", "grant", "granted", "left", "demand", "stuck", "waited", "state"},
		Bugs: bugs,
	}
}
