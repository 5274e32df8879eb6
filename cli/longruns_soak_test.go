//go:build soak && linux

package cli_test

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cli"
)

// held is what a process holds between two commands.
type held struct {
	goroutines, files int
	heap              uint64
}

func holds(t *testing.T) held {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	runtime.GC()
	runtime.GC() // finalizers of the first one free memory too
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return held{runtime.NumGoroutine(), len(files), m.HeapAlloc}
}

// Each design runs again and again with other seeds for GOLDWIRE_LONG, a minute if it is not set. From a fifth of the
// time to its end goroutines, open files and memory do not grow.
func TestLongRuns(t *testing.T) {
	lasts := time.Minute
	if s := os.Getenv("GOLDWIRE_LONG"); s != "" {
		var err error
		lasts, err = time.ParseDuration(s)
		require.NoError(t, err, "GOLDWIRE_LONG")
	}
	for name, command := range map[string]string{
		"pcs":   "run pcs loop --ber 1e-6 --pcap ../testdata/captures/generated.pcap",
		"edm":   "run edm load --nodes 8 --messages 2000 --loads 0.3 --shared --mode parallel",
		"rifl":  "run rifl sweep --ber 1e-6 --runs 1 --frames 2000000 --lanes 4",
		"shoal": "run shoal load --nodes 16 --load 0.3 --flows 2000 --sizes fixed:2000",
		"drmt":  "run drmt program --program l2l3 --packets 300",
		"spfc":  "run spfc burst --n 20 --scheme spfc --lasts 1ms",
		"rack":  "run rack compare --nodes 8 --messages 2000 --loads 0.2 --fabrics edm,shoal,spfc,dctcp,cxl",
	} {
		t.Run(name, func(t *testing.T) {
			var first held
			begin, n, settled := time.Now(), 0, 0
			for ; n < 20 || time.Since(begin) < lasts; n++ {
				if settled == 0 && n >= 4 && time.Since(begin) > lasts/5 {
					first, settled = holds(t), n
				}
				var out, errs bytes.Buffer
				args := append(strings.Fields(command), "--seed", strconv.Itoa(n+1))
				code := cli.Main(args, &out, &errs, designs...)
				require.LessOrEqual(t, code, 1, "%q: %s", args, errs.String())
				require.NotEmpty(t, out.String())
			}
			require.NotZero(t, settled)
			last := holds(t)
			t.Logf("%d runs: %+v after %d of them, %+v at the end", n, first, settled, last)
			require.LessOrEqual(t, last.goroutines, first.goroutines)
			require.LessOrEqual(t, last.files, first.files)
			require.Less(t, last.heap, first.heap+first.heap/10+1<<20)
		})
	}
}
