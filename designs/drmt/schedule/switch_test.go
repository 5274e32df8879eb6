package schedule_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// switchGraph reads one of the authors' graphs of switch.p4. They carry no licence, so they are not part of the
// project.
func switchGraph(t testing.TB, name string) *schedule.Graph {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "..", "shared", "data", "drmt", name+".odg.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s was NOT run: the graphs of switch.p4 are not here: %v", t.Name(), err)
	}
	require.NoError(t, err)
	defer f.Close()
	g, err := p4.ReadGraph(name, f)
	require.NoError(t, err)
	return g
}

func TestStagesOfSwitch(t *testing.T) {
	for name, want := range map[string][2]int{"ingress": {18, 17}, "egress": {12, 11}, "combined": {22, 21}} { // Table 2
		if name == "combined" && !soak { // 10 s; `goldwire verify drmt/table2 --drmt-graphs` has it, too
			continue
		}
		g := switchGraph(t, "switch_"+name)
		for i, coarse := range []bool{true, false} {
			p, b, err := schedule.MinimizeStages(context.Background(), g, schedule.RMT(32), coarse, schedule.Options{})
			require.NoError(t, err)
			require.NoError(t, p.Validate())
			require.Equal(t, want[i], p.Stages(), name)
			require.True(t, b.Proved())
			if b.Refuted.Certificate != nil {
				require.NoError(t, b.Refuted.Certificate.Check(g, schedule.RMT(32)))
			} else {
				require.True(t, b.Refuted.Checked)
			}
		}
	}
}
