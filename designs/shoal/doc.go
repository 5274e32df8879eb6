// Package shoal models Shoal (NSDI 2019): a rack network of circuit switches without buffers that run through a fixed schedule, and of
// nodes that spread their cells over all others and bound every queue by backpressure over a single hop.
//
// [Schedule] is the fabric's schedule and [Clos] its decomposition into the schedules of small switches. README.md has what
// is there and what falls short.
package shoal
