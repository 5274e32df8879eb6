package budgets

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/pcs"
)

// verilated is a design in Verilog, compiled by Verilator with all optimisation.
type verilated struct{ dir string }

// topRTL is the same loop as loops builds: a source that plays words, our reference RTL, a sink that condenses.
const topRTL = `module loop(input clk, input rst, output reg [63:0] sum);
    reg [71:0] words [0:1023];
    initial $readmemh("words.hex", words);
    reg [9:0] at;
    reg [63:0] x_data; reg [7:0] x_ctrl; reg x_valid;
    wire [63:0] e_p, s_p, d_p, n_p, y_data; wire [1:0] e_h, s_h, d_h, n_h; wire e_v, s_v, d_v, n_v, y_valid; wire [7:0] y_ctrl;
    always @(posedge clk)
        if (rst) begin
            at <= 0; x_data <= 0; x_ctrl <= 0; x_valid <= 0; sum <= 0;
        end else begin
            at <= at + 1;
            {x_ctrl, x_data} <= words[at];
            x_valid <= 1;
            sum <= {sum[62:0], sum[63]} + (y_data ^ {y_ctrl, 56'h0});
        end
    pcs_encoder encoder(clk, rst, x_data, x_ctrl, x_valid, e_p, e_h, e_v);
    pcs_scrambler scrambler(clk, rst, e_p, e_h, e_v, s_p, s_h, s_v);
    pcs_descrambler descrambler(clk, rst, s_p, s_h, s_v, d_p, d_h, d_v, n_p, n_h, n_v);
    pcs_decoder decoder(clk, rst, d_p, d_h, d_v, n_p, n_h, n_v, 1'b1, 1'b0, y_data, y_ctrl, y_valid);
endmodule
`

// mainCPP clocks the loop and times it, the reset aside.
const mainCPP = `#include "Vloop.h"
#include <ctime>
#include <cstdio>
#include <cstdlib>
int main(int argc, char** argv) {
    VerilatedContext context;
    Vloop top{&context};
    long cycles = atol(argv[1]);
    top.rst = 1;
    for (int i = 0; i < 4; i++) { top.clk = 0; top.eval(); top.clk = 1; top.eval(); }
    top.rst = 0;
    std::clock_t start = std::clock();
    for (long i = 0; i < cycles; i++) { top.clk = 0; top.eval(); top.clk = 1; top.eval(); }
    double took = double(std::clock() - start) / CLOCKS_PER_SEC;
    printf("%016llx %.9f\n", (unsigned long long)top.sum, took);
}
`

func buildVerilated(ctx context.Context, words []pcs.XGMII) (*verilated, error) {
	var hex strings.Builder
	for _, x := range words {
		fmt.Fprintf(&hex, "%02x%016x\n", x.Ctrl, x.Data)
	}
	files := map[string]string{"loop.v": topRTL, "main.cpp": mainCPP, "words.hex": hex.String()}
	for _, name := range []string{"encoder", "scrambler", "descrambler", "decoder"} {
		rtl, err := pcs.Verilog.ReadFile("verilog/pcs_" + name + ".v")
		if err != nil {
			return nil, err
		}
		files["pcs_"+name+".v"] = string(rtl)
	}
	return verilate(ctx, fastest, "loop", files)
}

// fastest is the C++ compiler's optimisation for timed code.
const fastest = "-O3"

// verilate compiles a top module with its main.cpp to a program named as the module. Both compilers do all they can
// for speed: no code for waveforms, the cheapest values for bits that do not matter, and C++ for this processor.
func verilate(ctx context.Context, optimise, top string, files map[string]string,
	options ...string) (*verilated, error) {
	dir, err := os.MkdirTemp("", "goldwire-bench-")
	if err != nil {
		return nil, err
	}
	v := &verilated{dir}
	if err := v.build(ctx, optimise, top, files, options); err != nil {
		v.remove()
		return nil, err
	}
	return v, nil
}

func (v *verilated) build(ctx context.Context, optimise, top string, files map[string]string, options []string) error {
	command := append(
		[]string{
			"--cc", "-O3", "--x-assign", "fast", "--x-initial", "fast", "--noassert", "-Wno-fatal", "-Wno-lint",
			"-Wno-style", "--top-module", top, "--Mdir", "build",
		},
		options...)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(v.dir, name), []byte(files[name]), 0o644); err != nil {
			return err
		}
		if filepath.Ext(name) == ".v" {
			command = append(command, name)
		}
	}
	cmd := hdl.Command(ctx, 0, append([]string{"verilator"}, command...))
	cmd.Dir = v.dir
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := hdl.Run(cmd); err != nil {
		return fmt.Errorf("verilator: %w\n%s", err, said.Bytes())
	}
	main := filepath.Join(v.dir, "main.cpp")
	program := hdl.Verilated{Top: top, Obj: filepath.Join(v.dir, "build"), More: []string{main},
		Optimise: optimise, Native: true}
	return program.Build(ctx, filepath.Join(v.dir, top), nil)
}

// run clocks the loop from its reset and returns the sink's sum and the processor seconds taken.
func (v *verilated) run(ctx context.Context, cycles int) (sum uint64, seconds float64, err error) {
	cmd := exec.CommandContext(ctx, filepath.Join(v.dir, "loop"), fmt.Sprint(cycles))
	cmd.Dir = v.dir
	var said bytes.Buffer
	cmd.Stdout = &said
	if err := hdl.Run(cmd); err != nil {
		return 0, 0, fmt.Errorf("the verilated loop: %w", err)
	}
	_, err = fmt.Fscanf(&said, "%x %g", &sum, &seconds)
	return sum, seconds, err
}

func (v *verilated) remove() { os.RemoveAll(v.dir) }
