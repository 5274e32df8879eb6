package pqueue

import (
	"embed"
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Verilog has the project's own RTL of this package's modules: verilog/pqueue_ordered_list.v.
//
//go:embed verilog/*.v
var Verilog embed.FS

// Units returns the modules of this package with stimuli that reach their rare cases: full and empty lists,
// duplicates, deletes of a missing entry, equal keys, nothing eligible.
func Units() vectors.Catalogue {
	return vectors.Catalogue{orderedListUnit()}.WithRTL(Verilog)
}

func orderedListUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "capacity", Default: 16, Min: 2, Max: 64, Help: "entries", RTL: "CAPACITY"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		capacity := p.Int("capacity")
		return vectors.Unit{
			Name:  "pqueue/ordered_list",
			Valid: map[string]string{"result": "result_valid", "highest": "highest_valid"},
			Doc: "ordered list of " + fmt.Sprint(
				capacity,
			) + " entries: insert and delete in 2 cycles, highest eligible in 1", Ref: "EDM §3.1.2",
			Bugs: []vectors.Bug{{Kind: "younger first among equals", Field: "highest_id",
				Edits: []string{"entry[i][25:10] > key", "entry[i][25:10] >= key"}}},
			Latency: 2, From: "op", To: "result", Clock: clock.Block25G,
			Unmoved: map[string]string{fmt.Sprintf("length[7:%d]",
				bits.Len(uint(capacity))): fmt.Sprintf("%d entries", capacity)},
			Build: func(b *vectors.Bench) rtl.Module {
				o := &OrderedList{Capacity: capacity}
				ops, masks := b.Rand(), b.Rand()
				grow := true // phases in which the list fills up, or runs empty
				b.Keep(&grow)
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
		}, nil
	})
}
