// Package ethernet is what EDM (Su and Shrivastav, ASPLOS 2025) compares itself with: remote memory over raw Ethernet, RoCEv2
// and TCP/IP through a layer-2 switch, at 25 Gb/s, as Table 1 and Figure 6 have it.
//
//	Requester ┐                                                                                     ┌ Requester
//	Responder ┴ Encapsulator ─ stack ─ MAC ─ PCS ═ link ═ PCS ─ MAC ─ Switch ─ ⋯ ─ MAC ─ stack ─ Decapsulator ┴ Responder
//
//	Switch:  PCS ─ MAC ─ Parser ─ MatchAction ─ PacketManager ─ Crossbar ─ MAC ─ PCS
//
// [NewNetwork] wires hosts and a switch, [Network.Run] sends memory messages through it, [Throughput] counts requests a second,
// a [TripMonitor] notes when a frame passes each box, and [Claims] sets that beside Table 1.
//
// A box of the table is as long as the table says, in nanoseconds. See README.md for how fractions of a cycle are held, and for
// what is simplified.
package ethernet
