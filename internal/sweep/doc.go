// Package sweep runs an experiment over values of its parameters, on any number of machines, without a master that has to live.
//
// A [Plan] says what is asked for: an experiment, the parameters that stay, those that vary, and how many seeds. A point is one run of
// the experiment, with one value of each parameter and one seed. Its [Key] is a checksum of all that decides its result: every
// parameter, defaults too, the contents of input files, the seed and the source of the program.
//
// A [Store] is a directory with the plan and a file for each result, named by its key. So a point that was measured is never measured
// again, whoever measured it: a sweep is resumed by being run again, stores of several machines are put together by copying files, and
// two machines that measured the same point check each other, since their files must be the same, byte for byte. Wall time stands in
// files of its own.
//
// [Sweep.Run] measures the missing points on the processors of one machine, all or a share of them. There is no scheduler:
// [Sweep.Slurm] and [Sweep.Kubernetes] write a script and a manifest that run the shares.
package sweep
