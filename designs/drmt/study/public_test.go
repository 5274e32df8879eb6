package study_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/designs/drmt/study"
	"github.com/goldwire/goldwire/rtl"
)

// Public programs, where they lie beside the module: each runs on dRMT with every packet, register and counter equal to
// the interpreter's, or is refused by name and scheduled all the same.
func TestPublicPrograms(t *testing.T) {
	root, err := filepath.Abs("../../../../shared/data")
	require.NoError(t, err)
	var files []string
	for _, dir := range []string{"p4", "cases/p4"} {
		list, _ := filepath.Glob(filepath.Join(root, dir, "*.json"))
		files = append(files, list...)
	}
	if len(files) == 0 {
		t.Skip("public P4 programs were NOT tried: none lie beside the module")
	}
	counts, compiled := map[string]int{}, map[string]int{} // all, and p4c's
	var rows []string
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if takesLong(name) {
			t.Logf("%s is tried under the tag soak only", name)
			continue
		}
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		what, why := tryPublic(t.Context(), name, file, data)
		counts[what]++
		if bytes.Contains(data, []byte("github.com/p4lang/p4c")) {
			compiled[what]++
		}
		rows = append(rows, fmt.Sprintf("%-10s %s: %v", what, name, why))
	}
	sort.Strings(rows)
	t.Log("\n" + strings.Join(rows, "\n"))
	t.Log("all:", counts, "made by p4c:", compiled)
	require.Zero(t, counts["differs"])
	if len(files) >= 76 {
		require.GreaterOrEqual(t, compiled["runs"], 40)
		require.GreaterOrEqual(t, compiled["runs"]+compiled["scheduled"], 48)
	}
}

func tryPublic(ctx context.Context, name, file string, data []byte) (what string, why error) {
	p, err := p4.ParseBMv2(name, bytes.NewReader(data))
	if err != nil {
		return "unread", err
	}
	refused := func(err error) (string, error) {
		g, fault := compile.AnyGraph(p)
		if fault == nil {
			var r *schedule.Result
			if r, fault = schedule.Minimize(ctx, g, schedule.DRMT(1),
				schedule.Options{PeriodOnly: true, Clauses: 2000}); fault == nil {
				if r.Period.High > 0 {
					return "scheduled", err
				}
			}
		}
		return "neither", fmt.Errorf("%w; %w", err, fault)
	}
	if err := compile.Supported(p, compile.Options{}); err != nil {
		return refused(err)
	}
	setup := study.RandomSetup(p, 12, 1)
	for _, m := range p.Meters {
		x := p4.MeterRates{Array: m.Name, Index: -1}
		for i := range m.Rates {
			x.Rates = append(x.Rates, p4.Rate{PerMicrosecond: float64(10 * (i + 1)), Burst: uint64(20 * (i + 1))})
		}
		setup.Rates = append(setup.Rates, x)
	}
	x := study.Program{P4: p, Source: study.ProgramSource{JSON: file}, Entries: setup.Entries, Setup: &setup}
	s, c, err := buildAtSomeIPC(x)
	if err != nil {
		return refused(err)
	}
	processors, _ := c.Pace()
	const packets = 300
	source := func() study.Source { return study.NewTraffic(p, x.Entries, packets, 1) }
	o, err := study.RunSwitch(ctx, x, c, processors, packets, source, rtl.Config{}, nil)
	switch {
	case err != nil:
		return "differs", err
	case o.Faults > 0:
		return "differs", fmt.Errorf("%s", o.FirstFault)
	case o.Compared < packets:
		return "differs", fmt.Errorf("%d of %d packets were compared", o.Compared, packets)
	}
	return "runs", fmt.Errorf("P %d T %d, %d of %d dropped", s.Period, s.Length(), o.Dropped, o.Compared)
}
