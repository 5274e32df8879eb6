// Package compile makes the image of a machine from a P4 program and its schedule: which field of the header vector has
// which P4 field, which ALU does what for which instruction pointer, where tables lie, which key segments they have,
// which results wait in which entry of the scratch pad, and which predicate guards what. A misfit is one error that
// names the place.
//
// # What a program may do
//
// A program is lowered first: what simple_switch does and no ALU does becomes assignments (lowerops.go), keys of
// headers that may be gone are copied (validity.go), registers and counters become accesses to arrays in memory
// clusters (arrays.go), and actions that take more than one operation for a field are split into steps (steps.go). Each
// field that an action writes then is one ALU operation on fields, action data and constants; a field of more than 32
// bits takes two. Fields of more than 64 bits are divided into words (words.go). A condition is comparisons, an ALU
// each, joined by and, or, not in the predicates. What no machine runs is refused by name (supported.go). [Graph]
// derives the graph with the operations that lowering adds.
//
// # State
//
// The paper says nothing of registers. Here an array lies in a memory cluster, which all processors share, and an
// access takes the way and the time of a match. Counters and meters with rates are arrays, too. A packet that reads a
// register and writes it later makes two accesses, some cycles apart, and no other packet may come between:
// [Result.Spacing] says how far apart packets must be. A packet a cycle is for programs that work on each array once.
//
// # Checks
//
// Each two operations of a path through the program are checked for the times that the hardware needs between them
// (hazards.go), whatever the graph said that the schedule was made from: the compiler does not trust it.
package compile
