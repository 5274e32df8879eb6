package spfc

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// Time is an instant or a duration in picoseconds.
type Time int64

// Durations.
const (
	Nanosecond  Time = 1000
	Microsecond Time = 1000 * Nanosecond
	Millisecond Time = 1000 * Microsecond
	Never       Time = math.MaxInt64 // later than every event
)

// Byte times of the paper's line rates.
const (
	Gbps10  Time = 800
	Gbps100 Time = 80
	Gbps400 Time = 20
)

// Priorities is how many there are (IEEE 802.1Q).
const Priorities = 8

// CellBytes is the width of the shared memory.
const CellBytes = 64

// maxPorts is the width of the sets of ports in the arbiters.
const maxPorts = 64

// ECN is the marking of packets by the length of their egress queue: never up to KMin, always above KMax, between them
// with a probability that grows linearly to PMax.
type ECN struct {
	KMin, KMax int64 // bytes; KMax 0: no marks
	PMax       float64
}

// ECNFor returns the paper's DCQCN marking for a line rate: 100 KB, 400 KB and 0.2 at 25 Gb/s, in proportion to the
// rate.
func ECNFor(byteTime Time) ECN {
	const perByteAt25 = 320
	return ECN{KMin: 100_000 * perByteAt25 / int64(byteTime), KMax: 400_000 * perByteAt25 / int64(byteTime), PMax: 0.2}
}

// BufferPort holds a port's parameters in a buffer manager.
type BufferPort struct {
	ByteTime Time  // of the line
	Headroom int64 // bytes for each lossless priority
	ECN      ECN   // of each priority's egress queue
}

// BufferConfig describes a buffer manager.
type BufferConfig struct {
	Ports []BufferPort // 1 to 64
	Bytes int64        // of the memory

	Lossless      uint8 // bit n: priority n is under PFC, and a packet of it is never dropped
	Reserve       int64 // bytes for each port and lossless priority, beside the pool
	HeadroomApart bool  // the headrooms are memory beside Bytes, not carved out of them
	ResumeOffset  int64 // RESUME this far below the threshold, with as much of the pool free
	// ResumeStrictly: RESUME only then. By default a port that has nothing in the pool resumes too: it
	// would never again when the threshold is below the offset, since RESUME is decided on its own dequeues.
	ResumeStrictly bool
	Cell           int64 // packets are accounted in whole cells, of this many bytes; 0 or 1: by the byte

	Policy     Policy
	AlphaShift int    // alpha of DT is 2 to this power
	Static     int64  // threshold of ST; 0: Bytes by the number of ports
	Pinned     uint64 // bit n: ingress port n has the whole pool, if Policy is Pinned

	// The circuit of SPFC.
	Window  Time // TC
	K       int64
	Packets int64 // IRC counts packets of this many bytes in place of bytes (§V.A); 0: bytes
	// WindowPhase is how much later a port's window ends than the window of the port before it; 0: one TC for all.
	WindowPhase Time
	Readings    Readings

	// MarkArrivals: a packet is marked as it comes, by the bytes in the egress queue before it. By default it is marked
	// as it leaves, by the bytes then left in the queue.
	MarkArrivals bool

	Seed uint64 // of ECN marks
	Log  bool   // keep records: Manager.States, Manager.Decisions
}

// Default values where the paper is silent, taken from common lossless switches.
const (
	defaultReserve      = 4096 // a page of memory a port
	defaultResumeOffset = 3072 // three packets of 1 KB
)

// DefaultBuffer is a switch of §III: SPFC's parameters (TC = 4 RTT of 20 us, K = 5), alpha 2, one lossless priority, 3.
func DefaultBuffer(ports int, bytes int64, headroom int64) BufferConfig {
	c := BufferConfig{Bytes: bytes, Lossless: 1 << 3, Reserve: defaultReserve, ResumeOffset: defaultResumeOffset,
		Policy: SPFC, AlphaShift: 1, Window: 80 * Microsecond, K: 5}
	for range ports {
		c.Ports = append(c.Ports, BufferPort{ByteTime: Gbps100, Headroom: headroom, ECN: ECNFor(Gbps100)})
	}
	return c
}

// Pool returns the bytes that all share: the memory without headrooms and reserves.
func (c *BufferConfig) Pool() int64 {
	pool := c.Bytes
	for _, p := range c.Ports {
		each := c.Reserve
		if !c.HeadroomApart {
			each += p.Headroom
		}
		pool -= each * int64(bits.OnesCount8(c.Lossless))
	}
	return pool
}

// CircuitThreshold returns IRC's counting number for a port: C x TC / K (§V.B).
func (c *BufferConfig) CircuitThreshold(port int) uint32 {
	perWindow := int64(c.Window / c.Ports[port].ByteTime)
	if c.Packets > 0 {
		perWindow /= c.Packets
	}
	return uint32(perWindow / c.K)
}

// Check returns an error for a configuration that cannot work.
func (c *BufferConfig) Check() error {
	var errs []error
	want := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	want(len(c.Ports) >= 1 && len(c.Ports) <= maxPorts, "%d ports, want 1 to %d", len(c.Ports), maxPorts)
	for i, p := range c.Ports {
		want(p.ByteTime > 0 && p.ByteTime <= 1_000_000, "port %d: %d ps a byte, want 1 to 1,000,000", i, p.ByteTime)
		want(p.Headroom >= 0, "port %d: a headroom of %d bytes", i, p.Headroom)
		want(p.ECN.KMin >= 0 && p.ECN.KMax >= 0 && (p.ECN.KMax == 0 || p.ECN.KMin <= p.ECN.KMax),
			"port %d: ECN from %d to %d bytes", i, p.ECN.KMin, p.ECN.KMax)
		want(p.ECN.PMax >= 0 && p.ECN.PMax <= 1, "port %d: ECN with probability %v", i, p.ECN.PMax)
	}
	want(c.Bytes > 0 && c.Bytes <= 1<<40, "a memory of %d bytes, want 1 to 2^40", c.Bytes)
	want(c.Reserve >= 0, "a reserve of %d bytes", c.Reserve)
	want(c.ResumeOffset >= 0, "RESUME %d bytes below the threshold", c.ResumeOffset)
	want(c.Cell >= 0 && c.Cell <= 1<<16, "cells of %d bytes", c.Cell)
	want(int(c.Policy) < len(policyNames), "%v", c.Policy)
	want(c.AlphaShift >= -alphaShifts && c.AlphaShift <= alphaShifts, "alpha 2^%d, want 2^-%d to 2^%d", c.AlphaShift,
		alphaShifts, alphaShifts)
	want(c.Static >= 0, "a static threshold of %d bytes", c.Static)
	want(c.Packets >= 0, "packets of %d bytes for IRC", c.Packets)
	if len(errs) == 0 {
		want(c.Pool() >= 0, "headrooms and reserves take %d bytes more than the memory's %d", -c.Pool(), c.Bytes)
	}
	if len(errs) == 0 && c.Policy == SPFC {
		want(c.K >= 1, "K is %d, want at least 1", c.K)
		want(c.Window > 0 && c.WindowPhase >= 0, "TC of %d ps, phase %d ps", c.Window, c.WindowPhase)
		for i := range c.Ports {
			want(len(errs) > 0 || c.CircuitThreshold(i) >= 1,
				"port %d: TC of %d ps by K = %d gives a count of 0", i, c.Window, c.K)
		}
	}
	return errors.Join(errs...)
}
