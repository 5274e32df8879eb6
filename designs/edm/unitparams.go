package edm

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// The units of this package, with their parameters.

const unitSwitchPorts = 4 // of the reference RTL

func schedulerUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "ports", Default: unitSwitchPorts, Min: 2, Max: 8, Help: "ports of the switch"},
		{
			Name: "active", Default: 2, Min: 1, Max: 8, Help: "notifications of one kind that a pair may have at once",
			RTL: "ACTIVE",
		},
		{Name: "chunk", Default: 64, Min: 1, Max: 32767, Help: "most bytes of a grant", RTL: "CHUNK"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		ports, active, chunk := p.Int("ports"), p.Int("active"), p.Int("chunk")
		u := vectors.Unit{
			Name:  "edm/scheduler",
			Valid: vectors.ValidEach("grant", ports),
			Doc: fmt.Sprintf("central scheduler of %d ports: matching with priorities, 3 cycles an iteration, chunks of "+
				"%d bytes", ports, chunk), Ref: "EDM §3.1.2",
			Bugs: []vectors.Bug{{Kind: "grants the worst request", Field: "grant_[0-3]_.*",
				Edits: []string{"rank[d] < best", "rank[d] > best"}}},
			Latency: 1, Clock: clock.MHz(3000), // of the paper's ASIC (§4.1)
			Unmoved: beyond(ports, chunk),
			Build: func(b *vectors.Bench) rtl.Module {
				s, err := NewScheduler(
					SchedulerConfig{
						Ports: ports, Active: active, Chunk: chunk,
						Busy: func(bytes int, _ bool) int { return max(5, (bytes+7)/8) },
					},
				)
				if err != nil {
					panic(err) // the parameters are within its bounds
				}
				for port := range s.Notify {
					rng := b.Rand()
					vectors.Drive(b, &s.Notify[port], func(cycle uint64) Notification {
						n := Notification{
							Source: uint16(port), Dest: uint16(rng.IntN(ports)), ID: uint8(rng.Uint32()),
							Bytes: uint16(1 + rng.IntN(1<<rng.IntN(9))),
						}
						// crowds and lulls, in turns
						n.Valid = rng.IntN(8) == 0 && cycle>>9&1 == 0 || rng.IntN(60) == 0
						if rng.IntN(2) == 0 { // an RREQ: the data comes the other way
							n.Read, n.Source, n.Dest = true, n.Dest, n.Source
						}
						switch rng.IntN(200) {
						case 0:
							n.Dest = uint16(rng.Uint32()) & 0x3ff
						case 1:
							n.Bytes = 0
						case 2:
							n.Bytes = uint16(rng.Uint32())
						case 3:
							n.Source = uint16(rng.Uint32()) & 0x3ff
						case 4, 5, 6:
							n.Long, n.Bytes = true, uint16(rng.Uint32())
						}
						return n
					})
				}
				return s
			},
		}
		u.RTL = schedulerRTL(ports)
		return u, nil
	})
}

// beyond names the parts that few ports and short chunks leave unused.
func beyond(ports, chunk int) map[string]string {
	m := map[string]string{"refused[31:10]": "rises by one in some cycles of a crowd: more than a vector set has"}
	dests := map[int]string{2: "two ports", 4: "four ports"}[ports]
	if dests == "" {
		dests = fmt.Sprintf("%d ports", ports)
	}
	for p := range ports {
		m[fmt.Sprintf("grant_%d_dest[9:%d]", p, bits.Len(uint(ports-1)))] = dests
		m[fmt.Sprintf("grant_%d_bytes[15:%d]", p, bits.Len(uint(chunk)))] = fmt.Sprintf("chunks of %d bytes", chunk)
	}
	return m
}

