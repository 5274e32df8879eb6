package compile_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/rtl"
)

// packets is a source of random packets and a sink that compares what comes out with the router in Go.
type packets struct {
	t      *testing.T
	rng    *rand.Rand
	routes routes
	left   int
	buffer [128]byte
	sent   map[uint32][]byte
	number uint32
	came   int
	drops  int
}

func (p *packets) Next() ([]byte, uint16, bool) {
	if p.left == 0 {
		return nil, 0, false
	}
	p.left--
	x := append([]byte(nil), randomPacket(p.rng, p.buffer[:])...)
	p.sent[p.number] = x
	p.number++
	return x, uint16(p.rng.IntN(32)), true
}

func (p *packets) Take(number uint32, headers []byte, payload int, port uint16, drop bool) {
	in := p.sent[number]
	delete(p.sent, number)
	want, wantPort, wantDrop := p.routes.forward(in)
	p.came++
	require.Equal(p.t, wantDrop, drop, "packet %d", number)
	if drop {
		p.drops++
		return
	}
	require.Equal(p.t, want, append(append([]byte(nil), headers...), in[payload:]...), "packet %d", number)
	require.Equal(p.t, wantPort, port, "packet %d", number)
}

// Every packet of the router in hardware is that of the router in Go, in all modes, with no fault anywhere.
func TestRouter(t *testing.T) {
	const seed, count, period = 5, 3000, 9
	for _, mode := range []rtl.Config{{}, {Mode: rtl.Strict, Seed: 2}, {Mode: rtl.Parallel, Workers: 2}} {
		rng := rand.New(rand.NewPCG(seed, 0))
		r, entries := randomRoutes(rng)
		res, err := compile.DRMT(router(), naive(router(), period), compile.Options{Entries: entries})
		require.NoError(t, err)
		p := &packets{t: t, rng: rng, routes: r, left: count, sent: map[uint32][]byte{}}
		sw, err := drmt.NewSwitch(drmt.Config{Processors: period, Image: res.Image, Parser: res.Parser, Deparser: res.Deparser, Source: p, Sink: p, Sim: mode})
		require.NoError(t, err)
		for range count + res.Image.Length + 10 {
			require.NoError(t, sw.Clock.Run(1))
			require.Equal(t, uint8(0), uint8(sw.Keys.Fault.Get().Kind))
			require.Equal(t, uint8(0), uint8(sw.Results.Fault.Get().Kind))
			for _, x := range sw.Processors {
				require.Equal(t, drmt.ProcessorFault{}, x.Fault.Get())
			}
		}
		require.Equal(t, count, p.came)
		require.Greater(t, p.drops, count/10)
	}
}
