package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newRun() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run SCENARIO",
		Short: "Run a scenario",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("unknown scenario %q, want pcs-loop or edm", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPCSLoop(), newEDM())
	return cmd
}
