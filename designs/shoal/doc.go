// Package shoal models Shoal (NSDI 2019): a rack network of circuit switches without buffers that run through a fixed
// schedule, and of nodes that spread their cells over all others and bound every queue by backpressure over a single
// hop.
//
//   - [Schedule] is the fabric's schedule, [Clos] its decomposition into the schedules of small switches.
//   - [Node] is the congestion control of one node. plainrule.go has the same rule, slow and plain, and a random test
//     that holds both to each other.
//   - [Rack] is all nodes slot by slot, up to 1,024; [Prototype] is up to 16 nodes bit by bit, on all clocks.
//   - [CircuitSwitch], [HeaderEncoder], [HeaderDecoder], [ReleaseLogic] and [CellScheduler] are modules with RTL.
//
// README.md has the readings, the results, and the omissions.
package shoal
