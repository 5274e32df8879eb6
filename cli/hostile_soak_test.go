//go:build soak

package cli_test

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/bench"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/catalogue"
)

// hostile are the values that every number is tried with.
var hostile = []string{"-1", "0", "NaN", "1e300", "9999999999999999999", "", "abc"}

// legal tells whether a value lies in the bounds that the help shows, by a reading of its own: what it calls refused
// must be refused. Times and frequencies want a unit, so a bare number is none.
func legal(f *experiment.Field, value string) bool {
	low, high, isRange := strings.Cut(strings.TrimSuffix(f.Bounds(), " "+f.Unit), " to ")
	if !isRange || f.Choices != nil {
		for _, c := range f.Choices {
			if c == value {
				return true
			}
		}
		return false
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || v != v {
		return false
	}
	least, err1 := strconv.ParseFloat(low, 64)
	most, err2 := strconv.ParseFloat(high, 64)
	return err1 == nil && err2 == nil && least <= v && v <= most
}

// Every number of every experiment, with values that no number may have; every file flag with places that are no files.
// Each run ends with exit code 2 and one line, before it has begun, and leaves nothing.
func TestHostileParameters(t *testing.T) {
	captures, err := filepath.Abs("../testdata/captures/generated.pcap")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("here", 0o755))
	debug.SetGCPercent(100) // the memory that is counted is not left to the environment
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	before := mem.Sys // of other tests of the process
	n, passed := 0, 0
	try := func(args ...string) {
		watch := bench.Start()
		refused(t, args...)
		_, processor := watch.Seconds()
		require.Less(t, processor, 20.0, "%q", args)
		n++
	}
	for _, d := range catalogue.Designs() {
		for _, e := range d.Experiments {
			p := e.Params()
			command := []string{"run", d.Name, e.Info().Name}
			var need []string
			for _, f := range p.Fields {
				switch {
				case !f.Required:
				case f.Arg != "":
					command = append(command, captures)
				default:
					need = append(need, "--"+f.Flag, captures)
				}
			}
			with := func(flag, value string) { try(slices.Concat(command, need, []string{flag + "=" + value})...) }
			for _, f := range p.Fields {
				switch {
				case f.Arg != "" || f.IsBool():
				case f.File == "in":
					for _, place := range []string{"nothing", "here", "here/nothing/x", strings.Repeat("x/", 5000)} {
						with("--"+f.Flag, place)
					}
				case f.File == "out":
					for _, place := range []string{"here", "nothing/x", captures + "/x", strings.Repeat("x", 5000)} {
						with("--"+f.Flag, place)
					}
				case f.Bounds() != "":
					for _, value := range hostile {
						if legal(f, value) {
							passed++
							continue
						}
						with("--"+f.Flag, value)
					}
				}
			}
			for _, flag := range []string{"--workers", "--seed"} {
				for _, value := range hostile {
					if value != "0" && !(flag == "--seed" && value == "9999999999999999999") { // a seed is any number of 64 bits
						with(flag, value)
					}
				}
			}
			for _, flag := range []string{"--csv", "--plot"} {
				for _, place := range []string{"here", "nothing/x", captures + "/x"} {
					with(flag, place)
				}
			}
		}
	}
	left, err := filepath.Glob("*")
	require.NoError(t, err)
	require.Equal(t, []string{"here"}, left, "nothing is written")
	hidden, err := filepath.Glob(".*")
	require.NoError(t, err)
	require.Empty(t, hidden)
	runtime.ReadMemStats(&mem)
	require.Less(t, mem.Sys-before, uint64(1)<<30)
	t.Logf("%d hostile inputs refused, %d values legal", n, passed)
	require.GreaterOrEqual(t, n, 500)
}
