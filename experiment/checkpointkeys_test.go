package experiment_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
)

type sumParams struct{ sumPoint }

type sumPoint struct {
	File  string   `arg:"FILE" file:"in" required:"true" help:"bytes"`
	More  []string `flag:"more" file:"in" help:"files with more bytes"`
	Times int      `flag:"times" min:"1" max:"9" help:"how often each counts" knob:"true"`
}

// adder is what a run of sums knows.
type adder struct{ Next, Sum int }

// sums adds the bytes of files, one a step, and keeps checkpoints. It does not keep the contents of files in them, as
// the experiments with traces do.
func sums() experiment.Experiment {
	return experiment.Define(experiment.Spec[sumParams, sumPoint, int]{
		Name: "sums", Short: "Sums of bytes", Checkpoints: true, Defaults: sumParams{sumPoint{Times: 1}},
		Points: func(p *sumParams, seed uint64) ([]experiment.Point[sumPoint], error) {
			return experiment.One(p.sumPoint, seed), nil
		},
		Run: func(_ context, run *experiment.Run, q sumPoint) (int, error) {
			var data []byte
			for _, file := range append([]string{q.File}, q.More...) {
				b, err := os.ReadFile(file)
				if err != nil {
					return 0, err
				}
				data = append(data, b...)
			}
			x := &adder{}
			err := run.Simulate(
				experiment.Simulation{
					Cycle: func() uint64 { return uint64(x.Next) }, Roots: []any{x}, Knobs: func() error { return nil },
				},
			)
			for ; err == nil && x.Next < len(data); err = run.Between() {
				x.Sum += q.Times * int(data[x.Next])
				x.Next++
			}
			return x.Sum, err
		},
		Report: func(*sumParams, []experiment.Result[sumPoint, int]) (*experiment.Report, error) {
			return &experiment.Report{}, nil
		},
	})
}

// A checkpoint is of the contents of files: a run that goes on, or that starts from another's state, reads what the
// first one read, by whatever name. Where a file has other contents, it is named.
func TestCheckpointsAreOfTheContentsOfInputs(t *testing.T) {
	for name, field := range map[string]string{"an argument": "file", "a list": "more"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, text string) string {
				path := filepath.Join(dir, name)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
				return path
			}
			one, other := write("one", "abc"), write("other", "defg")
			sum := func(path, times string, c experiment.Checkpoints) (int, error) {
				e := sums()
				p := e.Params()
				for flag, v := range map[string]string{"file": other, "more": other, "times": times, field: path} {
					require.NoError(t, p.Find(flag).Set(v))
				}
				out, err := e.Run(background, p, experiment.Options{Seed: 1, Checkpoints: &c})
				if err != nil {
					return 0, err
				}
				return out.Points[0].Result.(int), nil
			}
			kept := filepath.Join(dir, "kept")
			require.NoError(t, os.Mkdir(kept, 0o755))
			want := 0
			for _, b := range []byte("abcdefg") {
				want += int(b)
			}
			got, err := sum(one, "1", experiment.Checkpoints{Dir: kept, Every: 2})
			require.NoError(t, err)
			require.Equal(t, want, got)
			files, err := filepath.Glob(filepath.Join(kept, "*"))
			require.NoError(t, err)
			require.Len(t, files, 1)

			same := write(strings.Repeat("d/", 3)+"another name", "abc")
			resume, fork := experiment.Checkpoints{Dir: kept, Resume: true}, experiment.Checkpoints{Fork: files[0]}
			for _, c := range []experiment.Checkpoints{resume, fork} {
				got, err = sum(same, "1", c)
				require.NoError(t, err)
				require.Equal(t, want, got)
			}
			_, err = sum(same, "2", fork)
			require.NoError(t, err, "a knob may change")

			changed := write("one", "abd")
			_, err = sum(changed, "1", resume)
			require.EqualError(t, err, changed+": its contents are not those of the run whose checkpoint is "+files[0])
			_, err = sum(changed, "2", fork)
			require.EqualError(t, err, files[0]+": it is of other contents of "+changed)

			// what can be read only once has no checksum that is known before
			_, err = sum(os.DevNull, "1", resume)
			require.ErrorContains(t, err, os.DevNull+": want a regular file")
		})
	}
}
