// Package pcs is the 64b/66b physical coding sublayer of IEEE 802.3 Clause 49 (10GBASE-R), which Clause 107 takes over
// for 25GBASE-R: one 66-bit block a clock cycle, at 156.25 MHz or 390.625 MHz.
//
//	frames ─ Framer ─ Encoder ─ Scrambler ─ TxGearbox ─┐
//	                                                Channel
//	frames ─ Deframer ─ Decoder ─ Descrambler ─ RxGearbox
//	                       │                  └ BlockSync, BERMonitor
//
// Each box is a module, one register stage deep: an edge after a block goes in, its result comes out. So the transmit
// path (encoder, scrambler) takes 2 cycles and the receive path (descrambler, decoder) takes 2.
//
// All words are in the order of the line: bit 0 of a word goes first. A block's payload is what Figure 49-5 draws from
// left to right; byte 0 of an XGMII word is lane 0.
//
// Every word has a Valid bit, which is a clock enable: a cycle without it is no cycle for the module. It is always set
// unless a gearbox narrower than 66 bits makes the pipeline pause, as it does in 1 of 33 cycles at 64 bits.
//
// [Tx] and [Rx] are the chains from the XGMII to the line and back. [Loop] wires it all up; cmd/goldwire runs it as
// `goldwire run pcs-loop`.
package pcs
