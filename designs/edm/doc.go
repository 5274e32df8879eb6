// Package edm models EDM (Su and Shrivastav, ASPLOS 2025): a fabric for remote memory inside the Ethernet PHY. Hosts
// and a switch speak in 66-bit blocks between encoder and scrambler; a scheduler in the switch grants chunks by
// priority matching, so that data passes through circuits. [NewNetwork] wires the boxes of the paper's Figures 2 and 3,
// one file a box; [Run] sends messages through it and checks every cycle; [Faults] breaks its links, switches and
// nodes.
package edm
