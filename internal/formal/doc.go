// Package formal asks Yosys whether assertions about RTL hold in every cycle, for all inputs.
//
// A [Question] is RTL and a harness around it with assertions and assumptions. [Ask] gives it to the engines, one after
// another, until one knows: proved for all time, refuted with the shortest trace of inputs that shows it, or no more
// than a number of steps without a failure.
//
// # Engines
//
//   - sat: the solver inside Yosys, by temporal induction (Eén and Sörensson, 2003). It looks at one step more and one
//     more again: are the assertions true in the first k steps, and do k good steps in a row, from whatever state, make
//     the next one good? If both, they are always true.
//   - pdr: property directed reachability (Bradley, 2011), in yosys-abc. It finds the invariant that an induction
//     lacks.
//   - sums: networks of exclusive ors as lists of their inputs, in [Sums]. Two forms of a CRC are equal that no solver
//     compares. Registers that random inputs leave equal are assumed to be, and shown to stay so (van Eijk, 2000).
//   - smt: yosys-smtbmc with z3, by induction too; a second solver's word.
//
// # Assumptions
//
// A step is one edge of the one clock. RTL with a second clock, with the other edge of its clock, or with logic in its
// clock is refused. A register starts with any value, unless the part keeps its initial values. An x of the RTL, a net
// that nothing drives, a bit read from outside of a vector or memory and a quotient by zero are any value, in each step
// another. A z is refused. Memories are taken apart into registers.
package formal
