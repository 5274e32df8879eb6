package pcs

import "embed"

// Verilog has the reference RTL of this package's modules, verilog/pcs_encoder.v and so on: plain Verilog-2001 with the
// ports of the exported testbenches.
//
//go:embed verilog/*.v
var Verilog embed.FS
