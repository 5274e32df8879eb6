// Package schedule finds and checks the fixed schedules that dRMT runs (§3 of the paper): at which cycle after a
// packet's arrival its processor starts each match and each action, the same for every packet.
//
// # The problem
//
// A [Graph] is the operation dependency graph of a program. A [Limits] has the operations that a processor can start in
// a cycle (Table 1) and the capacities of its hardware (§5). A processor receives a packet every P cycles, the period,
// so the operations that it starts in one cycle are of one class modulo P, of different packets. A [Schedule] is a
// start time for each operation; [Schedule.Validate] checks it against graph and limits by the definitions of §3.1 and
// Appendix A.1 and shares no code with the search for schedules.
//
// The length T of a schedule is its last start minus its first plus 1. A switch of N processors takes N/P packets a
// cycle, a processor holds at most ceil(T/P) packets (Proposition A.1), and at one packet a cycle T is the number of
// threads of the switch (§4).
//
// # Which limits
//
// The paper's integer program knows match capacity, action capacity and IPC. The hardware of §5 has more: eight
// distinct actions a cycle, 64 entries of scratch pad, 32 threads, a period of at most 32 (the program counter has five
// bits). [DRMT] has all of them; [Limits.WithoutHardware] leaves the paper's.
package schedule
