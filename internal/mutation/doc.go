// Package mutation says whether vectors are enough: it plants small faults in a unit's reference RTL and looks which
// of them the vectors show.
//
// Coverage of toggles and states says that a bit moved, not that anybody would have seen it move wrongly. A mutant is
// the reference RTL with one fault at one bit of one cell: inverted, stuck at 0 or 1, or inverted where a neighbouring
// bit is 0 or 1 (Yosys' mutate). It is killed if an output that counts differs from the model's in some row. Otherwise
// it is proved equal to the reference, or it stays open, with the reason.
//
// All mutants are one netlist with a selector, and 64 of them are simulated in one machine word. Each runs twice, from
// register contents before the reset that are each other's complement, so that a register which the mutant never
// resets shows in one of the two, unless others hide it.
//
// What the RTL leaves open, an x, is 0 in the first of the two runs and 1 in the second. A proof takes it as any
// value, the same in the reference and in the mutant.
package mutation
