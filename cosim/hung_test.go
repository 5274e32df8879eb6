package cosim_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
)

// RTL that loops without end is stopped; so is RTL that ends the simulation itself.
func TestHungRTL(t *testing.T) {
	hang := strings.Replace(
		plain, "out_valid <= in_valid;",
		"out_valid <= in_valid; while (out_total > 12'd500 && in_valid) wait_ = wait_ + 1;", 1,
	)
	wrong := func(text string) string {
		return strings.Replace(text, "assign out_odd = out_total[0]", "assign out_odd = out_total[0] ^ (out_total == 3)", 1)
	}
	hang = wrong(strings.Replace(hang, "    assign out_odd", "    integer wait_ = 0;\n    assign out_odd", 1))
	finish := wrong(
		strings.Replace(
			plain, "out_valid <= in_valid;",
			"out_valid <= in_valid; if (out_total > 12'd500) begin $display(\"enough\"); $finish; end", 1,
		),
	)
	for _, sim := range []cosim.Simulator{cosim.Verilator, cosim.Icarus} {
		for text, want := range map[string]string{
			hang:   "cycle [0-9]+: the RTL has not answered for 1s and was stopped",
			finish: "cycle [0-9]+: (the RTL called \\$finish; it said: .*|vvp ended.*(enough|\\$finish called).*)",
		} {
			t.Run(fmt.Sprintf("%s_%d", sim, len(text)), func(t *testing.T) {
				t.Parallel()
				s, err := start(t, text, func(o *cosim.Options) {
					o.Timeout = time.Second
					o.Dirty = 0
					o.Design.Simulator = sim
				})
				require.NoError(t, err)
				differsThenFails(t, s)
				if text == hang {
					differsThenHangs(t, s)
				}
				if text == hang && sim == cosim.Verilator {
					differsAnywhere(t, s)
				}
				if text == finish {
					finishesInTime(t, s)
				}
				_, err = s.Run(t.Context(), cosim.Stimulus{Cycles: 5000, Seed: 8}, nil)
				require.Error(t, err)
				require.Regexp(t, want, err.Error())
				goesOnAndFails(t, text, want, func(o *cosim.Options) {
					o.Timeout = time.Second
					o.Dirty = 0
					o.Design.Simulator = sim
				})
			})
		}
	}
}

// goesOnAndFails runs RTL that shows a wrong bit when it has counted to 3 and fails above 500: a run that goes on tells
// both.
func goesOnAndFails(t *testing.T, text, want string, edit func(o *cosim.Options)) {
	s, err := start(t, text, func(o *cosim.Options) { edit(o); o.Continue = true })
	require.NoError(t, err)
	st := cosim.Stimulus{
		Rows: words(500, map[int]uint64{5: 3, 6: 0, 300: 0, 400: 200, 401: 200, 402: 200, 403: 200}), Seed: 8,
	}
	r, err := s.Run(t.Context(), st, nil)
	require.NoError(t, err)
	require.NotNil(t, r.Divergence)
	require.Equal(t, 6, r.Divergence.Cycle)
	require.Len(t, r.Differences, 1)
	require.EqualValues(t, 3, r.Differences[0].Count, "for each word until the sum is more than 3")
	require.Regexp(t, want, r.Failed)
	require.Less(t, r.Cycles, 500)
	st.Rows = st.Rows[:400]
	r, err = s.Run(t.Context(), st, nil)
	require.NoError(t, err)
	require.NotNil(t, r.Divergence)
	require.Empty(t, r.Failed, "the rows end before")
}

// differsThenHangs runs RTL that shows a wrong bit when it has counted to 3 and hangs above 500. Under Verilator the
// batch in which it hangs has begun when the wrong bit is found: that is told all the same, and made short.
func differsThenHangs(t *testing.T, s *cosim.Session) {
	const second = cosim.SlotRows + 100 // in the second batch
	st := cosim.Stimulus{
		Rows: words(second+100, map[int]uint64{5: 3, second: 200, second + 1: 200, second + 2: 200, second + 3: 200}),
		Seed: 8,
	}
	r, err := s.Run(t.Context(), st, nil)
	require.NoError(t, err)
	require.NotNil(t, r.Divergence)
	require.Equal(t, 6, r.Divergence.Cycle)
	short, err := s.Shrink(t.Context(), st, r.Divergence)
	require.NoError(t, err)
	require.Len(t, short.Set.Rows, 2)
}

// differsThenFails runs RTL that shows a wrong bit when it has counted to 3 and fails above 500, some cycles later in
// the same batch: of the first or of the second. The difference is told, up to the last cycle before the failure; the
// failure is told if the difference would come after it.
func differsThenFails(t *testing.T, s *cosim.Session) {
	for _, base := range []int{0, cosim.SlotRows} {
		st := cosim.Stimulus{
			Rows: words(
				base+500, map[int]uint64{base + 390: 3, base + 400: 200, base + 401: 200, base + 402: 200, base + 403: 200},
			),
			Seed: 8,
		}
		r, err := s.Run(t.Context(), st, nil)
		require.NoError(t, err)
		require.NotNil(t, r.Divergence)
		require.Equal(t, base+391, r.Divergence.Cycle)
		require.Equal(t, "out_odd", r.Divergence.Field)
	}
}
