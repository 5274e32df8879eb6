package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func newRun() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run SCENARIO",
		Short: "Run a scenario",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			var names []string
			for _, c := range cmd.Commands() {
				names = append(names, c.Name())
			}
			return fmt.Errorf("unknown scenario %q, want %s", args[0], strings.Join(names, " or "))
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newEDM(), newMatching(), newPCSLoop(), newRIFL())
	return cmd
}
