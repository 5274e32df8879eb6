// Package tb holds the parts of testbenches.
//
//   - [CheckUnit] is the ladder of tests that every unit of a catalogue climbs: one trace in every mode, no allocation,
//     the declared latency, vectors that survive export, and a golden file.
//   - [Latency] measures a module's latency by flipping one bit of one input in one cycle and looking for the first
//     output that differs. Nothing is taken from a table.
//   - [AgainstReference] compares a module with a plain function on inputs that rapid makes up and shrinks.
//   - [Receiver] is the consumer of a ready/valid stream, with seeded stalls, as [vectors.Sender] is the producer;
//     [Monitor] stands between two other modules and reports the first rule of the stream that they break.
//     [Scoreboard] compares a design's words with the expected ones; [ExactLatency] compares their cycles.
//
// Scoreboard, monitor and latencies report errors instead of failing a testing.T, so that scenarios outside tests can
// use them too.
package tb
