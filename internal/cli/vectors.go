package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"goldwire/internal/catalogue"
	"goldwire/vectors"
)

func newVectors() *cobra.Command {
	var dir string
	var cycles int
	var seed uint64
	var check bool
	cmd := &cobra.Command{
		Use:   "vectors MODULE",
		Short: "Write golden vectors and a self-checking testbench for a module",
		Long: `Run a module under a seeded stimulus and write what its ports show in every cycle: $readmemh files, a CSV table, a
manifest and a self-checking SystemVerilog testbench. The directory's README says how to run it with Icarus or Verilator
alone. With --check, compare the module with a directory written before.`,
		Example: "  goldwire vectors pcs/scrambler --dir scrambler\n  goldwire vectors pcs/scrambler --check --dir scrambler",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			u, err := catalogue.All().Find(args[0])
			if err != nil {
				return err
			}
			if dir == "" {
				dir = u.Module()
			}
			if check {
				return checkVectors(cmd, u, dir)
			}
			if cycles < 1 {
				return fmt.Errorf("--cycles %d: want at least 1", cycles)
			}
			set, err := vectors.Capture(u, cycles, seed)
			if err != nil {
				return err
			}
			if err := vectors.Write(dir, set); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d cycles of %s, seed %d; see %s/README.txt\n", dir, cycles, u.Name, seed, dir)
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "directory to write or to check (default: the module's Verilog name)")
	cmd.Flags().IntVar(&cycles, "cycles", 4096, "how many cycles")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the stimulus")
	cmd.Flags().BoolVar(&check, "check", false, "compare the module with the vectors in the directory")
	return cmd
}

func checkVectors(cmd *cobra.Command, u vectors.Unit, dir string) error {
	set, err := vectors.Read(dir)
	if err != nil {
		return err
	}
	if err := vectors.Compare(u, set); err != nil {
		fmt.Fprintln(cmd.OutOrStdout(), err)
		return errFailed
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s agrees with %s for %d cycles\n", u.Name, dir, len(set.Rows))
	return nil
}
