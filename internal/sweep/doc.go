// Package sweep runs an experiment over values of its parameters, on any number of machines, without a master that has
// to live.
//
// A [Plan] names an experiment, the parameters that stay, the parameters that vary, and the number of seeds. A point
// is one run of the experiment, with one value of each parameter and one seed. Its [Key] is a checksum of everything
// that decides its result: all parameters with defaults, the contents of input files, the seed and the source of the
// program.
//
// A [Store] is a directory with the plan and a file for each result, named by its key. So no point is measured twice,
// on whichever machine. Run a sweep again to resume it. Copy files to put the stores of several machines together: two
// machines that measured the same point check each other, since their files must be the same, byte for byte. Wall
// times stand in files of their own.
//
// [Sweep.Run] measures the missing points on the processors of one machine, all or a share of them. There is no
// scheduler: [Sweep.Slurm] and [Sweep.Kubernetes] write a script and a manifest that run the shares.
package sweep
