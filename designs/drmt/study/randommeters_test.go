package study_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/study"
)

// timed gives a random program's keys, conditions and actions the times of both pipelines.
func (r *randomProgram) timed() {
	p := r.p
	for _, x := range []struct {
		name string
		bits int
	}{
		{"intrinsic_metadata.ingress_global_timestamp", 48}, {"intrinsic_metadata.egress_global_timestamp", 48},
		{"queueing_metadata.enq_timestamp", 32}, {"queueing_metadata.enq_qdepth", 19},
		{"queueing_metadata.deq_timedelta", 32}, {"queueing_metadata.deq_qdepth", 19},
	} {
		f := len(p.Fields)
		p.Fields = append(p.Fields, p4.Field{Name: x.name, Header: 0, Bits: x.bits})
		p.Headers[0].Fields = append(p.Headers[0].Fields, f)
		p.Standard.Others[x.name] = f
		r.values = append(r.values, f)
	}
}

// metered puts meters of one to three rates into actions and tables of a random program. Their colors meet in two
// fields.
func (r *randomProgram) metered() (rates []p4.MeterRates) {
	p := r.p
	colors := r.values[len(r.values)-2:]
	meter := func(size int, direct bool) int {
		n := len(p.Meters)
		m := p4.Meter{
			Name: fmt.Sprint("meter", n), Size: size, Rates: 1 + r.rng.IntN(3), Bytes: r.rng.IntN(2) == 0, Direct: direct,
			Target: colors[r.rng.IntN(2)],
		}
		p.Meters = append(p.Meters, m)
		for range r.rng.IntN(4) { // none: the color is 0
			x := p4.MeterRates{Array: m.Name, Index: r.rng.IntN(size+1) - 1}
			if direct {
				x.Index = r.rng.IntN(12) - 1
			}
			unit := 1
			if m.Bytes {
				unit = 50
			}
			rate := 0.0
			for range m.Rates {
				rate += float64(unit) * r.rng.Float64() * 30
				x.Rates = append(x.Rates, p4.Rate{PerMicrosecond: rate, Burst: uint64(r.rng.IntN(30 * unit))})
			}
			rates = append(rates, x)
		}
		return n
	}
	several := meter(4, false)
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			t := n.Table
			if t == nil {
				continue
			}
			if len(t.Key) > 0 && r.rng.IntN(2) == 0 {
				t.Meter, t.Counters = 1+meter(t.Size, true), r.rng.IntN(2) == 0
			}
			if r.rng.IntN(2) == 0 {
				a := &p.Actions[t.Actions[r.rng.IntN(len(t.Actions))]]
				index := constantOf(r.rng.Uint64() % 5)
				if r.rng.IntN(2) == 0 {
					index = &p4.Expr{
						Kind: p4.Operation, Operator: p4.And, Left: &p4.Expr{Kind: p4.FieldValue, Field: r.plain()}, Right: constantOf(7),
					}
				}
				a.Ops = append([]p4.Primitive{{
					Op: p4.ExecuteMeter, Field: colors[r.rng.IntN(2)], Header: -1, Object: several, Args: []*p4.Expr{index},
				}}, a.Ops...)
			}
		}
	}
	return rates
}

// meteredProgram is a random program with meters: every second one has times. Kind 1 runs packets again, kind 2 copies
// them, kind 3 has tables with groups.
func meteredProgram(rng *rand.Rand, seed uint64, kind int) (*p4.Program, p4.Configuration) {
	r := newBareProgram(rng)
	if r.instance(); seed%2 == 0 {
		r.timed()
	}
	r.header("color", true, 8, 8)
	r.pipeline(&r.p.Ingress, "ingress", []bool{false, true, false}, true)
	r.pipeline(&r.p.Egress, "egress", []bool{false, rng.IntN(2) == 0}, false)
	r.values = r.values[:len(r.values)-1] // without egress_port, colors are the last ones
	rates := r.metered()
	c := p4.Configuration{Entries: study.RandomEntries(r.p, 12, seed)}
	switch kind {
	case 1:
		r.runsAgain()
	case 2:
		r.copied()
		c.Multicast, c.Mirrors = someGroups(), someSessions()
	case 3:
		c = r.grouped(c.Entries, seed%4 == 3)
	}
	c.Rates = rates
	return r.p, c
}

// Random programs with meters and times: each color, and each time that a packet or a condition has, is the
// interpreter's, which is told when packets came.
func TestRandomProgramsWithMeters(t *testing.T) {
	ran, metered, colored, refused := [4]int{}, 0, 0, map[string]int{}
	for seed := range uint64(randomPrograms) {
		rng := rand.New(rand.NewPCG(seed, 0x4d45))
		kind := max(int(seed/2%8)-4, 0)
		p, setup := meteredProgram(rng, seed, kind)
		program := study.Program{P4: p, Entries: setup.Entries, Defaults: setup.Defaults, Setup: &setup}
		opt, err := compile.Setup(p, setup)
		require.NoError(t, err)
		if o := runOnSwitch(t, rng, seed, program, opt, refused); o != nil {
			ran[kind]++
			metered += len(opt.Metered)
			colored += colors(t, p, setup, seed)
		}
	}
	t.Logf("%d programs by kind, %d meter arrays, %d packets with a color; refused: %v", ran, metered, colored, refused)
	for kind, n := range ran {
		require.NotZero(t, n, "kind %d", kind)
	}
	require.Greater(t, ran[0], randomPrograms/3)
	require.Greater(t, metered, ran[0])
	require.Greater(t, colored, ran[0])
}

// colors counts the packets that leave a random program's interpreter with a color, 20 a microsecond.
func colors(t *testing.T, p *p4.Program, c p4.Configuration, seed uint64) (n int) {
	in, err := p4.NewSwitch(p, c)
	require.NoError(t, err)
	source := study.NewTraffic(p, c.Entries, randomPackets, seed)
	for i := range randomPackets {
		packet, port, _ := source.Next()
		in.SetTime(uint64(i / 20))
		in.Run(int(port), packet)
		for _, m := range p.Meters {
			if in.Value(m.Target) > 0 {
				n++
				break
			}
		}
	}
	return n
}
