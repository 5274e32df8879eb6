// Package workload makes, reads and writes the Ethernet traffic that drives a model.
//
// A [Frame] is what a MAC is handed: the bytes from the destination address to the end of the payload, without preamble,
// padding or FCS, and the time it is offered. Frames come from
//
//   - a capture: [ReadPcapFile] reads classic pcap (both byte orders, micro- and nanoseconds) and pcapng, and refuses a
//     file it cannot give back exactly, naming the record and the byte at which it stopped;
//   - the generator: [Generate] makes numbered frames with a pseudo-random payload for a list of sizes, which is the
//     caller's own or comes from [EverySize], [UniformSizes] or [IMIXSizes].
//
// [WritePcapFile] writes frames as a nanosecond pcap, the same bytes for the same frames on every machine.
//
// What is not here: arrival processes. Generated frames are all offered at time 0, so a MAC sends them back to back with
// the gap that it chooses; captured frames keep their recorded spacing.
package workload
