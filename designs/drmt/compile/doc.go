// Package compile makes the image of a machine from a P4 program and its schedule: which field of the header vector has which P4 field,
// which ALU does what for which instruction pointer, where tables lie, which key segments they have, which results wait in which entry of the scratch
// pad, and which predicate guards what. What does not fit is one error that names the place.
//
// # What a program may do
//
// An action's primitives take effect together, so the compiler replaces what one writes in those after it. Each field that an action
// writes then is one ALU operation on fields, action data and constants; a field of more than 32 bits takes two, which can copy and do
// bitwise logic but not carry. A condition is comparisons, an ALU each, joined by and, or, not in the predicates. Anything deeper does not fit one
// cycle of a dRMT processor, and the compiler says so.
//
// # What is checked
//
// Each two operations of a path through the program are checked for the times that the hardware needs between them (hazards.go), whatever the
// graph said that the schedule was made from: the compiler does not trust it.
package compile
