// Package ethernet is remote memory over raw Ethernet, RoCEv2 and TCP/IP at 25 Gb/s: hosts, links and a layer-2
// switch. Its boxes are as long as Table 1 of EDM (Su and Shrivastav, ASPLOS 2025) says.
//
//	Requester ┐                                                                                     ┌ Requester
//	Responder ┴ Encapsulator ─ stack ─ MAC ─ PCS ═ link ═ PCS ─ MAC ─ Switch ─ ⋯ ─ MAC ─ stack ─ Decapsulator ┴ Responder
//
//	Switch:  PCS ─ MAC ─ Parser ─ MatchAction ─ PacketManager ─ Crossbar ─ MAC ─ PCS
//
// [NewNetwork] wires hosts and a switch, [Network.Run] sends memory messages through it, [Throughput] counts requests
// a second, and a [TripRecorder] notes when a frame passes each box.
//
// README.md says how fractions of a cycle are held, and which parts are simplified.
package ethernet
