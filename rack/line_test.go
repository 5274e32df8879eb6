package rack

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/rifl"
)

// A lone message over RIFL by hand: its frame, 1,070 bytes without preamble and gap, takes 9 sets of four lanes' 30
// bytes at the sender and again at the switch, and each link has the latency of a link at rest.
func TestALoneMessageOverRIFL(t *testing.T) {
	l := defaultLinks()
	plain, err := named("output-queued")
	require.NoError(t, err)
	l.Kind = riflLanes
	got, err := plain.alone(t.Context(), l, workload.Write, 1000)
	require.NoError(t, err)
	const host, forward = 245.56, 430.72
	const frame = 256 / 25.78125 // ns
	cfg := l.lanes()
	rest, err := rifl.NewSlots(rifl.FrameLinkConfig{Config: cfg}, 0)
	require.NoError(t, err)
	late := float64(rest.Came(rest.Next(1000))-1000) * frame
	require.InDelta(t, 2*host+forward+2*(8*frame+late), got, 2*frame+1, "within a slot on each link")
	require.InDelta(t, 48+60, late, 5, "the cable, and 60 ns of RIFL's circuits")
}

// A clean RIFL link carries its frames' payload: 30 of 32 bytes of 103.125 Gb/s.
func TestRateOfARIFLLine(t *testing.T) {
	l := defaultLinks()
	line, err := newRIFLLine(l, 1)
	require.NoError(t, err)
	at := int64(0)
	const frames, bytes = 2000, 1200 // ten slots
	for range frames {
		at, _ = line.Send(3, at, bytes)
		at = (at + 79) / 80 * 80 // as the network's clock rounds it
	}
	require.InDelta(t, 103.125*30/32, frames*bytes*8000/float64(at), 0.1)
	passes, err := line.passes()
	require.NoError(t, err)
	require.Zero(t, passes)
}

// Bit errors hold frames up, and never let one overtake another, get lost or come before it was sent.
func TestErrorsHoldARIFLLineUp(t *testing.T) {
	l := defaultLinks()
	l.Line = Line{riflLanes, 1e-6}
	noisy, err := newRIFLLine(l, 1)
	require.NoError(t, err)
	l.BER = 0
	clean, err := newRIFLLine(l, 1)
	require.NoError(t, err)
	var at, before, worst int64
	for range 20_000 {
		free, came := noisy.Send(3, at, 1200)
		_, cleanCame := clean.Send(3, at, 1200)
		require.Greater(t, came, before)
		require.GreaterOrEqual(t, came, cleanCame)
		require.Greater(t, free, at)
		worst = max(worst, came-cleanCame)
		at, before = free, came
	}
	passes, err := noisy.passes()
	require.NoError(t, err)
	require.Greater(t, passes, uint64(100))
	pass := float64(int(1)<<l.lanes().S()) * 256 / 25.78125 * 1000
	require.Greater(t, float64(worst), pass)
}

// Every message comes over RIFL however many bits flip, and none is dropped; over plain links DCTCP sends a
// spoilt frame again.
func TestErrorsOfTheLines(t *testing.T) {
	l := defaultLinks()
	l.Nodes = 8
	messages, err := Workload{Sizes: "fixed:4096", Messages: 2000}.list(l, 0.3, 1)
	require.NoError(t, err)
	mean := func(name string, line Line) (float64, carried) {
		f, err := named(name)
		require.NoError(t, err)
		l.Line = line
		c, err := f.run(t.Context(), &experiment.Run{Seed: 1}, l, messages)
		require.NoError(t, err)
		sum := 0.0
		for _, r := range c.results {
			require.True(t, r.Finished)
			sum += float64(r.Latency())
		}
		return sum / float64(len(c.results)), c
	}
	for _, s := range overRIFL {
		clean, _ := mean(s.String(), Line{Kind: riflLanes})
		noisy, c := mean(s.String(), Line{riflLanes, 1e-6})
		require.Greater(t, noisy, clean+100_000, s.String())
		require.Positive(t, c.passes, s.String())
		if s != packetnet.PFabric { // which drops for other reasons
			require.Zero(t, c.drops, s.String())
		}
	}
	for _, s := range resending {
		clean, c := mean(s.String(), Line{Kind: plainPCS})
		require.Zero(t, c.spoilt)
		noisy, c := mean(s.String(), Line{plainPCS, 1e-6})
		// 2,000 messages of 4,096 bytes pass two links, with 3 headers of 90 bytes each and acknowledgements
		want := 2000 * 2 * (4096 + 3*90) * 8 * 66 / 64 * 1e-6
		require.InDelta(t, want, float64(c.spoilt), 0.5*want, s.String())
		require.Greater(t, noisy, clean, s.String())
	}
}

// A line's errors come bit by bit: the order of questions changes nothing, and there are as many as the rate says.
func TestNoiseOfALine(t *testing.T) {
	l := defaultLinks()
	l.BER = 1e-6
	const frame = 100_000 // ps: 10,312 bits
	n := newNoise(l, 1)
	count, first := 0, []int64{}
	for k := range int64(40_000) {
		if n.spoils(5, k*frame, (k+1)*frame) {
			count++
			first = append(first, k)
		}
	}
	want := 40_000 * (1 - math.Exp(-10_312.5e-6))
	require.InDelta(t, want, count, 4*math.Sqrt(want))
	again := newNoise(l, 1)
	require.False(t, again.spoils(6, 0, 1), "another port")
	for _, k := range first {
		require.True(t, again.spoils(5, k*frame, (k+1)*frame))
	}
	require.True(t, again.spoils(5, first[0]*frame, (first[0]+1)*frame), "asked again")
}

func TestBadLines(t *testing.T) {
	check := func(line Line, metres float64, fabrics ...string) string {
		p := params{Loads: []float64{0.1}, Fabrics: fabrics}
		p.Links, p.Workload = defaultLinks(), Workload{Sizes: "fixed:700", Messages: 400}
		p.Line, p.Metres = line, metres
		if err := check(&p); err != nil {
			return err.Error()
		}
		return ""
	}
	require.Empty(t, check(Line{riflLanes, 1e-8}, 2, "dctcp", "ndp"))
	require.Equal(t, "--line rifl: edm is not composed with it; want some of "+
		"dctcp, pfabric, pfc, dcqcn, ndp, output-queued", check(Line{Kind: riflLanes}, 2, "dctcp", "edm"))
	require.Equal(t, "--ber: pfc sends no frame again that a bit error spoils; "+
		"want some of dctcp, pfabric, or --line rifl",
		check(Line{plainPCS, 1e-8}, 2, "pfc"))
	require.Equal(t, "--line rifl: a cable of 301 m, want at most 300", check(Line{Kind: riflLanes}, 301, "pfc"))

	c := packetnet.DefaultConfig(packetnet.Fastpass)
	c.Line = &riflLine{}
	_, err := packetnet.Run(t.Context(), c, nil)
	require.EqualError(t, err, "fastpass: Line, want a scheme that does not plan with the links' times")
	c = packetnet.DefaultConfig(packetnet.PFC)
	c.Spoils = (&noise{}).spoils
	_, err = packetnet.Run(t.Context(), c, nil)
	require.EqualError(t, err, "pfc: Spoils, want dctcp or pfabric, which send a lost frame again")
}
