package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/sweep"
)

// printSubmission prints the job that measures the missing points of a directory's sweep, or says why nothing is
// printed. Write returns how many points are missing.
func printSubmission(
	cmd *cobra.Command, house design.House, dir string,
	write func(s *sweep.Sweep, w io.Writer, store sweep.Store) (missing int, err error),
) error {
	s, store, err := openSweep(house, dir)
	if err != nil {
		return err
	}
	missing, err := write(s, cmd.OutOrStdout(), store)
	if err == nil && missing == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "nothing is missing")
	}
	return err
}

func newSweepSlurm(house design.House) *cobra.Command {
	var o sweep.Slurm
	cmd := &cobra.Command{
		Use:   "slurm DIR",
		Short: "Print a Slurm script that measures what is missing",
		Long: `Print a batch script for Slurm, an array job over the points that are missing now. The nodes must see the
directory, and the command, at the same paths. Nothing needs to stay alive meanwhile. When the array is done,
"goldwire sweep status" says what is left, and the same command prints a script for that.`,
		Example: "  goldwire sweep slurm campaign > campaign.sh && sbatch campaign.sh\n" +
			"  goldwire sweep slurm campaign --tasks 40 --at-once 10 --option=--time=1:00:00 | sbatch",
		Args: oneDirectory,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Program == "" {
				var err error
				if o.Program, err = os.Executable(); err != nil {
					return err
				}
			}
			return printSubmission(
				cmd, house, args[0],
				func(s *sweep.Sweep, w io.Writer, store sweep.Store) (int, error) { return s.Slurm(w, store, o) },
			)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Tasks, "tasks", 1000, "tasks of the array at most, among which the points are dealt")
	f.IntVar(&o.AtOnce, "at-once", 0, "tasks that run at a time; 0 for no limit")
	f.IntVar(&o.CPUs, "cpus", 1, "processors of a task, and points that it measures at a time")
	f.StringArrayVar(&o.Options, "option", nil, "a further `option` of sbatch, --partition=long say; may be repeated")
	f.StringVar(&o.Program, "program", "", "the command goldwire as the nodes find it (default: this one)")
	return cmd
}

func newSweepKubernetes(house design.House) *cobra.Command {
	var o sweep.Kubernetes
	var recipe bool
	cmd := &cobra.Command{
		Use:   "kubernetes DIR",
		Short: "Print a Kubernetes manifest that measures what is missing",
		Long: `Print the manifest of an Indexed Job over the points that are missing now. A PersistentVolumeClaim has the
sweep's directory, and the image the command; --recipe prints how to build one. Exit codes 1 and 2, a failed check and
a point that cannot be run, end an index at once; what was killed is tried again. Nothing needs to stay alive
meanwhile.`,
		Example: "  goldwire sweep kubernetes --recipe > Containerfile\n" +
			"  goldwire sweep kubernetes campaign --image registry.example/goldwire --claim sweeps --folder campaign | " +
			"kubectl create -f -",
		Args: func(cmd *cobra.Command, args []string) error {
			if recipe && len(args) == 0 {
				return nil
			}
			return oneDirectory(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if recipe {
				_, err := io.WriteString(cmd.OutOrStdout(), sweep.ImageRecipe)
				return err
			}
			if o.Image == "" || o.Claim == "" {
				return errors.New(
					"--image and --claim are wanted: what runs, and the PersistentVolumeClaim with the sweep's directory",
				)
			}
			return printSubmission(
				cmd, house, args[0],
				func(s *sweep.Sweep, w io.Writer, store sweep.Store) (int, error) { return s.Kubernetes(w, store, o) },
			)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Image, "image", "", "the `image`, whose entry point is goldwire")
	f.StringVar(&o.Claim, "claim", "", "the PersistentVolumeClaim with the sweep's directory")
	f.StringVar(&o.Folder, "folder", "", "the sweep's directory within the claim; empty for its root")
	f.IntVar(&o.Pods, "pods", 1000, "indexes at most, among which the points are dealt")
	f.IntVar(&o.AtOnce, "at-once", 10, "pods that run at a time")
	f.IntVar(&o.CPUs, "cpus", 1, "processors of a pod, and points that it measures at a time")
	f.StringVar(&o.Memory, "memory", "", "memory that a pod asks for, 512Mi say")
	f.IntVar(&o.Tries, "tries", 3, "how often an index is tried again that was killed")
	f.BoolVar(&recipe, "recipe", false, "print a recipe for the image instead")
	return cmd
}
