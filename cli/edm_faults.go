package cli

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/designs/edm"
)

func newEDMInterference() *cobra.Command {
	var messages int
	var seed uint64
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "interference",
		Short: "Memory accesses on links full of IP frames (§3.2.3)",
		Long: `Send lone reads and writes over links of 25 Gb/s that are full of frames of 1,518 bytes in both directions, with each policy of
the transmit multiplexer, and without frames. The exit code is 1 if a frame is damaged.`,
		Example: "  goldwire run edm interference",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if messages < 2 {
				return fmt.Errorf("--messages %d: want at least 2", messages)
			}
			var list []*edm.Interference
			damaged := 0
			for _, c := range []struct {
				policy edm.Sharing
				frames bool
			}{{edm.Fair, false}, {edm.Fair, true}, {edm.MemoryFirst, true}} {
				x, err := edm.RunInterference(cmd.Context(), c.policy, c.frames, messages, seed)
				if err != nil {
					return err
				}
				x.Results = nil
				damaged += x.Damaged
				list = append(list, x)
			}
			w := cmd.OutOrStdout()
			if asJSON {
				if err := printJSON(w, list); err != nil {
					return err
				}
			} else {
				t := newTable(w, "Policy", "Frames", "Gb/s a link", "Damaged", "Read ns", "Most", "Write ns", "Most", "Frame blocks held", "Reassembled")
				for _, x := range list {
					t.AppendRow(table.Row{x.Policy, x.Frames, fmt.Sprintf("%.1f", x.FrameGbps), x.Damaged, fmt.Sprintf("%.1f", x.Read.Mean), fmt.Sprintf("%.1f", x.Read.Most),
						fmt.Sprintf("%.1f", x.Write.Mean), fmt.Sprintf("%.1f", x.Write.Most), x.MostFrames, x.MostReceived})
				}
				t.Render()
			}
			if damaged > 0 {
				return errFailed
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&messages, "messages", 200, "reads and writes")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the frames and the times")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newEDMFaults() *cobra.Command {
	var seed uint64
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "faults",
		Short: "Bit errors, a dead switch, a dead memory node (§3.3)",
		Long: `Flip every bit of a read and of a write on every link, let a switch die with and without a second one that mirrors it, and let a
memory node die; report what is seen, what is lost, and what hangs.`,
		Example: "  goldwire run edm faults\n  goldwire run edm faults --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := edm.Faults(cmd.Context(), seed)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), r)
			}
			return r.Text(cmd.OutOrStdout())
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the messages and of the times")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
