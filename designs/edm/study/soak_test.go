//go:build soak

package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/edm"
	"github.com/goldwire/goldwire/peers/packetnet"
)

func TestMirrorAtLength(t *testing.T) { checkMirror(t, 200) }

// Figure 8b at the paper's 144 nodes: its five applications, both readings of when ports are free, and all peers, with
// arrivals that last 20 times as long as the longest message alone. It logs a table, in which unsteady loads are called
// so.
func TestFigure8bAtLength(t *testing.T) {
	const messages = 10_000
	for _, sizes := range allApplications {
		for _, release := range []edm.Release{edm.ReleaseByPort, edm.ReleaseBySlot} {
			logApplication(t, edmScheme, sizes, release, messages)
		}
		for _, s := range packetnet.Schemes() {
			logApplication(t, s.String(), sizes, edm.ReleaseByPort, messages)
		}
	}
}

func logApplication(t *testing.T, scheme, sizes string, release edm.Release, messages int) {
	q := applicationPoint(scheme, sizes, 0.5, messages)
	q.Release = release
	p, err := load.Measure(t.Context(), q, 1)
	require.NoError(t, err)
	require.Zero(t, p.Violations)
	require.Equal(t, messages, p.Finished, "%s, %s", scheme, sizes)
	steady := "steady"
	if !p.Carried.Steady() {
		steady = "not steady"
	}
	t.Logf(
		"%-10s %-8s by %v: %.2f of the ideal (reads %.2f, writes %.2f), mean %.0f ns, %.3f of payload offered, %.3f "+
			"arrives, %d marks, %d drops, %d pauses: %s",
		sizes, scheme, release, p.All.Ratio, p.Read.Ratio, p.Write.Ratio, p.All.Mean, p.Drawn, p.Arrived, p.Marks,
		p.Drops, p.Pauses, steady,
	)
}
