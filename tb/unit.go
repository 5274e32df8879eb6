package tb

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/output"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

const (
	ladderSeed   = vectors.GoldenSeed   // of the stimulus, on every rung
	ladderCycles = vectors.GoldenCycles // in the golden file and in the comparison of modes
	shownRows    = 16                   // of the golden file, as text
)

// CheckUnit runs the ladder that every unit climbs, each rung as a subtest: the same trace in fast mode, in strict
// mode with three tick orders and in parallel mode; no allocation per cycle; the declared latency; capture, export,
// read and compare; the rules of its streams, if it declares any; and the golden file testdata/golden/MODULE.txt,
// which GOLDWIRE_UPDATE=1 go test rewrites. Rows that goldwire mutants --record has written there, for mutants of the
// RTL, are part of the golden file.
//
// The test must not be parallel: testing.AllocsPerRun counts everybody's allocations.
func CheckUnit(t *testing.T, u vectors.Unit) {
	t.Helper()
	t.Run("modes", func(t *testing.T) { require.NoError(t, sameInAllModes(u)) })
	t.Run("allocations", func(t *testing.T) { require.NoError(t, allocatesNothing(u)) })
	t.Run("latency", func(t *testing.T) { CheckLatency(t, u) })
	t.Run("vectors", func(t *testing.T) { require.NoError(t, survivesExport(u, filepath.Join(t.TempDir(), u.Module()))) })
	if len(u.Ready) > 0 {
		t.Run("streams", func(t *testing.T) { require.NoError(t, keepsStreams(u)) })
	}
	t.Run("golden", func(t *testing.T) {
		require.NoError(t, isGolden(u, filepath.Join("testdata", "golden", u.Module()+".txt"), Updating()))
	})
}

// sameInAllModes compares the trace hashes of all modes. What the drivers send is part of the trace.
func sameInAllModes(u vectors.Unit) error {
	var want uint64
	for i, cfg := range []rtl.Config{
		{},
		{Mode: rtl.Strict, Seed: 1}, {Mode: rtl.Strict, Seed: 2}, {Mode: rtl.Strict, Seed: 3},
		{Mode: rtl.Parallel, Workers: 2},
	} {
		in, err := u.Simulate(cfg, ladderSeed)
		if err != nil {
			return err
		}
		h := rtl.NewTraceHash(in.Sim)
		if err := in.Clock.Run(ladderCycles); err != nil {
			return fmt.Errorf("unit %s, %v mode, seed %d: %w", u.Name, cfg.Mode, cfg.Seed, err)
		}
		if i == 0 {
			want = h.Sum()
		} else if h.Sum() != want {
			return fmt.Errorf("unit %s: %v mode, seed %d, parts from fast mode%s; a module has looked at more than its ports "+
				"and its own fields, or two "+
				"share what one of them changes, a rand.Rand say", u.Name, cfg.Mode, cfg.Seed, parting(u, cfg))
		}
	}
	return nil
}

// parting says at which edge, and in which signal, a unit's run with a configuration parts from its run in fast mode: "
// at edge 12 in bench.limiter.out.data: 0x4, 0x3 in fast mode". It is empty if they agree edge by edge.
func parting(u vectors.Unit, cfg rtl.Config) string {
	other, err := u.Simulate(cfg, ladderSeed)
	if err != nil {
		return ""
	}
	fast, err := u.Simulate(rtl.Config{}, ladderSeed)
	if err != nil {
		return ""
	}
	a, b := other.Sim.Signals(), fast.Sim.Signals()
	for edge := 1; edge <= ladderCycles; edge++ {
		if other.Clock.Run(1) != nil || fast.Clock.Run(1) != nil {
			return ""
		}
		for i, s := range a {
			for leaf := range s.Leaves {
				if x, y := s.Value(leaf), b[i].Value(leaf); x != y {
					path := s.Path
					if field := s.Leaves[leaf].Name; field != "" {
						path += "." + field
					}
					return fmt.Sprintf(" at edge %d in %s: %#x, %#x in fast mode", edge, path, x, y)
				}
			}
		}
	}
	return ""
}

// allocatesNothing runs the module and its drivers warm and wants no allocation after that.
func allocatesNothing(u vectors.Unit) error {
	in, err := u.Simulate(rtl.Config{}, ladderSeed)
	if err != nil {
		return err
	}
	const warm, cycles = 1024, 256
	if err := in.Clock.Run(warm); err != nil {
		return err
	}
	if n := testing.AllocsPerRun(4, func() { err = errors.Join(err, in.Clock.Run(cycles)) }); n != 0 {
		return fmt.Errorf("unit %s: %v allocations in %d cycles, want none", u.Name, n, cycles)
	}
	return err
}

