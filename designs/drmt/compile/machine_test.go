package compile_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/rtl"
)

// traffic makes random packets, the same ones for the same seed: one for the source and one for the sink, which may run
// side by side.
type traffic struct {
	rng    *rand.Rand
	buffer [128]byte
	left   int
}

func (p *traffic) next() ([]byte, uint16) {
	x := randomPacket(p.rng, p.buffer[:])
	return x, uint16(p.rng.IntN(32))
}

// packets is a source of random packets and a sink that compares the output with the router in Go.
type packets struct {
	t         *testing.T
	in, again traffic
	routes    routes
	came      int
	drops     int
	blind     bool // the output is not compared
	fault     error
}

func (p *packets) Next() ([]byte, uint16, bool) {
	if p.in.left == 0 {
		return nil, 0, false
	}
	p.in.left--
	x, port := p.in.next()
	return x, port, true
}

func (p *packets) Take(x drmt.Leaving) {
	in, _ := p.again.next()
	p.came++
	if p.blind || p.fault != nil {
		return
	}
	want, wantPort, wantDrop := p.routes.forward(in)
	if wantDrop && x.Drop {
		p.drops++
		return
	}
	if got := x.Append(nil, in); x.Drop != wantDrop || x.Port != wantPort ||
		!bytes.Equal(got, want) {
		p.fault = fmt.Errorf(
			"packet %d\n%x\nwanted %v %d\n%x\ngot %v %d\n%x", x.Number, in, wantDrop, wantPort, want, x.Drop, x.Port, got,
		)
	}
}

const (
	seed  = 5
	count = 3000
)

func modes() []rtl.Config {
	return []rtl.Config{{}, {Mode: rtl.Strict, Seed: 2}, {Mode: rtl.Parallel, Workers: 2}}
}

func newPackets(t *testing.T) (*packets, []p4.Entry) {
	r, entries := randomRoutes(rand.New(rand.NewPCG(seed, 0)))
	stream := func() traffic { return traffic{rng: rand.New(rand.NewPCG(seed, 1)), left: count} }
	return &packets{t: t, in: stream(), again: stream(), routes: r}, entries
}

// machine is a dRMT machine with a monitor.
func machine(
	t *testing.T, res *compile.Result, p *packets, processors int, offsets []int, mode rtl.Config,
) (*drmt.Switch, *drmt.Monitor) {
	t.Helper()
	s, err := drmt.NewSwitch(
		drmt.Config{
			Processors: processors, Offsets: offsets, Image: res.Image, Parser: res.Parser, Deparser: res.Deparser,
			Source: p, Sink: p, Sim: mode,
		},
	)
	require.NoError(t, err)
	return s, drmt.Watch(s)
}

// With as many processors as the period has cycles: a packet a cycle, each as the router in Go has it, no fault
// anywhere, the latency the schedule's length, threads as Proposition A.1 says; in all modes.
func TestLineRate(t *testing.T) {
	for _, period := range []int{8, 9, 11} {
		for _, mode := range modes() {
			p, entries := newPackets(t)
			s := naive(router(), period)
			res, err := compile.DRMT(router(), s, compile.Options{Entries: entries})
			require.NoError(t, err)
			sw, m := machine(t, res, p, period, nil, mode)
			require.NoError(t, sw.Clock.Run(uint64(count+res.Image.Length+10)))
			require.NoError(t, m.Err())
			require.NoError(t, p.fault)
			require.NoError(t, p.fault)
			require.Equal(t, count, p.came)
			require.Greater(t, p.drops, count/10)
			require.EqualValues(t, count, m.Left)
			require.Equal(t, 1.0, m.Throughput())
			require.EqualValues(t, s.Length(), m.MinLatency)
			require.EqualValues(t, s.Length(), m.MaxLatency)
			require.Equal(t, (s.Length()+period-1)/period, m.Threads)
		}
	}
}

// With fewer processors the throughput is N/P (equation 10).
func TestFewerProcessors(t *testing.T) {
	const period = 9
	for n := 1; n < period; n += 3 {
		p, entries := newPackets(t)
		res, err := compile.DRMT(router(), naive(router(), period), compile.Options{Entries: entries})
		require.NoError(t, err)
		sw, m := machine(t, res, p, n, nil, rtl.Config{})
		require.NoError(t, sw.Clock.Run(uint64(count*period/n+res.Image.Length+20)))
		require.NoError(t, m.Err())
		require.NoError(t, p.fault)
		require.Equal(t, count, p.came)
		require.InDelta(t, float64(n)/period, m.Throughput(), 0.001)
	}
}

