package study

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/rifl"
)

// Each piece of advice makes the configuration sound. One metre more of cable or one bit less of the ID does not, and a
// change that is not advised would not.
func TestAdviceMakesSound(t *testing.T) {
	advised := map[string]int{}
	for _, metres := range []float64{0, 10, 100, 500} {
		for _, transceivers := range []float64{25, 400, 3000, 10000} {
			for _, frame := range []int{128, 256, 2048} {
				for _, profile := range []rifl.Profile{rifl.Core, rifl.Paper, rifl.Safe} {
					for _, ids := range []int{5, 8, 12} {
						cfg := rifl.Default()
						cfg.Length, cfg.Transceivers, cfg.FrameBits, cfg.Profile, cfg.IDBits = metres, transceivers, frame, profile, ids
						if cfg.Sound() == nil {
							continue
						}
						text := advice(cfg)
						with := func(change func(c *rifl.Config)) bool {
							c := cfg
							change(&c)
							return c.Sound() == nil
						}
						var least, most int
						if part, ok := after(text, "--ids "); ok {
							_, err := fmt.Sscan(part, &least)
							require.NoError(t, err)
							require.True(t, with(func(c *rifl.Config) { c.IDBits = least }), text)
							require.False(t, least > 5 && with(func(c *rifl.Config) { c.IDBits = least - 1 }), text)
							advised["ids"]++
						} else {
							require.Zero(t, cfg.SizeSoundID(), text)
						}
						safe := with(func(c *rifl.Config) { c.Profile = rifl.Safe })
						require.Equal(t, safe, strings.Contains(text, "--profile safe"), text)
						if safe {
							advised["safe"]++
						}
						if part, ok := after(text, "--metres "); ok {
							_, err := fmt.Sscan(part, &most)
							require.NoError(t, err)
							require.True(t, with(func(c *rifl.Config) { c.Length = float64(most) }), text)
							require.False(t, with(func(c *rifl.Config) { c.Length = float64(most + 1) }), text)
							advised["metres"]++
						} else {
							require.False(t, metres >= 1 && with(func(c *rifl.Config) { c.Length = 1 }), text)
						}
					}
				}
			}
		}
	}
	for _, what := range []string{"ids", "safe", "metres"} {
		require.Positive(t, advised[what], what)
	}
}

func after(text, what string) (rest string, ok bool) {
	_, rest, ok = strings.Cut(text, what)
	return rest, ok
}

// By hand: 2^5 frames of 128 bits are 512 bytes. Of a core with S = 5 the flow control has 2 x 32 + 16.
func TestBuffersAreSaid(t *testing.T) {
	cfg := rifl.Default()
	cfg.FrameBits, cfg.IDBits, cfg.Length = 128, 5, 500
	lines := buffers(cfg)
	require.Len(t, lines, 2)
	require.Contains(t, lines[0], "retransmission 32 frames, 0.5 KB; flow control 80 frames, 1.3 KB;")
	require.Contains(t, lines[1], "Not sound: ")
}
