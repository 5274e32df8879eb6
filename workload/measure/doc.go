// Package measure has the figures that judge every network, defined once:
//
//   - load, as a share of the links' time, for the payload alone and for all that goes on the line with it ([Traffic],
//     [Demand]);
//   - what a message takes alone ([Lone]), and latency against that ([Latency], [Slowdown]);
//   - completion times by the size of the message ([BySize]);
//   - quantiles ([Quantile], [Histogram]) and intervals over independent runs ([Mean]).
//
// A network that can be measured is a [Fabric].
package measure
