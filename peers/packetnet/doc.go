// Package packetnet models networks packet by packet, to compare designs with, under remote reads and writes. Around
// one switch it has the schemes of Figure 8 of EDM (Su and Shrivastav, ASPLOS 2025): IRD, DCTCP, pFabric, PFC, CXL and
// Fastpass. On a folded Clos or a torus it has the schemes of Figure 15 of Shoal (Shrivastav et al., NSDI 2019):
// DCTCP, DCQCN, NDP, R2C2 and an ideal output-queued switch. [Run] sends messages through one; [Fabric] does so with
// an interface that other networks have too.
//
// The models are plain loops over byte times, not modules of the kernel. A byte time is the time of a byte on a link,
// 80 ps at 100 Gb/s, so frames of any size and all delays of EDM's Table 1 fall on it within half a byte. A byte time
// with an event has two steps: first every arriving packet is taken in, then every idle transmitter decides which
// packet to send. So packets that arrive together compete, whatever their order. Byte times without events are
// skipped. Nothing is allocated in the loop once its pools have grown, and one seed gives one result.
//
// README.md says for each scheme which parts are modelled, which are simplified, and which way that tilts the
// comparison.
package packetnet