// Two processors that stand at the same cycle of the period ask for the same memory. The ingress gives packets to one
// of them only, so that the compiler's promise shows at the crossbar as keys that nobody expects: the image's own
// connections are two for one output.
func TestBadOffsetsAreRefused(t *testing.T) {
	p, entries := newPackets(t)
	res, err := compile.DRMT(router(), naive(router(), 9), compile.Options{Entries: entries})
	require.NoError(t, err)
	_, err = drmt.NewSwitch(
		drmt.Config{
			Processors: 3, Offsets: []int{0, 9, 5}, Image: res.Image, Parser: res.Parser, Deparser: res.Deparser,
			Source: p, Sink: p,
		},
	)
	require.EqualError(t, err, "offsets [0 9 5]: processors 0 and 1 take packets in the same cycle of the period")
}

// A schedule in which an operation is one cycle off, in the machine only: a key leaves when its memory does not expect
// it.
func TestABadScheduleIsSeen(t *testing.T) {
	for _, c := range []struct {
		seen  string
		spoil func(im *drmt.Image)
	}{
		// the key comes a cycle early
		{`key crossbar: processor \d segment \d has a word that no connection takes`, func(im *drmt.Image) {
			im.Tables[0].Class = (im.Tables[0].Class + 1) % im.Period
		}},
		{`key crossbar: contention at cluster \d segment \d: processor \d segment \d and processor \d segment \d`,
			func(im *drmt.Image) {
				// a second table on the segments of the first, a cycle later: the key of one processor meets the key of the
				// processor before it
				from, to := im.Tables[1], &im.Tables[1]
				to.Cluster, to.Lanes, to.Class = im.Tables[0].Cluster, im.Tables[0].Lanes, (im.Tables[0].Class+1)%im.Period
				for i, l := range to.Lanes {
					im.Keys[to.Class][l] = im.Keys[from.Class][from.Lanes[min(i, len(from.Lanes)-1)]]
				}
			}},
		// it is looked for a cycle early
		{`processor \d: no result came on segment \d for a packet that waits for one`, func(im *drmt.Image) {
			for r := range im.Arrivals {
				if len(im.Arrivals[r]) > 0 {
					to := (r + im.Period - 1) % im.Period
					im.Arrivals[to], im.Arrivals[r] = append(im.Arrivals[to], im.Arrivals[r]...), nil
					return
				}
			}
		}},
	} {
		p, entries := newPackets(t)
		res, err := compile.DRMT(router(), naive(router(), 9), compile.Options{Entries: entries})
		require.NoError(t, err)
		c.spoil(res.Image)
		p.blind = true // the output is wrong
		sw, m := machine(t, res, p, 9, nil, rtl.Config{})
		require.NoError(t, sw.Clock.Run(300))
		require.ErrorContains(t, m.Err(), "cycles had a fault")
		require.Regexp(t, c.seen, strings.Join(m.Faults, "\n"))
	}
}

// The same program on RMT: every packet is the same, the latency is 20 cycles a stage, and with fewer stages than the
// program has the throughput falls to 1/ceil(S/N) (equation 9).
func TestRMT(t *testing.T) {
	for n := 8; n > 0; n-- {
		p, entries := newPackets(t)
		res, err := compile.RMT(router(), nil, compile.Options{Entries: entries})
		require.NoError(t, err)
		stages := len(res.Image.Stages)
		if n > stages+1 {
			continue
		}
		pipe, err := drmt.NewPipeline(
			drmt.PipelineConfig{
				Stages: n, Image: res.Image, Parser: res.Parser, Deparser: res.Deparser, Source: p, Sink: p,
				Sim: modes()[n%3],
			},
		)
		require.NoError(t, err)
		passes := (stages + n - 1) / n
		m := drmt.WatchPipeline(pipe)
		require.NoError(t, pipe.Clock.Run(uint64(passes*(count+2*(20*n+1))+10)))
		require.NoError(t, m.Err())
		require.NoError(t, p.fault)
		require.Equal(t, count, p.came, "%d stages", n)
		// 20 registers a stage and one on the way back: from the edge that fills the first to the edge that fills the last
		require.EqualValues(t, passes*20*n+(passes-1)-1, m.MinLatency)
		require.EqualValues(t, m.MinLatency, m.MaxLatency)
		if passes == 1 {
			require.Equal(t, 1.0, m.Throughput())
		} else {
			require.InDelta(t, 1/float64(passes), m.Throughput(), 0.03) // bursts of a pipeline's length
		}
	}
}
