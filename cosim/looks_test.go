package cosim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
)

// A register that no reset reaches and that decides something is a difference, whatever the seed, and its name is told.
// What a seed's random bits happen to hold, or an x that takes the else, would agree.
func TestRegisterWithoutReset(t *testing.T) {
	text := strings.NewReplacer("    assign", "    reg core_mode;\n    assign", "out_total + STEP",
		"out_total + (core_mode === 1'b1 ? 2 : STEP)").
		Replace(plain)
	for name, edit := range both(func(*cosim.Options) {}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := start(t, text, edit)
			require.NoError(t, err)
			for seed := range uint64(4) {
				r, err := s.Run(t.Context(), cosim.Stimulus{Cycles: 300, Seed: seed}, nil)
				require.NoError(t, err)
				require.NotNil(t, r.Divergence, "seed %d", seed)
				if cosim.Icarus.Available() == nil {
					require.Equal(t, []string{"core_mode"}, r.Divergence.Missed)
				}
				require.Contains(t, r.Divergence.Depends(), "what registers hold before the reset")
			}
		})
	}
}

// Registers without a reset that decide nothing, and memories, are no difference from any contents.
func TestContentsThatDecideNothing(t *testing.T) {
	text := strings.NewReplacer("    assign",
		"    reg [11:0] past [0:3]; reg [1:0] at; reg [70:0] wide; integer k; initial at = 0;\n    assign",
		"out_valid <= in_valid;", "out_valid <= in_valid; past[at] <= out_total; wide <= {wide, in_valid}; k = at;").
		Replace(plain)
	for name, edit := range both(func(*cosim.Options) {}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := start(t, text, edit)
			r := agree(t, s, err)
			require.Equal(t, []string{"all 0", "all 1", "random", "random"}, r.Looks.Contents)
			require.Equal(t, 8, r.Looks.Resets)
			require.Greater(t, r.Looks.Cycles, 12*32)
		})
	}
}

// A reset in the middle of a run finds what only the first one sets right; a unit may say that it must not come.
func TestSecondReset(t *testing.T) {
	text := strings.NewReplacer("    assign", "    reg [6:0] words = 0;\n    assign", "if (rst) begin out_total <= 0;",
		"if (rst) begin out_total <= words == 100;",
		"out_valid <= in_valid;", "out_valid <= in_valid; if (in_valid && words != 100) words <= words + 1;").
		Replace(plain)
	for name, edit := range both(func(*cosim.Options) {}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := start(t, text, func(o *cosim.Options) { edit(o); o.Dirty = 0 })
			d := part(t, s, err)
			require.Positive(t, d.Resets)
			require.Equal(t, "out_total", d.Field)
			require.Contains(t, d.String(), " after reset number ")
			require.False(t, d.CanShrink())

			s, err = start(t, text, func(o *cosim.Options) { edit(o); o.Dirty = 0; o.Unit.ResetOnce = "it counts resets" })
			r := agree(t, s, err)
			require.Zero(t, r.Looks.Resets)
			require.Contains(t, r.Looks.String(), "no second reset: it counts resets")
		})
	}
}
