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
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/study"
	"github.com/goldwire/goldwire/rtl"
)

// Public programs, where they lie beside the module: each is read or refused by name, has a graph, and runs on dRMT with every packet equal to the
// interpreter's, or is refused by name.
func TestPublicPrograms(t *testing.T) {
	root, err := filepath.Abs("../../../../shared/data")
	require.NoError(t, err)
	var files []string
	for _, dir := range []string{"p4", "cases/p4"} {
		list, _ := filepath.Glob(filepath.Join(root, dir, "*.json"))
		files = append(files, list...)
	}
	if len(files) == 0 {
		t.Skip("no programs in " + root)
	}
	counts := map[string]int{}
	var rows []string
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		what, why := tryPublic(t.Context(), name, file, data)
		counts[what]++
		rows = append(rows, fmt.Sprintf("%-10s %s: %v", what, name, why))
	}
	sort.Strings(rows)
	t.Log("\n" + strings.Join(rows, "\n"))
	t.Log(counts)
	require.Zero(t, counts["differs"])
}

func tryPublic(ctx context.Context, name, file string, data []byte) (what string, why error) {
	p, err := p4.ParseBMv2(name, bytes.NewReader(data))
	if err != nil {
		return "unread", err
	}
	if err := compile.Supported(p); err != nil {
		if _, graph := p.Graph(); graph != nil {
			return "no graph", err
		}
		return "scheduled", err
	}
	x := study.Program{P4: p, Source: study.ProgramSource{JSON: file}, Entries: study.RandomEntries(p, 12, 1)}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	s, c, err := study.BuildSpaced(ctx, x, 1, 1)
	if err != nil {
		return "scheduled", err
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
	}
	return "runs", fmt.Errorf("P %d T %d, %d of %d dropped", s.Period, s.Length(), o.Dropped, o.Compared)
}