// schedulerRTL returns the scheduler for a number of ports.
func schedulerRTL(ports int) string {
	data, err := Verilog.ReadFile("verilog/edm_scheduler.v")
	if err != nil {
		panic(err) // the file is embedded
	}
	text := string(data)
	for _, n := range []string{"localparam N = ", "scheduler for "} {
		text = strings.Replace(text, n+"4", n+strconv.Itoa(ports), 1)
	}
	return vectors.RepeatPorts(text, ports, "notify", "grant")
}

func txMuxUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "depth", Default: 16, Min: 2, Max: 64, Help: "blocks of control, and of data, that may wait", RTL: "DEPTH"},
		{
			Name: "reserve", Default: 6, Min: 1, Max: 32, Help: "blocks that may still come after a hold, at most depth",
			RTL: "SLACK",
		},
		{Name: "strict", Max: 1, Help: "1: frames only if there is no memory block", RTL: "STRICT"},
		{Name: "data_first", Max: 1, Help: "1: data before control", RTL: "DATA_FIRST"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		if p.Int("reserve") > p.Int("depth") {
			return vectors.Unit{}, errors.New("a reserve above the depth")
		}
		doc := "transmit multiplexer of control, data and frames: fair, control before data, 16 blocks each"
		if s := p.String(); s != "depth=16,reserve=6,strict=0,data_first=0" {
			doc = "transmit multiplexer of control, data and frames: " + s
		}
		return vectors.Unit{
			Name:  "edm/tx_mux",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   doc, Ref: "EDM §3.2.3",
			Bugs: []vectors.Bug{{Kind: "frames get too little", Field: "out_.*",
				Edits: []string{"owed != MOST", "owed != 7'd7"}}},
			Latency: 1, From: "control", To: "out", Clock: clock.Block25G,
			Unmoved: map[string]string{"out_valid": "a line always has a block"},
			Build: func(b *vectors.Bench) rtl.Module {
				return buildMux(
					b,
					"",
					&TxMux{
						Sharing: Sharing(p.Int("strict")), DataFirst: p.Int("data_first") == 1, Depth: p.Int("depth"),
						Reserve: p.Int("reserve"),
					},
				)
			},
		}, nil
	})
}

func rxDemuxUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{
			Name: "max_frame", Default: 24, Min: 2, Max: 200, Help: "blocks of the longest frame that is not cut",
			RTL: "MAX_FRAME",
		},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		most := p.Int("max_frame")
		return vectors.Unit{
			Name: "edm/rx_demux",
			Valid: map[string]string{"control": "control_valid", "data": "data_valid", "frame": "frame_valid",
				"next": "next_valid"},
			Doc: fmt.Sprintf("receive demultiplexer: takes memory blocks out, keeps frames of up to %d blocks until their end",
				most), Ref: "EDM §3.2.3",
			Bugs: []vectors.Bug{{Kind: "a frame cut too late", Field: "(frame|next)_.*",
				Edits: []string{"kept < MOST[PLACE-1:0]", "kept <= MOST[PLACE-1:0]"}}},
			Latency: 1, From: "in", To: "control", Clock: clock.Block25G,
			Machines: []vectors.Machine{{
				Probe: "state", States: []string{"NO_FRAME", "IN_FRAME", "CUT_FRAME"},
				Arcs: [][2]int{{0, 1}, {1, 0}, {1, 2}, {2, 0}},
			}},
			Unmoved: map[string]string{
				"frame_valid": "the decoder gets a block in every cycle",
				"next_valid":  "the decoder gets a block in every cycle",
			},
			Build: func(b *vectors.Bench) rtl.Module {
				d, damage := &RxDemux{Types: DefaultTypes, MaxFrame: most}, &blockDamage{rng: b.Rand()}
				m := buildMux(b, "line_", &TxMux{Sharing: Fair, DataFirst: true, Depth: 16, Reserve: 6})
				b.Add("line_mux", m)
				b.Add("damage", damage)
				rtl.Connect(&m.Out, &damage.In)
				rtl.Connect(&damage.Out, &d.In)
				return d
			},
		}, nil
	})
}
