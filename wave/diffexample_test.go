package wave_test

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/wave"
)

// Two dumps are compared as flip-flops take their values: before each rising edge of the clock.
func ExampleDiff() {
	const head = "$timescale 1ns $end\n$scope module top $end\n$var wire 1 c clk $end\n$var wire 8 d data $end\n" +
		"$upscope $end\n$enddefinitions $end\n"
	a, _ := wave.NewReader(strings.NewReader(head+"#0\n0c\nb1 d\n#5\n1c\n#6\n0c\nb10 d\n#10\n1c\n"), "a.vcd")
	b, _ := wave.NewReader(strings.NewReader(head+"#0\n0c\nb1 d\n#5\n1c\n#6\n0c\nb11 d\n#10\n1c\n"), "b.vcd")
	result, err := wave.Diff(a, b, wave.DiffOptions{Clock: "top.clk"})
	fmt.Println(result.Same(), result.Samples, err)
	// Output: false 2 <nil>
}
