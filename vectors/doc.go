// Package vectors hands modules over to a team that has only a simulator: it runs a module, records every port at every
// cycle, and writes the record as $readmemh files, CSV, and a self-checking SystemVerilog testbench.
//
// A [Unit] is a module that can be run alone: how to build it and how to drive its inputs. A package lists its units
// in a [Catalogue]. [Capture] runs one and returns a [Set]; [Write] exports the set to a directory and [Read] reads it
// back; [Compare] drives a set's inputs into the model again and finds the first difference.
//
// # Rows
//
// Row k of a set has the settled values of all inputs and outputs during cycle k. Row 0 is the reset state with the
// first inputs, before the first edge; row k has the values after edge k. So a register of row k depends on the inputs
// up to row k-1, and a combinational output follows the inputs of row k itself. [Unit].Latency counts in rows.
//
// A model has no reset port: a simulation starts in the reset state. The exported testbench has: it holds rst high for
// [ResetCycles] rising edges with the inputs of row 0, and the RTL has to be in the state of row 0 when rst falls.
//
// # The hexadecimal files
//
// One row a line, no x, no z, no addresses: the subset of IEEE 1800-2017 21.4 that Icarus 11 and Verilator 5 share. All
// inputs of a row (stimulus.hex) or all outputs (expected.hex) are concatenated, the first one in the most significant
// bits, as in a Verilog concatenation. An output that means nothing in some rows still has its model's value there; its
// field names the valid bit that says when it counts, and neither the testbench nor Compare looks at it otherwise.
package vectors
