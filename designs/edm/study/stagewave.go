package study

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/wave"
)

// recordedCycles are kept of an access: more than the slowest of Table 1 takes.
const recordedCycles = 256

// stageSignals are the ports at which the steps of an access end.
var stageSignals = []string{
	"host_0.tx.control", "host_0.tx.data", "host_0.mux.out", "port_0.demux.control", "port_0.demux.data",
	"port_0.identify.notify",
	"switch.scheduler.grant_0", "switch.scheduler.grant_1", "switch.grants.control_0", "switch.grants.control_1",
	"host_1.demux.control", "host_1.demux.data", "host_1.rx.push_event", "host_1.rx.word", "host_1.tx.data",
	"port_1.demux.data",
	"switch.crossbar.out_0", "switch.crossbar.out_1", "host_0.demux.control", "host_0.demux.data", "host_0.rx.push_event",
	"host_0.rx.word",
}

// stageWave draws the cycles of an access that some steps cover, and two on either side: the signals that change in
// them. It draws nothing if no port shows the end of the steps.
func stageWave(x *latencyResult, steps []string) ([]byte, error) {
	var from, to clock.Time
	found := false
	for _, s := range x.steps {
		if slices.Contains(steps, s.What) {
			if !found {
				from, found = s.From, true
			}
			to = s.To
		}
	}
	period := clock.Block25G.Period()
	cycle := func(t clock.Time) int { // of the block clock: the last edge up to a time
		r := t.In(period)
		return int(new(big.Int).Div(r.Num(), r.Denom()).Int64()) - int(x.waves.First)
	}
	const around = 2
	first, last := cycle(from)-around, cycle(to)+around
	if !found || first < 0 {
		return nil, fmt.Errorf("%v: no waveform of these steps", steps)
	}
	last = min(last, len(x.waves.Rows)-1)
	rows := x.waves.Rows[first : last+1]
	cut := &wave.Recording{Clock: x.waves.Clock, First: x.waves.First + uint64(first),
		Title: fmt.Sprintf(
			"cycles %d to %d; counted from %v to %v", int(x.waves.First)+first, int(x.waves.First)+last, from, to,
		)}
	for range rows {
		cut.Rows = append(cut.Rows, nil)
	}
	ends := false // a signal shows the end of the last step
	end := cycle(to) - first
	for i, v := range x.waves.Vars {
		changes := slices.ContainsFunc(rows, func(row []uint64) bool { return row[i] != rows[0][i] })
		if !changes || v.Width > 1 { // valid bits tell when
			continue
		}
		ends = ends || rows[end][i] != rows[end-1][i]
		cut.Vars = append(cut.Vars, v)
		for k, row := range rows {
			cut.Rows[k] = append(cut.Rows[k], row[i])
		}
	}
	if !ends { // it ends inside of a module
		return nil, nil
	}
	var b bytes.Buffer
	err := cut.WriteJSON(&b)
	return b.Bytes(), err
}
