// Package xbar has crossbars: it decides which transfers fit through one in a cycle and which segments they take, and
// has the hardware that moves them.
//
// A crossbar joins input ports to output ports. A port has segments, each as wide as a word of the design; a segment
// of a port is a [Lane]. A [Shape] says which lanes can meet (dRMT §5.3, Figure 12):
//
//   - [Unit]: a whole port is joined to a whole port;
//   - [Segment]: segment k of an input is joined to segment k of an output, each k for itself;
//   - [Full]: any segment is joined to any segment.
//
// Each of them is one-to-one or, with Multicast, one-to-many.
//
//   - [Shape.Check] decides whether transfers with given lanes can pass in one cycle, and names the two that clash.
//   - [Shape.Route] finds lanes for [Demand]s. On a segment crossbar that is an edge colouring: if no demand goes to
//     more than one output and no port has more segments than it has lanes, there always is one (dRMT Theorem 5.1, by
//     König). With demands that go to several outputs there may be none; then the error has the fewest demands that
//     refuse, as a counter-example.
//   - [Periodic] is the module whose connections are fixed for each cycle of a period, as dRMT's compiler does it.
//   - [Controlled] is the module whose connections a controller sets in each cycle.
//
// Both modules report contention with the lanes of both sources and deliver neither; they also report a word that no
// connection takes. Nothing is queued and nothing is arbitrated here.
//
// EDM's crossbar (package edm) is one-to-one and of one segment, so its data path is a [Controlled] one. It stays
// apart: it is combinational, it follows messages rather than cycles (a circuit lasts until the message's end), and a
// block that finds its egress taken waits in a queue of its ingress, where a crossbar of this package reports a fault.
package xbar
