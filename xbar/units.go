package xbar

import (
	"embed"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Verilog has the project's own RTL of this package's units: verilog/xbar_segment.v and so on.
//
//go:embed verilog/*.v
var Verilog embed.FS

// chip is the clock of the dRMT paper's synthesis (§6).
var chip = clock.MHz(1200)

const unitPorts, unitSegments = 4, 2

// unitShape is small enough to be read in a waveform.
func unitShape(multicast bool) Shape {
	return Shape{Kind: Segment, Inputs: unitPorts, Outputs: unitPorts, Segments: unitSegments, Multicast: multicast}
}

// Units returns the segment crossbar of 4 ports with 2 segments of 16 bits: one-to-one, one-to-many, and with the connections of a period.
func Units() vectors.Catalogue {
	return vectors.Catalogue{
		controlledUnit("xbar/segment", "segment crossbar of 4×4 ports with 2 segments, one-to-one, set by a controller; 1 cycle", false, 1,
			vectors.Bug{Kind: "the first source wins in silence", Field: `out_\d_.*`, Edits: []string{"clash[o] = 1'b1;", "clash[o] = 1'b0;"}}),
		controlledUnit("xbar/segment_multicast", "segment crossbar of 4×4 ports with 2 segments, one-to-many, set by a controller; 2 cycles", true, 2,
			vectors.Bug{Kind: "the last port is not reached", Field: `out_[67]_.*|fault_.*`, Edits: []string{"p < 4; p = p + 1", "p < 3; p = p + 1"}}),
		{
			Name: "xbar/segment_periodic", Doc: "segment crossbar of 4×4 ports with 2 segments, one-to-many, connections of a period of 3 cycles; 1 cycle",
			Ref: "dRMT §5.3", Latency: 1, Clock: chip,
			Unmoved: laneNumbers(),
			Bugs:    []vectors.Bug{{Kind: "the period is too long", Field: `(out|fault)_.*`, Edits: []string{"phase == 2'd2 ? 2'd0", "phase == 2'd3 ? 2'd0"}}},
			Build: func(b *vectors.Bench) rtl.Module {
				x, err := NewPeriodic[uint16](unitShape(true), 1, unitPeriod())
				if err != nil {
					panic(err) // the configuration is a constant
				}
				driveWords(b, x.In)
				return x
			},
		},
	}.WithRTL(Verilog)
}

// unitPeriod is a rotation, then a broadcast and two words to one output, then all ports to themselves.
func unitPeriod() [][]Transfer {
	period := make([][]Transfer, 3)
	for p := range unitPorts {
		for s := range unitSegments {
			from := Lane{p, s}
			period[0] = append(period[0], Transfer{From: from, To: []Lane{{(p + 1 + s) % unitPorts, s}}})
			period[2] = append(period[2], Transfer{From: from, To: []Lane{from}})
		}
	}
	period[1] = []Transfer{
		{From: Lane{1, 0}, To: []Lane{{0, 0}, {1, 0}, {2, 0}, {3, 0}}},
		{From: Lane{2, 1}, To: []Lane{{3, 1}}},
		{From: Lane{3, 1}, To: []Lane{{3, 1}, {0, 1}}},
	}
	return period
}

// laneNumbers are the fields of a fault that 8 lanes leave unused.
func laneNumbers() map[string]string {
	return map[string]string{
		"fault_output[15:3]": "8 lanes", "fault_first[15:3]": "8 lanes", "fault_second[15:3]": "8 lanes",
	}
}

func controlledUnit(name, doc string, multicast bool, stages int, bug vectors.Bug) vectors.Unit {
	return vectors.Unit{
		Name: name, Doc: doc, Ref: "dRMT §5.3, Fig. 12", Latency: stages, Clock: chip, Unmoved: laneNumbers(), Bugs: []vectors.Bug{bug},
		Build: func(b *vectors.Bench) rtl.Module {
			x, err := NewControlled[uint16, uint8](unitShape(multicast), stages)
			if err != nil {
				panic(err) // the configuration is a constant
			}
			driveWords(b, x.In)
			for i := range x.Route {
				rng := b.Rand()
				vectors.Drive(b, &x.Route[i], func(cycle uint64) uint8 {
					switch rng.IntN(12) {
					case 0:
						return uint8(rng.Uint32()) // several outputs, or one that does not exist
					case 1:
						return 0
					}
					// mostly a rotation, in which nobody meets
					return 1 << ((i/unitSegments + int(cycle/4)) % unitPorts)
				})
			}
			return x
		},
	}
}

func driveWords(b *vectors.Bench, in []rtl.In[Word[uint16]]) {
	for i := range in {
		rng := b.Rand()
		vectors.Drive(b, &in[i], func(uint64) Word[uint16] {
			return Word[uint16]{Data: uint16(rng.Uint32()), Valid: rng.IntN(4) > 0}
		})
	}
}
