// Package workload makes, reads and writes the traffic that drives a model: Ethernet frames and memory messages.
//
// A [Frame] is the input of a MAC: the bytes from the destination address to the end of the payload, without preamble,
// padding or FCS, and the time it is offered. Frames come from
//
//   - a capture: [ReadPcapFile] reads classic pcap (both byte orders, micro- and nanoseconds) and pcapng, and refuses a
//     file it cannot give back exactly, naming the record and the byte at which it stopped;
//   - the generator: [Generate] makes numbered frames with a pseudo-random payload for a list of sizes, which is the
//     caller's own or comes from [EverySize], [UniformSizes] or [IMIXSizes].
//
// [WritePcapFile] writes frames as a nanosecond pcap, the same bytes for the same frames on every machine.
//
// Generated frames are all offered at time 0, so a MAC sends them back to back with the gap that it chooses; captured
// frames keep their recorded spacing.
//
// A [Message] is a remote memory access, with the time it starts. Messages come from
//
//   - a trace: [ReadMessagesFile] reads CSV and refuses what is not exactly right, naming line and field;
//   - the generator: [GenerateMessages] makes Poisson arrivals in a [Pattern], with [Sizes] of published workloads that
//     [ParseSizes] knows by name.
//
// A [Flow] is a transfer one way, in a traffic class; [GenerateFlows] makes them.
//
// [WriteMessagesFile] writes a trace, [WriteResultsFile] one with the time each message took. [YCSB] makes the
// operations of a key-value store.
package workload
