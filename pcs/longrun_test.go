package pcs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
)

// A bug that shows only after 20 words of data in a row, as in every frame above 170 bytes, is found by the encoder's
// stimulus as it comes, and by the legal one; the hostile one, whose runs are short, does not reach it.
func TestABugAfterTwentyWordsIsFound(t *testing.T) {
	if err := cosim.Icarus.Available(); err != nil {
		t.Skipf("a planted bug was NOT looked for in lockstep: %v", err)
	}
	encoder, err := Units().Find("pcs/encoder")
	require.NoError(t, err)
	run := func(rtl, profile string) *cosim.Result {
		path := filepath.Join(t.TempDir(), "encoder.v")
		require.NoError(t, os.WriteFile(path, []byte(rtl), 0o644))
		u, err := encoder.WithProfile(profile)
		require.NoError(t, err)
		s, err := cosim.Start(t.Context(), cosim.Options{Unit: u, Seed: 1,
			Design: cosim.Design{Sources: []string{path}, Top: "pcs_encoder", Simulator: cosim.Icarus}})
		require.NoError(t, err)
		defer s.Close()
		r, err := s.Run(t.Context(), cosim.Stimulus{Cycles: 4000, Seed: 1}, nil)
		require.NoError(t, err)
		return r
	}
	// a counter of words of data that turns a bit of the 21st
	bad := strings.NewReplacer(
		"    reg [2:0] state, next;\n", "    reg [2:0] state, next;\n    reg [5:0] words = 0;\n",
		"                state       <= next;\n",
		"                state       <= next;\n"+
			"                words       <= kind != KIND_D ? 6'd0 : words == 6'd21 ? words : words + 6'd1;\n",
		"next == TX_E ? EBLOCK : payload;", "next == TX_E ? EBLOCK : payload ^ {words == 6'd20, 63'd0};",
	).Replace(encoder.RTL)
	require.Contains(t, bad, "words == 6'd20")
	require.Contains(t, bad, "words == 6'd21")

	require.Nil(t, run(encoder.RTL, "mixed").Divergence)
	for _, profile := range []string{"mixed", "legal"} {
		d := run(bad, profile).Divergence
		require.NotNil(t, d, profile)
		require.Equal(t, "out_payload", d.Field, profile)
		require.Equal(t, uint64(1)<<63, d.Want^d.Got, profile)
	}
	require.Nil(t, run(bad, "hostile").Divergence, "so the stretches as the standard allows are what finds it")
}
