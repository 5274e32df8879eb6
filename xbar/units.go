package xbar

import (
	"embed"
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"strings"

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

// Units returns the segment crossbar, by default of 4 ports with 2 segments of 16 bits: one-to-one, one-to-many, and
// with the connections of a period.
func Units() vectors.Catalogue {
	return vectors.Catalogue{
		controlledUnit(
			"xbar/segment",
			false,
			1,
			vectors.Bug{
				Kind:  "the first source wins in silence",
				Field: `out_\d_.*`,
				Edits: []string{"clash[o] = 1'b1;", "clash[o] = 1'b0;"},
			},
		),
		controlledUnit(
			"xbar/segment_multicast",
			true,
			2,
			vectors.Bug{
				Kind:  "the last port is not reached",
				Field: `out_[67]_.*|fault_.*`,
				Edits: []string{"p < PORTS; p = p + 1", "p < PORTS - 1; p = p + 1"},
			},
		),
		periodicUnit(),
	}.WithRTL(Verilog)
}

// sizes are the parameters of all units. A segment crossbar of one segment is a plain one.
func sizes(leastSegments, stages uint64) []vectors.Param {
	return []vectors.Param{
		{Name: "ports", Default: 4, Min: 2, Max: 8, Help: "input ports, and as many output ports", RTL: "PORTS"},
		{Name: "segments", Default: 2, Min: leastSegments, Max: 4, Help: "segments of a port", RTL: "SEGMENTS"},
		{Name: "width", Default: 16, Min: 8, Max: 64, Power: true, Help: "bits of a segment's word", RTL: "WIDTH"},
		{Name: "stages", Default: stages, Min: 1, Max: 4, Help: "register stages, the cycles of latency", RTL: "STAGES"},
	}
}

// unitOf returns a unit with its RTL, without a Build function, and the crossbar's shape.
func unitOf(name, kind string, multicast bool, p vectors.Settings) (vectors.Unit, Shape) {
	s := Shape{Kind: Segment, Inputs: p.Int("ports"), Outputs: p.Int("ports"), Segments: p.Int("segments"),
		Multicast: multicast}
	to, cycles := "one-to-one", "1 cycle"
	if multicast {
		to = "one-to-many"
	}
	if n := p.Int("stages"); n > 1 {
		cycles = fmt.Sprintf("%d cycles", n)
	}
	lanes := s.Inputs * s.Segments
	u := vectors.Unit{
		Name: name, Valid: vectors.ValidEach("out", lanes), Latency: p.Int("stages"), Clock: chip,
		Unmoved: laneNumbers(lanes),
		Doc: fmt.Sprintf(
			"segment crossbar of %d×%d ports with %d segments, %s, %s; %s", s.Inputs, s.Outputs, s.Segments, to, kind,
			cycles,
		),
	}
	text, err := Verilog.ReadFile("verilog/" + u.Module() + ".v")
	if err != nil {
		panic(err) // the file is embedded
	}
	u.RTL = vectors.RepeatPorts(string(text), lanes, "in", "route", "out")
	return u, s
}

// laneNumbers names the bits of a fault that are unused with this number of lanes.
func laneNumbers(lanes int) map[string]string {
	m := map[string]string{}
	for _, field := range []string{"output", "first", "second"} {
		m[fmt.Sprintf("fault_%s[15:%d]", field, bits.Len(uint(lanes-1)))] = fmt.Sprintf("%d lanes", lanes)
	}
	return m
}

func controlledUnit(name string, multicast bool, stages uint64, bug vectors.Bug) vectors.Unit {
	return vectors.Parametric(sizes(1, stages), func(p vectors.Settings) (vectors.Unit, error) {
		u, s := unitOf(name, "set by a controller", multicast, p)
		u.Ref, u.Bugs = "dRMT §5.3, Fig. 12", []vectors.Bug{bug}
		build := buildControlled[uint16]
		switch p.Int("width") {
		case 8:
			build = buildControlled[uint8]
		case 32:
			build = buildControlled[uint32]
		case 64:
			build = buildControlled[uint64]
		}
		u.Build = func(b *vectors.Bench) rtl.Module { return build(b, s, p.Int("stages")) }
		return u, nil
	})
}

func buildControlled[T Mask](b *vectors.Bench, s Shape, stages int) rtl.Module {
	x, err := NewControlled[T, uint8](s, stages)
	if err != nil {
		panic(err) // the parameters are within its bounds
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
			return 1 << ((i/s.Segments + int(cycle/4)) % s.Outputs)
		})
	}
	return x
}

