package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/rifl"
)

func frameLink(t require.TestingT, cfg rifl.FrameLinkConfig) *rifl.FrameLink {
	l, err := rifl.NewFrameLink(cfg)
	require.NoError(t, err)
	return l
}

// A run looks up after some thousand frame cycles, so that an interrupt need not wait, and after a million that are
// skipped.
func TestFrameLinkLooksUp(t *testing.T) {
	for _, c := range []struct {
		skip   bool
		cycles uint64
		least  int
		most   int
	}{{false, 40_000, 8, 12}, {true, 40_000_000, 38, 60}} {
		l := frameLink(t, rifl.FrameLinkConfig{Config: rifl.Default(), Skip: c.skip})
		l.Run(l.Config.Settle())
		looks := 0
		require.NoError(t, runTo(t.Context(), l, l.Cycle()+c.cycles, func() error { looks++; return nil }))
		require.Equal(t, l.Config.Settle()+c.cycles, l.Cycle())
		require.GreaterOrEqual(t, looks, c.least)
		require.LessOrEqual(t, looks, c.most)
	}
}
