package study

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/wave"

	"github.com/goldwire/goldwire/designs/spfc"
)

// waveChange is a variable's value from a time on.
type waveChange struct {
	at    spfc.Time
	v     int
	value uint64
}

// writeStates writes a waveform with a scope for each run, in picoseconds from the run's start. Each ingress port has
// its states as they change, paused and victim; of P0 and P1 there are also queue and threshold, as often as they were
// sampled.
func writeStates(w io.Writer, done []experiment.Result[BurstPoint, burstResult]) error {
	var vars []wave.Var
	var changes []waveChange
	last := spfc.Time(0)
	add := func(scope, name string, width int) int {
		vars = append(vars, wave.Var{Scope: scope, Name: name, Width: width})
		return len(vars) - 1
	}
	for _, d := range done {
		scope := fmt.Sprintf("%s_n%d", d.Point.Scheme, d.Point.Bursts)
		paused, victim := map[int]int{}, map[int]int{}
		for port := range d.Point.Bursts + 1 {
			paused[port], victim[port] = add(scope, fmt.Sprintf("p%d_paused", port), 1),
				add(scope, fmt.Sprintf("p%d_victim", port), 1)
		}
		for _, s := range d.Value.States {
			if p, ok := paused[s.Port]; ok {
				changes = append(changes, waveChange{s.Time, p, bit(s.Paused)}, waveChange{s.Time, victim[s.Port], bit(s.Victim)})
				last = max(last, s.Time)
			}
		}
		const bytes = 40
		queue, threshold := [2]int{}, [2]int{}
		for k := range queue {
			queue[k], threshold[k] = add(scope, fmt.Sprintf("p%d_bytes", k), bytes),
				add(scope, fmt.Sprintf("p%d_threshold", k), bytes)
		}
		for _, s := range d.Value.Samples {
			changes = append(changes, waveChange{s.At, queue[0], uint64(s.Victim)},
				waveChange{s.At, threshold[0], uint64(s.VictimT)},
				waveChange{s.At, queue[1], uint64(s.Burst)}, waveChange{s.At, threshold[1], uint64(s.BurstT)})
			last = max(last, s.At)
		}
	}
	slices.SortStableFunc(
		changes, func(a, b waveChange) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.v, b.v)) },
	)
	out, err := wave.NewWriter(w, wave.Picoseconds, vars)
	if err != nil {
		return err
	}
	now := make([]uint64, len(vars))
	out.Begin(0, now)
	for k, c := range changes {
		if k+1 < len(changes) && changes[k+1].at == c.at && changes[k+1].v == c.v {
			continue // the last value of an instant stands
		}
		if now[c.v] == c.value {
			continue
		}
		now[c.v] = c.value
		out.At(uint64(c.at))
		out.Change(c.v, c.value)
	}
	return out.Close(uint64(last) + 1)
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
