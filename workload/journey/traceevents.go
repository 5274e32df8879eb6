package journey

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"

	"github.com/goldwire/goldwire/clock"
)

// picoseconds rounds a time, to the nearest. Ends that are equal stay equal, so stages join after it too.
func picoseconds(t clock.Time) *big.Int {
	r := t.In(clock.Picosecond)
	n := new(big.Int).Add(new(big.Int).Lsh(r.Num(), 1), r.Denom())
	return n.Div(n, new(big.Int).Lsh(r.Denom(), 1))
}

// event is one of the Trace Event Format: a complete event ("X") or a name ("M").
type event struct {
	Name  string            `json:"name"`
	Cat   string            `json:"cat,omitempty"`
	Phase string            `json:"ph"`
	TS    json.Number       `json:"ts,omitempty"`
	Dur   json.Number       `json:"dur,omitempty"`
	PID   int               `json:"pid"`
	TID   int               `json:"tid"`
	Args  map[string]string `json:"args,omitempty"`
}

// WriteTraceEvents writes the log as JSON trace events: a thread a journey, a complete event a stage. Their unit is
// the microsecond; with six decimals they are exact to the picosecond.
func (l *Log) WriteTraceEvents(w io.Writer) error {
	micros := func(ps *big.Int) json.Number {
		return json.Number(new(big.Rat).SetFrac(ps, big.NewInt(1_000_000)).FloatString(6))
	}
	events := []event{{Name: "process_name", Phase: "M", PID: 1, Args: map[string]string{"name": l.Title}}}
	for i, j := range l.Journeys {
		events = append(events, event{Name: "thread_name", Phase: "M", PID: 1, TID: i + 1,
			Args: map[string]string{"name": j.Name}})
		for _, s := range j.Stages {
			from, to := picoseconds(s.From), picoseconds(s.To)
			events = append(
				events,
				event{
					Name: s.Name(), Cat: s.Place, Phase: "X", TS: micros(from), Dur: micros(new(big.Int).Sub(to, from)),
					PID: 1, TID: i + 1, Args: map[string]string{"cycles": cyclesOf(s.Time(), l.Cycle)},
				},
			)
		}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(map[string]any{"displayTimeUnit": "ns", "traceEvents": events})
}

// cyclesOf is a time in cycles.
func cyclesOf(t, cycle clock.Time) string {
	r := t.In(cycle)
	if r.IsInt() {
		return r.Num().String()
	}
	f, _ := r.Float64()
	return fmt.Sprintf("%.4f", f)
}
