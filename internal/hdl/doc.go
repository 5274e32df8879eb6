// Package hdl runs SystemVerilog testbenches under the simulators that are installed: Icarus Verilog and Verilator. It
// is checked with Icarus 11.0 and Verilator 5.006 to 5.051; Verilator before 5 has no --timing.
package hdl
