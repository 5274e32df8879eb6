package drmt

import (
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/xbar"
)

// Image is what a compiler loads into a machine.
type Image struct {
	Name           string
	Period, Length int               // P and T, cycles
	Keys           []KeyEntry        // by cycle of the period
	Threads        []ThreadEntry     // by cycle of the period
	Slots          [][Slots]Slot     // by cycle of the period
	Arrivals       [][]Arrival       // by cycle of the period: results that come back
	Terms          [][]PredicateTerm // by cycle of the period, in the order of evaluation
	Memory         *InstructionMemory
	Outcome        []Predicate // by instruction pointer: the condition of a packet whose match gave it
	Clusters       int
	Tables         []TableConfig
}

// SlotKind says where a slot's pointer comes from.
type SlotKind uint8

// Kinds of slots.
const (
	Unused      SlotKind = iota
	FromLane             // a result that comes back in this cycle
	FromScratch          // one that waits in the scratch pad
	Fixed                // the same for every packet: a condition, or an action without a match
)

// Slot is one of the eight actions of a cycle.
type Slot struct {
	Kind    SlotKind
	Lane    uint8       // of FromLane: the key segment of its table
	Scratch ScratchRing // of FromScratch
	Pointer uint16      // of Fixed
	Age     uint8       // of the packet, in periods
}

// ScratchRing is a table's entries of the scratch pad. Its results take them round robin, one a period.
type ScratchRing struct {
	Base, Count uint8
}

func (r ScratchRing) entry(serial uint32) uint8 { return r.Base + uint8(serial%uint32(r.Count)) }

// Arrival is a result that comes back in a cycle of the period.
type Arrival struct {
	Lane uint8
	// Parts are the segments of a split table's other parts. A result on one of them, the first that has one, is taken
	// instead of Lane's: parts hold the entries in the order of their priority (§2.1).
	Parts   []uint8
	Age     uint8       // of its packet, in periods
	Scratch ScratchRing // Count 0: it is used at once
}

// TableConfig is a table, or a part of one that is split over clusters: its place, the cycle of its key, and its
// contents.
type TableConfig struct {
	Name    string
	Cluster int
	Class   int   // cycle of the period in which its key leaves a processor
	Lanes   []int // its key segments, first to last
	Result  int   // the segment on which its result comes back
	HitOnly bool  // it sends no result for a miss: the parts of a split table but the last
	Table   *Table
}

// threads is how many packets a processor holds: ceil(T/P) (Proposition A.1).
func (m *Image) threads() int { return (m.Length + m.Period - 1) / m.Period }

// Check reports what no machine can hold.
func (m *Image) Check() error {
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("image "+m.Name+": "+format, args...))
	}
	switch {
	case m.Period < 1 || m.Period > MaxPeriod:
		fault("a period of %d cycles, the program counter has %d", m.Period, MaxPeriod)
	case m.Length < 1 || m.threads() > Threads:
		fault(
			"a length of %d cycles and a period of %d need %d threads, a processor has %d", m.Length, m.Period,
			m.threads(), Threads,
		)
	}
	for _, l := range []struct {
		what string
		n    int
	}{
		{"key configurations", len(m.Keys)}, {"thread entries", len(m.Threads)}, {"cycles of slots", len(m.Slots)},
		{"cycles of arrivals", len(m.Arrivals)}, {"cycles of predicate terms", len(m.Terms)},
	} {
		if l.n != m.Period {
			fault("%d %s for a period of %d", l.n, l.what, m.Period)
		}
	}
	if m.Memory == nil || len(m.Memory.Slices) > ALUs || len(m.Memory.Select) != m.Period {
		fault("the instruction memory has not %d slices or fewer and %d select entries", ALUs, m.Period)
	}
	if len(m.Outcome) > Pointers {
		fault("%d instruction pointers, the memory has %d entries", len(m.Outcome), Pointers)
	}
	for _, t := range m.Tables {
		if t.Cluster < 0 || t.Cluster >= m.Clusters || t.Class < 0 || t.Class >= m.Period || len(t.Lanes) < 1 ||
			len(t.Lanes) > Segments {
			fault("table %s: cluster %d of %d, class %d, %d segments", t.Name, t.Cluster, m.Clusters, t.Class, len(t.Lanes))
		}
	}
	return errors.Join(faults...)
}

// Latencies of the way of a match, in cycles: with key generation's register they are the match latency of Table 1.
const (
	keyGeneration  = 1
	CrossbarStages = 2  // each way: 4 of the 22 cycles (§6)
	ClusterLatency = 17 // with key generation the 18 of RMT
	MatchLatency   = keyGeneration + CrossbarStages + ClusterLatency + CrossbarStages
	ActionLatency  = 2 // fetch, execute
)

// keyShape and resultShape are the multicast segment crossbars that §5.3 picks.
func keyShape(processors, clusters int) xbar.Shape {
	return xbar.Shape{Kind: xbar.Segment, Inputs: processors, Outputs: clusters, Segments: Segments, Multicast: true}
}

func resultShape(processors, clusters int) xbar.Shape {
	return xbar.Shape{Kind: xbar.Segment, Inputs: clusters, Outputs: processors, Segments: Segments}
}

// connections returns the transfers of both crossbars for each cycle of the period, for processors that take packets at
// these cycles of it. Edge 1 of a machine is cycle 0: a key that leaves at the edge of cycle c passes the crossbar's
// first register in cycle c+1.
func (m *Image) connections(offset []int) (keys, results [][]xbar.Transfer) {
	keys, results = make([][]xbar.Transfer, m.Period), make([][]xbar.Transfer, m.Period)
	for p, o := range offset {
		for _, t := range m.Tables {
			name := fmt.Sprintf("%s of processor %d", t.Name, p)
			at := (o + t.Class + keyGeneration) % m.Period
			for _, l := range t.Lanes {
				keys[at] = append(
					keys[at],
					xbar.Transfer{Name: name, From: xbar.Lane{Port: p, Segment: l}, To: []xbar.Lane{{Port: t.Cluster, Segment: l}}},
				)
			}
			l := t.Result
			at = (at + CrossbarStages + ClusterLatency) % m.Period
			results[at] = append(
				results[at],
				xbar.Transfer{Name: name, From: xbar.Lane{Port: t.Cluster, Segment: l}, To: []xbar.Lane{{Port: p, Segment: l}}},
			)
		}
	}
	return keys, results
}
