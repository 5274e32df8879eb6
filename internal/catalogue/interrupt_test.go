package catalogue_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/bench"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/catalogue"
)

// Every experiment of every design ends soon after it is interrupted, with a report of its results so far.
func TestExperimentsEndSoonAfterAnInterrupt(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	capture, err := filepath.Abs("../../testdata/captures/generated.pcap")
	require.NoError(t, err)
	// flags without a default, and flags that make a run long enough to be interrupted
	settings := map[string]map[string]string{
		"pcs loop": {"pcap": capture, "repeat": "500"},
		"edm trace": {
			"file": write(
				"messages.csv", "id,type,source,destination,bytes,start_ns\n1,read,0,1,64,0\n2,write,0,1,64,3000000\n",
			),
		},
		"rifl traffic": {"file": write("beats.csv", "cycle,tdata,tlast\n100,00112233,1\n100000000,00112233,1\n")},
		"shoal trace": {
			"file": write(
				"flows.csv", "id,type,source,destination,bytes,start_ns\n1,write,0,1,64,0\n2,write,0,1,64,1000000000\n",
			),
		},
		"spfc trace": {
			"file": write(
				"bursts.csv",
				"id,type,source,destination,bytes,start_ns\n1,write,0,1,1000000000,0\n2,write,2,1,1000000000,0\n",
			),
		},
		"spfc mmu": {
			"file": write(
				"events.csv", "time_ps,switch,event,in,prio,out,bytes\n"+
					strings.Repeat("0,S,enqueue,0,3,1,900\n0,S,dequeue,0,3,1,900\n", 400_000),
			),
		},
		"edm kv":     {"requests": "200000"},
		"edm load":   {"nodes": "512"},
		"rifl sweep": {"errors": "1000000000", "frames": "1000000000000"},
	}
	for _, d := range catalogue.Designs() {
		for _, e := range d.Experiments {
			name := d.Name + " " + e.Info().Name
			t.Run(name, func(t *testing.T) {
				p := e.Params()
				for flag, value := range settings[name] {
					require.NoError(t, p.Find(flag).Set(value), flag)
				}
				if missing := p.Missing(); missing != nil {
					t.Skipf("the interrupt of %s was NOT tested: it has no %s here", name, missing.Flag)
				}
				ctx, cancel := context.WithCancel(experiment.WithMemo(t.Context()))
				defer cancel()
				var watch bench.Watch
				timer := time.AfterFunc(100*time.Millisecond, func() { watch = bench.Start(); cancel() })
				defer timer.Stop()
				out, err := e.Run(ctx, p, experiment.Options{Seed: 1})
				if timer.Stop() {
					require.NoError(t, err)
					return // it was faster
				}
				<-ctx.Done()
				wall, processor := watch.Seconds()
				t.Logf("%.2f s after the interrupt, %.2f s of processors", wall, processor)
				// a second of the wall clock is wanted, which a machine with other work would not show
				require.Less(t, processor, 2*float64(runtime.GOMAXPROCS(0)))
				if err != nil {
					require.ErrorIs(t, err, context.Canceled)
				} else {
					require.NotNil(t, out.Report)
				}
			})
		}
	}
}