// survivesExport captures the unit, writes the set, reads it back and compares it with a run of the unit.
func survivesExport(u vectors.Unit, dir string) error {
	s, err := vectors.Capture(u, shownRows*shownRows, ladderSeed)
	if err != nil {
		return err
	}
	if err := vectors.Write(dir, s); err != nil {
		return err
	}
	back, err := vectors.Read(dir)
	if err != nil {
		return err
	}
	if diff := cmp.Diff(s.Rows, back.Rows); diff != "" {
		return fmt.Errorf("unit %s: the rows changed on their way through files:\n%s", u.Name, diff)
	}
	return vectors.Compare(u, back)
}

// isGolden compares the unit's run with its golden file, or writes the file.
func isGolden(u vectors.Unit, path string, update bool) error {
	s, runs, err := goldenSets(u, filepath.Dir(path))
	if err != nil {
		return err
	}
	got := goldenText(s, runs)
	// read even if the file is rewritten: go test notes it, and does not show a cached result after the file has changed
	want, err := os.ReadFile(path)
	if update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return output.WriteFile(path, got)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("unit %s: there is no golden file %s yet: look at what GOLDWIRE_UPDATE=1 go test writes", u.Name,
			path)
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(want, got) {
		return fmt.Errorf(
			"unit %s: the run is not that of %s (- golden, + now; only the last line: a row after the %d shown):\n%s",
			u.Name, path, shownRows, goldenDifference(string(want), string(got)),
		)
	}
	return nil
}

// goldenDifference has the first lines in which two golden files differ, under the names of the fields.
func goldenDifference(want, got string) string {
	const most = 4
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	lines, more := []string{}, 0
	if len(b) > 2 {
		lines = append(lines, "  "+b[2])
	}
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		switch {
		case x == y:
		case len(lines) > 2*most:
			more++
		default:
			lines = append(lines, "- "+x, "+ "+y)
		}
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more lines", more))
	}
	return strings.Join(lines, "\n")
}

// goldenSets are a run of the unit's stimulus, and after it the rows of its campaign, if one is in the folder, and the
// campaign's further runs.
func goldenSets(u vectors.Unit, folder string) (s *vectors.Set, runs []*vectors.Set, err error) {
	u = u.Exact()
	stimulus, err := vectors.Capture(u, ladderCycles, ladderSeed)
	if err != nil {
		return nil, nil, err
	}
	c, err := vectors.ReadCampaign(filepath.Join(folder, u.CampaignFile()), u)
	if err != nil || c == nil {
		return stimulus, nil, err
	}
	if s, err = c.Extend(u, stimulus); err != nil {
		return nil, nil, err
	}
	runs, err = c.Runs(u, stimulus)
	return s, runs, err
}

// goldenText shows the first rows of a set, the checksum of all its rows, and the checksum of each further run.
func goldenText(s *vectors.Set, runs []*vectors.Set) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s, seed %d: the first %d of %d rows, in hexadecimal", s.Unit, s.Seed, shownRows, len(s.Rows))
	if added := len(s.Rows) - ladderCycles; added > 0 {
		fmt.Fprintf(&b, "; the last %d are inputs that show mutants", added)
	}
	b.WriteString("\n\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "cycle\t")
	for _, f := range s.Fields {
		fmt.Fprintf(w, "%s\t", f.Name)
	}
	for k, row := range s.Rows[:shownRows] {
		fmt.Fprintf(w, "\n%d\t", k)
		for _, v := range row {
			fmt.Fprintf(w, "%s\t", strconv.FormatUint(v, 16))
		}
	}
	fmt.Fprintln(w)
	w.Flush()
	fmt.Fprintf(&b, "\nsha256 of all rows, each value as 8 bytes, big-endian: %x\n", sumOfRows(s))
	if len(runs) > 0 {
		fmt.Fprintf(&b, "sha256 of the rows of %d more runs, each from the reset on, that show mutants: %x\n",
			len(runs), sumOfRows(runs...))
	}
	return b.Bytes()
}

func sumOfRows(sets ...*vectors.Set) []byte {
	sum := sha256.New()
	for _, s := range sets {
		for _, row := range s.Rows {
			binary.Write(sum, binary.BigEndian, row)
		}
	}
	return sum.Sum(nil)
}

// Updating tells whether the environment has GOLDWIRE_UPDATE=1: golden files are rewritten then, in place of compared.
// It is a variable because a test binary has one set of flags, and -update is many packages' own.
func Updating() bool {
	on, err := strconv.ParseBool(os.Getenv("GOLDWIRE_UPDATE"))
	return err == nil && on
}
