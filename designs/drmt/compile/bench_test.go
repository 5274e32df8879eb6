package compile_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/rtl"
)

// endless sends the same packets over and over and looks at nothing.
type endless struct {
	packets [64][]byte
	at      int
}

func (e *endless) Next() ([]byte, uint16, bool) {
	e.at++
	return e.packets[e.at&63], 3, true
}

func (e *endless) Take(drmt.Leaving) {}

func sixteen(t testing.TB, cfg rtl.Config) *drmt.Switch {
	rng := rand.New(rand.NewPCG(seed, 0))
	_, entries := randomRoutes(rng)
	res, err := compile.DRMT(router(), naive(router(), 16), compile.Options{Entries: entries})
	require.NoError(t, err)
	e := &endless{}
	for i := range e.packets {
		e.packets[i] = randomPacket(rng, make([]byte, 64))
	}
	s, err := drmt.NewSwitch(
		drmt.Config{
			Processors: 16, Image: res.Image, Parser: res.Parser, Deparser: res.Deparser, Source: e, Sink: e, Sim: cfg,
		},
	)
	require.NoError(t, err)
	return s
}

// A running machine allocates nothing.
func TestNoAllocations(t *testing.T) {
	s := sixteen(t, rtl.Config{})
	require.NoError(t, s.Clock.Run(2000))
	require.Zero(t, testing.AllocsPerRun(3, func() { _ = s.Clock.Run(500) }))
}

func BenchmarkSixteenProcessors(b *testing.B) {
	s := sixteen(b, rtl.Config{})
	_ = s.Clock.Run(2000)
	b.ResetTimer()
	_ = s.Clock.Run(uint64(b.N)) // a packet a cycle
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "packets/s")
}
