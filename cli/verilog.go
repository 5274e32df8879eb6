package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/emit"
	"github.com/goldwire/goldwire/rtl"
)

func newVerilog(house design.House) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use: "verilog MODULE",
		RunE: func(cmd *cobra.Command, args []string) error {
			units := house.Units()
			if len(args) > 0 {
				u, err := units.Find(args[0])
				if err != nil {
					return err
				}
				units = units[:0]
				units = append(units, u)
			}
			var modules []rtl.Module
			for _, u := range units {
				if u.Assemble == nil {
					in, err := u.Simulate(rtl.Config{}, 1)
					if err != nil {
						return err
					}
					modules = append(modules, in.Module)
				}
			}
			src, err := emit.Load(cmd.Context(), dir, modules...)
			if err != nil {
				return err
			}
			for _, u := range units {
				start := time.Now()
				if u.Assemble != nil {
					fmt.Println(u.Name, "several clocks")
					continue
				}
				in, err := u.Simulate(rtl.Config{}, 1)
				if err != nil {
					return err
				}
				c, err := src.Circuit(in.Module, u.Module())
				if err != nil {
					fmt.Println(u.Name, "refused:", err)
					continue
				}
				text := c.Verilog()
				if len(units) == 1 {
					fmt.Print(text)
				} else {
					fmt.Println(u.Name, len(text), c.Nodes, time.Since(start))
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "dir", ".", "the Go module that has the source")
	return cmd
}
