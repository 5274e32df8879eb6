package sweep

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/goldwire/goldwire/internal/program"
)

// Slurm is what an array job shall look like.
type Slurm struct {
	Program string // the command goldwire, as the nodes find it
	// the greatest number of tasks in the array; Slurm's own limit, MaxArraySize, is 1001 unless it is configured
	Tasks   int
	AtOnce  int      // the greatest number at a time; 0 for no limit
	CPUs    int      // of each task
	Options []string // further ones of sbatch: "--partition=long"
}

// mostCPUs is how many workers `sweep shard` takes.
const mostCPUs = 1024

// mostArgument is how long one argument of a command is made. Linux takes 128 KiB.
const mostArgument = 64 << 10

// pointsArguments are the arguments of `sweep shard` that name points, each of a length that a system takes.
func pointsArguments(numbers []int) []string {
	const most = mostArgument / len("-100000,")
	var args []string
	for len(numbers) > 0 {
		n := min(len(numbers), most)
		args = append(args, "--points", FormatNumbers(numbers[:n]))
		numbers = numbers[n:]
	}
	return args
}

// deal gives every tasks-th number to one task: neighbours, which as a rule take as long, go to different ones.
func deal(numbers []int, tasks int) [][]int {
	parts := make([][]int, min(tasks, len(numbers)))
	for i, n := range numbers {
		parts[i%len(parts)] = append(parts[i%len(parts)], n)
	}
	return parts
}

func (o *Slurm) check() error {
	switch {
	case o.Tasks < 1 || o.Tasks > mostPoints:
		return fmt.Errorf("--tasks %d: want 1 to %d", o.Tasks, mostPoints)
	case o.AtOnce < 0 || o.AtOnce > mostPoints:
		return fmt.Errorf("--at-once %d: want 0 to %d", o.AtOnce, mostPoints)
	case o.CPUs < 1 || o.CPUs > mostCPUs:
		return fmt.Errorf("--cpus %d: want 1 to %d", o.CPUs, mostCPUs)
	}
	for _, x := range o.Options {
		if !strings.HasPrefix(x, "-") || strings.ContainsAny(x, "\n\r") {
			return fmt.Errorf("--option %q: want an option of sbatch, --partition=long say", x)
		}
	}
	return nil
}

// Slurm writes a batch script with an array of tasks for the missing points, and returns how many points are missing.
// Slurm does not retry a task that ended by itself, whatever its exit code; with --requeue it starts those again whose
// node went down or that were preempted, and they go on where they were.
func (s *Sweep) Slurm(w io.Writer, store Store, o Slurm) (missing int, err error) {
	if err := o.check(); err != nil {
		return 0, err
	}
	dir, err := filepath.Abs(store.Dir)
	if err != nil {
		return 0, err
	}
	if strings.ContainsAny(dir, "\n\r\\") { // a \ in the pattern of an output turns its % off
		return 0, fmt.Errorf("%q: a script cannot name this directory", dir)
	}
	points, err := s.Missing(store, Options{})
	if err != nil || len(points) == 0 {
		return 0, err
	}
	parts := deal(numbersOf(points), o.Tasks)
	array := fmt.Sprintf("0-%d", len(parts)-1)
	if o.AtOnce > 0 {
		array += fmt.Sprintf("%%%d", o.AtOnce)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `#!/bin/bash
# %s: %d points that are missing. Submit it with sbatch; a failed check is never retried.
#SBATCH --job-name=%s
#SBATCH --array=%s
#SBATCH --cpus-per-task=%d
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%s
`, s.Experiment, len(points), label(program.Name())+"-"+strings.ReplaceAll(s.Experiment, "/", "-"), array, o.CPUs,
		logOf(dir))
	for _, x := range o.Options {
		b.WriteString("#SBATCH " + x + "\n")
	}
	b.WriteString("points=(\n")
	for _, part := range parts {
		b.WriteString("  '" + strings.Join(pointsArguments(part), " ") + "'\n")
	}
	// the words of an element are options and their values, without spaces
	fmt.Fprintf(&b, ")\nexec %s sweep shard %s --workers %d ${points[$SLURM_ARRAY_TASK_ID]}\n",
		quoted(o.Program), quoted(dir), o.CPUs)
	_, err = io.WriteString(w, b.String())
	return len(points), err
}

// logOf is the pattern of the tasks' outputs. In Slurm's patterns a % is doubled; sbatch takes the words of a line as
// a shell does.
func logOf(dir string) string {
	return quoted(filepath.Join(strings.ReplaceAll(dir, "%", "%%"), "slurm-%A_%a.out"))
}

func numbersOf(points []*Point) []int {
	numbers := make([]int, len(points))
	for i, pt := range points {
		numbers[i] = pt.Number
	}
	return numbers
}
