// Package p4 reads the programs that dRMT and RMT run, and runs them itself.
//
// # Programs
//
// [ParseBMv2] reads the JSON that p4c writes for BMv2's simple_switch (p4c-bm2-ss, P4-16 with the v1model architecture)
// into a [Program], and checks it against the format's rules while it does: names and numbers that are used must be
// declared, widths must be given, control flow must end. Forms that p4c wrote before, and P4_14's, are read, too; what
// simple_switch does not do (other architectures, externs of other targets) is refused by name. An [Interpreter] runs a
// program packet by packet as simple_switch does: machines are compared with it. Recordings of simple_switch decide its
// behaviour.
//
// [Program.Graph] derives the operation dependency graph of §3.1 of the paper: a match and an action for each table, a
// condition for each if, and their dependencies by the rules of Jose et al. (NSDI 2015), which the paper cites.
//
// # Graphs without a program
//
// [ReadGraph] reads a graph in this package's JSON form, [ReadPythonGraph] one in the Python files of dRMT's authors,
// as data: nothing is executed.
//
// # Tables' contents
//
// [ReadEntries] reads the commands table_add and table_set_default of BMv2's simple_switch_CLI, [ReadConfiguration]
// those for action profiles, multicast groups, mirroring sessions, registers, meters and value sets, too.
// [ReadRuntime] reads the JSON that controllers of the P4 tutorials take for P4Runtime.
package p4