// periodicUnit has a period of its own: a user's is another module, and a table is no number.
func periodicUnit() vectors.Unit {
	return vectors.Parametric(sizes(2, 1), func(p vectors.Settings) (vectors.Unit, error) {
		u, s := unitOf("xbar/segment_periodic", "connections of a period of 3 cycles", true, p)
		period := unitPeriod(s)
		u.Ref = "dRMT §5.3"
		u.Bugs = []vectors.Bug{{Kind: "the period is too long", Field: `(out|fault)_.*`,
			Edits: []string{"phase == 2'd2 ? 2'd0", "phase == 2'd3 ? 2'd0"}}}
		u.RTL = routesTable.ReplaceAllLiteralString(u.RTL, routesText(s, period))
		build := buildPeriodic[uint16]
		switch p.Int("width") {
		case 8:
			build = buildPeriodic[uint8]
		case 32:
			build = buildPeriodic[uint32]
		case 64:
			build = buildPeriodic[uint64]
		}
		u.Build = func(b *vectors.Bench) rtl.Module { return build(b, s, p.Int("stages"), period) }
		return u, nil
	})
}

func buildPeriodic[T Mask](b *vectors.Bench, s Shape, stages int, period [][]Transfer) rtl.Module {
	x, err := NewPeriodic[T](s, stages, period)
	if err != nil {
		panic(err) // the parameters are within its bounds
	}
	driveWords(b, x.In)
	return x
}

// unitPeriod is a rotation, then a broadcast and two words to one output, then all ports to themselves.
func unitPeriod(s Shape) [][]Transfer {
	period := make([][]Transfer, 3)
	for p := range s.Inputs {
		for k := range s.Segments {
			from := Lane{p, k}
			period[0] = append(period[0], Transfer{From: from, To: []Lane{{(p + 1 + k) % s.Outputs, k}}})
			period[2] = append(period[2], Transfer{From: from, To: []Lane{from}})
		}
	}
	all := Transfer{From: Lane{1, 0}}
	for p := range s.Outputs {
		all.To = append(all.To, Lane{p, 0})
	}
	last, segment := s.Inputs-1, s.Segments-1
	period[1] = []Transfer{
		all,
		{From: Lane{last - 1, segment}, To: []Lane{{last, segment}}},
		{From: Lane{last, segment}, To: []Lane{{last, segment}, {0, segment}}},
	}
	return period
}

// routesTable is the connections of the period in the RTL.
var routesTable = regexp.MustCompile(`ROUTES = \{[^;]*;`)

// routesText is a period as the RTL has it: a row a cycle, in it the output ports of each input lane, the last first.
func routesText(s Shape, period [][]Transfer) string {
	var rows []string
	for _, ts := range period {
		to := make([]uint64, s.Inputs*s.Segments)
		for _, t := range ts {
			for _, l := range t.To {
				to[len(to)-1-s.lane(t.From)] |= 1 << l.Port
			}
		}
		var lanes []string
		for _, ports := range to {
			lanes = append(lanes, fmt.Sprintf("%d'b%0*b", s.Outputs, s.Outputs, ports))
		}
		rows = append([]string{"        {" + strings.Join(lanes, ", ") + "}"}, rows...)
	}
	return "ROUTES = {\n" + strings.Join(rows, ",\n") + "};"
}

func driveWords[T Mask](b *vectors.Bench, in []rtl.In[Word[T]]) {
	for i := range in {
		rng := b.Rand()
		vectors.Drive(b, &in[i], func(uint64) Word[T] {
			x := uint64(rng.Uint32())
			if uint64(^T(0)) > math.MaxUint32 {
				x = x<<32 | uint64(rng.Uint32())
			}
			return Word[T]{Data: T(x), Valid: rng.IntN(4) > 0}
		})
	}
}
