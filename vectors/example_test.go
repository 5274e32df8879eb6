package vectors_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// A unit is a few lines: its module, and the drivers of its inputs.
func ExampleCapture() {
	unit := vectors.Unit{
		Name: "test/adder", Doc: "Adds two bytes.", Latency: 1, Clock: clock.MHz(156.25),
		Build: func(b *vectors.Bench) rtl.Module {
			m := &adder{}
			vectors.Drive(b, &m.In, func(cycle uint64) addends {
				return addends{A: uint8(cycle), B: 0xfd, Valid: true}
			})
			return m
		},
	}
	set, err := vectors.Capture(unit, 5, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range set.Fields {
		fmt.Printf("%10s", f.Name)
	}
	for _, row := range set.Rows {
		fmt.Println()
		for _, v := range row {
			fmt.Printf("%10x", v)
		}
	}
	// Output:
	//       in_a      in_b  in_valid   out_sum out_valid
	//          0        fd         1         0         0
	//          1        fd         1        fd         1
	//          2        fd         1        fe         1
	//          3        fd         1        ff         1
	//          4        fd         1       100         1
}

// The hand-over: everything an FPGA team needs, in one directory.
func ExampleWrite() {
	temp, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(temp)
	dir := filepath.Join(temp, "adder")

	set, err := vectors.Capture(adderUnit(), 1000, 1)
	if err == nil {
		err = vectors.Write(dir, set)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		fmt.Println(f.Name())
	}
	ports, _ := os.ReadFile(filepath.Join(dir, "test_adder_ports.svh"))
	fmt.Print(string(ports))
	// Output:
	// README.txt
	// expected.hex
	// manifest.json
	// stimulus.hex
	// test_adder_ports.svh
	// test_adder_tb.sv
	// vectors.csv
	// // The declaration of the module that test_adder_tb.sv instantiates. Ports go by name: their order is free.
	// //
	// //   Adds two bytes.
	// //   Specified in: arithmetic & logic
	// module test_adder (
	//     input  wire clk,  // 156.25MHz, rising edge
	//     input  wire rst,  // synchronous, active high
	//     input  wire [7:0] in_a,
	//     input  wire [7:0] in_b,
	//     input  wire in_valid,
	//     output wire [8:0] out_sum,  // register, counts while out_valid
	//     output wire out_valid  // register
	// );
	// endmodule
}
