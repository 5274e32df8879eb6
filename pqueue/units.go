package pqueue

import (
	"embed"
	"fmt"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Verilog has the project's own RTL of this package's modules: verilog/pqueue_ordered_list.v.
//
//go:embed verilog/*.v
var Verilog embed.FS

// Units returns the modules of this package with stimuli that reach their rare cases: full and empty lists, duplicates,
// deletes of what is not there, equal keys, nothing eligible.
func Units() vectors.Catalogue {
	return vectors.Catalogue{{
		Name: "pqueue/ordered_list", Doc: "ordered list of 16 entries: insert and delete in 2 cycles, highest eligible in 1", Ref: "EDM §3.1.2",
		Bugs: []vectors.Bug{{Kind: "younger first among equals", Field: "highest_id",
			Edits: []string{"entry[i][25:10] > key", "entry[i][25:10] >= key"}}},
		Latency: 2, From: "op", To: "result", Clock: clock.Block25G,
		Unmoved: map[string]string{"length[7:5]": "16 entries"},
		Build: func(b *vectors.Bench) rtl.Module {
			o := &OrderedList{Capacity: 16}
			ops, masks := b.Rand(), b.Rand()
			grow := true // phases in which the list fills up, or runs empty
			vectors.Drive(b, &o.Op, func(uint64) ListOp {
				if ops.IntN(60) == 0 {
					grow = !grow
				}
				op := ListOp{Key: uint16(ops.IntN(1 << ops.IntN(17))), ID: uint8(ops.IntN(64)), Flow: uint8(ops.IntN(16))}
				if ops.IntN(2) == 0 {
					op.ID &= 0xf // few enough to meet again
				}
				switch k := ops.IntN(8); {
				case k == 0: // a pause
				case k == 1:
					op.Insert, op.Delete = true, true
				case k < 3 == grow:
					op.Delete = true
				default:
					op.Insert = true
				}
				return op
			})
			vectors.Drive(b, &o.Eligible, func(uint64) uint16 {
				switch masks.IntN(4) {
				case 0:
					return 0
				case 1:
					return 1 << masks.IntN(16)
				case 2:
					return 0xffff
				}
				return uint16(masks.Uint32())
			})
			return o
		},
	}, {
		Name: "pqueue/scheduler", Doc: "central scheduler of 4 ports: matching with priorities, 3 cycles an iteration, chunks of 64 bytes", Ref: "EDM §3.1.2",
		Bugs: []vectors.Bug{{Kind: "grants the worst request", Field: "grant_[0-3]_.*",
			Edits: []string{"key[d] < key[chosen[s]]", "key[d] > key[chosen[s]]"}}},
		Latency: 1, Clock: clock.MHz(3000), // of the paper's ASIC (§4.1)
		Unmoved: fourPorts(),
		Build: func(b *vectors.Bench) rtl.Module {
			s, err := NewScheduler(SchedulerConfig{Ports: 4, Active: 2, Chunk: 64, Busy: func(bytes int, _ bool) int { return max(4, (bytes+7)/8) }})
			if err != nil {
				panic(err) // the configuration is a constant
			}
			for p := range s.Notify {
				rng := b.Rand()
				vectors.Drive(b, &s.Notify[p], func(cycle uint64) Notification {
					n := Notification{Source: uint16(p), Dest: uint16(rng.IntN(4)), ID: uint8(rng.Uint32()), Bytes: uint16(1 + rng.IntN(1<<rng.IntN(9)))}
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
					}
					return n
				})
			}
			return s
		},
	}}.WithRTL(Verilog)
}

// fourPorts says what four ports and chunks of 64 bytes leave unused.
func fourPorts() map[string]string {
	m := map[string]string{"refused[31:10]": "rises by one in some cycles of a crowd: more than a vector set has"}
	for p := range 4 {
		m[fmt.Sprintf("grant_%d_dest[9:2]", p)] = "four ports"
		m[fmt.Sprintf("grant_%d_bytes[15:7]", p)] = "chunks of 64 bytes"
	}
	return m
}
