package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"golang.org/x/perf/benchmath"

	"github.com/goldwire/goldwire/internal/program"
)

// Report is the output of `goldwire bench --json`, and the input of `--against`.
type Report struct {
	System     string  `json:"system"` // "linux/amd64"
	Processors int     `json:"processors"`
	Groups     []Group `json:"groups"`
}

// Group holds the lines of one [Measure].
type Group struct {
	Name  string `json:"name"`
	Lines []Line `json:"lines"`
	// Wall and CPU are the seconds that it took, set-up and rounds together; CPU is without the simulators that it
	// started.
	Wall float64 `json:"wall_seconds"`
	CPU  float64 `json:"cpu_seconds"`
	// Peak is the most memory in bytes that the process had held when it ended, this group's and those before it.
	Peak int64 `json:"peak_bytes"`
}

// Read reads a report.
func Read(r io.Reader) (*Report, error) {
	var out Report
	d := json.NewDecoder(r)
	if err := d.Decode(&out); err != nil {
		return nil, fmt.Errorf("%w, want what %s bench --json prints", err, program.Name())
	}
	if len(out.Groups) == 0 {
		return nil, fmt.Errorf("no groups of lines, want what %s bench --json prints", program.Name())
	}
	return &out, nil
}

// Change is a line's difference to an earlier report.
type Change struct {
	What string  `json:"what"`
	Unit string  `json:"unit"`
	Old  float64 `json:"old"` // medians
	New  float64 `json:"new"`
	// Delta is the change in per cent, or "~" if the rounds of the two could come from one distribution: Mann and
	// Whitney's U test at 5 %, as benchstat has it. A figure that was taken once is never told apart.
	Delta string  `json:"delta"`
	P     float64 `json:"p"`
}

// Against compares a report with an earlier one, line by line. Lines that were measured in only one of them, or in
// another unit, are named.
func (r *Report) Against(old *Report) (changes []Change, onlyOld, onlyNew []string) {
	type line struct{ what, unit string }
	before := map[line]Line{}
	for _, g := range old.Groups {
		for _, l := range g.Lines {
			if len(l.Values) > 0 {
				before[line{l.What, l.Unit}] = l
			}
		}
	}
	for _, g := range r.Groups {
		for _, l := range g.Lines {
			if len(l.Values) == 0 {
				continue
			}
			was, ok := before[line{l.What, l.Unit}]
			delete(before, line{l.What, l.Unit})
			if !ok {
				onlyNew = append(onlyNew, l.What)
				continue
			}
			a := benchmath.NewSample(slices.Clone(was.Values), &benchmath.DefaultThresholds)
			b := benchmath.NewSample(slices.Clone(l.Values), &benchmath.DefaultThresholds)
			c := benchmath.AssumeNothing.Compare(a, b)
			changes = append(changes, Change{l.What, l.Unit, was.Values.Median(), l.Values.Median(),
				c.FormatDelta(was.Values.Median(), l.Values.Median()), c.P})
		}
	}
	for l := range before {
		onlyOld = append(onlyOld, l.what)
	}
	slices.Sort(onlyOld)
	return changes, onlyOld, onlyNew
}
