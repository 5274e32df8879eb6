// Package cosim runs somebody else's RTL against a model and tells at which cycle they part.
//
//   - [Start] builds a [Design] with Verilator or Icarus, binds its ports to the unit's fields by a [Map] or by their
//     names, and returns a [Session]. [Session.Run] drives both in lockstep and compares every output in every cycle.
//   - [Session.Shrink] makes the stimulus of a [Divergence] short, by delta debugging.
//   - [ReplayVCD] takes a waveform that any simulator wrote, drives what its inputs show at each clock edge into the
//     model, and compares the outputs.
//
// # Cycles
//
// A cycle is a row as in package vectors: the inputs stand from the falling edge on, outputs are compared just before
// the rising one. Cycle 0 is the first without reset. A register of cycle k follows inputs up to cycle k-1.
//
// # How the two are joined
//
// The RTL is wrapped in a module whose ports are the unit's fields, so that names, bit order, polarity and packing are
// Verilog's business. Under Verilator the wrapper is linked with a generated C++ program that shares memory with this
// process: the model fills a batch of rows while the RTL runs the one before. Under Icarus the rows go through pipes as
// text.
package cosim
