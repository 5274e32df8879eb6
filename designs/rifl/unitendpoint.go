package rifl

import (
	"fmt"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// The endpoint of EndpointUnit: beats of as many bytes as a frame has, IDs of 6 bits, crystals 600 ppm apart, and a
// link that is up after 64 aligned cycles.
const (
	endpointID    = 6
	endpointPPM   = 300.0
	endpointUpBit = 6
)

// EndpointUnit is a whole end of a link of one lane, from user to line and back, as a unit of four clocks. The far
// end, a cable with bit errors and both users are around it: users that stall, so that both sides pause, and errors,
// so that both retransmit.
func EndpointUnit() vectors.Unit { return endpointUnit(func(*vectors.Bench, *Link) {}) }

// endpointConfig is the link that the endpoint is an end of.
func endpointConfig() LinkConfig {
	cfg := LinkConfig{Config: Default(), BER: [2]float64{1e-6, 1e-6}, PPM: [2]float64{endpointPPM, -endpointPPM},
		Groups: 1, UserBytes: 8 * unitWords, Offset: 53, Seed: endpointID, flits: leastFlits}
	cfg.FrameBits, cfg.IDBits, cfg.UpBit = 64*unitWords, endpointID, endpointUpBit
	for e := range uint64(2) {
		cfg.Send[e], cfg.Expect[1-e] = Packets(e, 1, 700), Packets(e, 1, 700)
		cfg.Stall[e] = func(cycle uint64) bool { return (cycle+100*e)%700 > 700-4<<endpointID || cycle%7 == 3 }
	}
	return cfg
}

// endpointUnit lets look see the link of each instance.
func endpointUnit(look func(b *vectors.Bench, l *Link)) vectors.Unit {
	cfg := endpointConfig()
	near, far := cfg.LaneRate.PPM(endpointPPM).Times(1, 64), cfg.LaneRate.PPM(-endpointPPM).Times(1, 64)
	_, phase := blocks.Recover(cfg.LineTime(), clock.Time{}, far.Period())
	return vectors.Unit{
		Name: "rifl/endpoint", Doc: "an end of one lane, from user to line and back", Ref: "RIFL Fig. 6",
		Clock: near.Times(1, unitWords),
		Clocks: []vectors.UnitClock{{Name: "frame", Freq: near.Times(1, unitWords)}, {Name: "transceiver", Freq: near},
			{Name: "recovered", Freq: far, Phase: phase}, {Name: "free", Freq: clock.MHz(100)}},
		Assemble: func(b *vectors.Bench) vectors.Assembly {
			l := &Link{Sim: b.Sim(), Config: endpointConfig()}
			if err := l.assemble(); err != nil {
				panic(err) // the configuration is a constant
			}
			look(b, l)
			end, lane := l.Ends[0], l.Ends[0].Lanes[0]
			a := vectors.Assembly{Clocks: []*rtl.Clock{end.Frame, end.Transceiver, lane.Recovered, end.Free}}
			add := func(m rtl.Module, port, name string, c *rtl.Clock) {
				a.Ports = append(a.Ports, vectors.PortOf(m, port, name, c))
			}
			for i := range unitWords {
				add(end.Framer, fmt.Sprintf("data_%d", i), fmt.Sprintf("in_data_%d", i), end.Frame)
			}
			add(end.Framer, "control", "in", end.Frame)
			add(end.Framer, "ready", "in_ready", end.Frame)
			for i := range unitWords {
				add(end.Collector, fmt.Sprintf("data_%d", i), fmt.Sprintf("out_data_%d", i), end.Frame)
			}
			add(end.Collector, "control", "out", end.Frame)
			add(end.Collector, "ready", "out_ready", end.Frame)
			add(end.Collector, "overflow", "overflow", end.Frame)
			add(lane.CodeGenerator, "out", "to_line", end.Transceiver)
			last := &a.Ports[len(a.Ports)-1]
			last.Leaves = last.Leaves[:1] // the word alone: its other fields end at this port
			add(lane.Aligner, "in", "from_line", lane.Recovered)
			return a
		},
	}
}
