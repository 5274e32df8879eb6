package blocks

import "embed"

// Verilog has the project's own RTL of the modules of this package: verilog/UNIT.v, blocks_crc32 say.
//
//go:embed verilog/*.v
var Verilog embed.FS
