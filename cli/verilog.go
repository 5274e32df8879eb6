package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/emit"
	"github.com/goldwire/goldwire/internal/output"
	"github.com/goldwire/goldwire/internal/program"
	"github.com/goldwire/goldwire/vectors"
)

// verilogCommand is `goldwire verilog`.
type verilogCommand struct {
	parameters []string
	dir, out   string
}

func newVerilog(house design.House) *cobra.Command {
	var o verilogCommand
	cmd := &cobra.Command{
		Use:   "verilog MODULE",
		Short: "Write a module's Verilog, made of its own Go source",
		Long: `Run the module's Reset, Comb and Tick on symbols and write the result as Verilog-2005. A field that a Tick
changes is a register, a branch is a multiplexer, an array with one write a cycle is a memory. Ports have the names of
goldwire list MODULE; the clock is clk, the synchronous reset, active high, is rst. The unit builds the module, so
that its configuration is constant.

A unit of many modules, rifl/endpoint or pcs/endpoint, becomes a top with an instance for each.

Go that hardware cannot do is refused with its file and line, and with a hint: a map, a channel, a slice that grows
without a bound, a loop that no constant ends. A path that ends in a panic counts as never taken.

goldwire prove and goldwire cosim tell whether the text is right; docs/verilog.md has their answers for each module.
The command needs the Go tool and the source: run it in the repository of the module.`,
		Example: `  goldwire verilog pcs/scrambler
  goldwire verilog blocks/fifo --param depth=8 --out fifo.v
  goldwire prove blocks/fifo --rtl fifo.v --top blocks_fifo`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("verilog wants a module, see " + program.Name() + " list")
			}
			return nil
		},
		ValidArgsFunction: completeUnits(house, false),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd, house.Emitted(), args[0]) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.parameters, "param", nil,
		"values of the module's parameters, NAME=NUMBER,...: see goldwire list MODULE")
	f.StringVar(&o.dir, "dir", ".", "the Go module that has the source")
	f.StringVar(&o.out, "out", "", "file to write, instead of the standard output")
	return cmd
}

func (o *verilogCommand) run(cmd *cobra.Command, units vectors.Catalogue, name string) error {
	u, err := units.Find(name)
	if err != nil {
		return err
	}
	same := cosimCommand{parameters: o.parameters}
	if u, err = same.parametrise(u); err != nil {
		return err
	}
	if len(same.rtl.params) > 0 {
		return fmt.Errorf("unit %s has no parameter %s", u.Name, same.rtl.params[0])
	}
	c, err := emit.Whole(cmd.Context(), o.dir, u)
	if err != nil {
		return err
	}
	if o.out == "" {
		_, err = io.WriteString(cmd.OutOrStdout(), c.Verilog())
		return err
	}
	return output.WriteFile(o.out, []byte(c.Verilog()))
}
