package catalogue

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// FromFrames returns what the inputs of a unit of package pcs see, cycle by cycle, while frames pass through a PCS with a
// line of 64 bits. Row 0 is the first cycle of the loop, before it has found its blocks.
func FromFrames(u vectors.Unit, frames [][]byte) ([][]uint64, error) {
	loop, err := pcs.NewLoop(pcs.LoopConfig{Width: 64, Skew: 13})
	if err != nil {
		return nil, err
	}
	module := map[string]rtl.Module{
		"pcs/framer": &loop.Framer, "pcs/encoder": &loop.Encoder, "pcs/scrambler": &loop.Scrambler, "pcs/tx_gearbox": loop.TxGearbox,
		"pcs/rx_gearbox": loop.RxGearbox, "pcs/block_sync": &loop.BlockSync, "pcs/ber_monitor": &loop.BERMonitor,
		"pcs/descrambler": &loop.Descrambler, "pcs/decoder": &loop.Decoder, "pcs/deframer": &loop.Deframer,
	}[u.Name]
	if module == nil {
		return nil, fmt.Errorf("no frames pass through %s, want a module of the PCS loop", u.Name)
	}
	ports, err := rtl.Ports(module)
	if err != nil {
		return nil, err
	}
	r := &inputRecorder{}
	for p := range ports {
		for l := range ports[p].Leaves {
			r.taps = append(r.taps, ports[p].Tap(l))
			r.inputs = append(r.inputs, ports[p].Dir == rtl.Input)
		}
	}
	r.Observe(0)
	loop.Sim.Observe(r)
	if err := loop.WaitForLock(); err != nil {
		return nil, err
	}
	err = loop.SendAll(context.Background(), frames, func(uint64, int, int) {})
	return r.rows, err
}

// inputRecorder keeps the inputs of a module at every instant.
type inputRecorder struct {
	taps   []rtl.Tap
	inputs []bool
	rows   [][]uint64
}

func (r *inputRecorder) Observe(uint64) {
	row := make([]uint64, len(r.taps))
	for i := range row {
		if r.inputs[i] {
			row[i] = r.taps[i].Value()
		}
	}
	r.rows = append(r.rows, row)
}
