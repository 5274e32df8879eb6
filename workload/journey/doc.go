// Package journey follows messages, packets, cells and frames through the boxes of a design, and shows their ways.
//
// A design's observer tells a [Recorder] at which edge a message reached which place; a stage lasts from the edge
// before to that edge. So the stages of a journey join without a gap, and its total is the time between its first edge
// and its last: no constant takes part. The methods of a nil Recorder do nothing, so a run without a journey pays one
// comparison per call.
//
// A recorder's journeys form a [Log], which is written in four forms:
//
//	.txt      a table: a row a journey, a column a cycle, a letter a stage
//	.svg      the same drawn to scale, with times
//	.json     trace events, which chrome://tracing, Perfetto and speedscope open
//	.pftrace  a trace of Perfetto (ui.perfetto.dev), in which one nanosecond shown is one picosecond
//
// Equal logs give equal bytes.
package journey
