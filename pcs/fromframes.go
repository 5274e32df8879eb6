package pcs

import (
	"context"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
	"github.com/goldwire/goldwire/vectors"
)

// fromFrames returns what the inputs of the loop's module of that name see, cycle by cycle, while frames pass through
// a PCS with a line of 64 bits. Row 0 is the first cycle of the loop, before it has found its blocks.
func fromFrames(unit string, frames [][]byte) ([][]uint64, error) {
	loop, err := NewLoop(LoopConfig{Width: 64, Skew: 13})
	if err != nil {
		return nil, err
	}
	ports, err := rtl.Ports(loop.module(unit))
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
	r.Observe(nil)
	loop.Sim.Observe(r)
	if err := loop.WaitForLock(); err != nil {
		return nil, err
	}
	err = loop.SendAll(context.Background(), frames)
	return r.rows, err
}

// module returns the module that a unit is of, nil if the loop has none.
func (l *Loop) module(unit string) rtl.Module {
	switch unit {
	case "pcs/framer":
		return &l.Framer
	case "pcs/encoder":
		return &l.Tx.Encoder
	case "pcs/scrambler":
		return &l.Tx.Scrambler
	case "pcs/tx_gearbox":
		return l.Tx.Gearbox
	case "pcs/rx_gearbox":
		return l.Rx.Gearbox
	case "pcs/block_sync":
		return &l.Rx.BlockSync
	case "pcs/ber_monitor":
		return l.Rx.BERMonitor
	case "pcs/descrambler":
		return &l.Rx.Descrambler
	case "pcs/decoder":
		return &l.Rx.Decoder
	case "pcs/deframer":
		return &l.Deframer
	}
	return nil
}

// withFrames gives the units that are in a loop the stimulus of a capture.
func withFrames(units vectors.Catalogue) vectors.Catalogue {
	for i, u := range units {
		if (&Loop{}).module(u.Name) != nil {
			units[i].FromFrames = func(frames [][]byte) ([][]uint64, error) { return fromFrames(u.Name, frames) }
		}
	}
	return units
}

// inputRecorder keeps the inputs of a module at every instant.
type inputRecorder struct {
	taps   []layout.Tap
	inputs []bool
	rows   [][]uint64
}

func (r *inputRecorder) Observe(rtl.Edges) {
	row := make([]uint64, len(r.taps))
	for i := range row {
		if r.inputs[i] {
			row[i] = r.taps[i].Value()
		}
	}
	r.rows = append(r.rows, row)
}
