package spfc

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/peers/dcqcn"
)

func newFabric(t require.TestingT, sc Scenario) *Fabric {
	f, err := NewFabric(&sc)
	require.NoError(t, err)
	return f
}

func figure3a() *Topology { return SingleSwitch(BurstSenders, 9*Microsecond, Gbps100, 16_000_000) }

// A flow that is alone takes what the serialisation and propagation of its way add up to, on every topology and with
// every sender.
func TestLoneFlow(t *testing.T) {
	for _, top := range []*Topology{figure3a(), Testbed(), Clos(2), DeadlockPod()} {
		for _, control := range []Control{Uncontrolled, WithDCQCN, WithTIMELY} {
			for _, bytes := range []int64{1, 1000, 1001, 1016, 17_500, 64 << 10} {
				sc := DefaultScenario(top)
				sc.Flows = []Flow{{From: 0, To: top.Hosts - 1, Bytes: bytes, Start: 777, Control: control}}
				f := newFabric(t, sc)
				require.NoError(t, f.Run(t.Context(), Millisecond))
				require.Equal(t, f.Alone(0), f.Traffic.Flows[0].Finish-777, "%s, %v, %d bytes", top.Name, control, bytes)
			}
		}
	}
}

// By hand: a packet of 1,048 B and an answer of 64 B each take two lines and 10 us of wire.
func TestRoundTripByStamps(t *testing.T) {
	sc := DefaultScenario(figure3a())
	sc.Flows = []Flow{{From: 0, To: 30, Bytes: 16_000, Control: WithTIMELY}}
	f := newFabric(t, sc)
	require.NoError(t, f.Run(t.Context(), Millisecond))
	require.EqualValues(t, 20_000_000+2*83_840+2*5_120, f.Traffic.Flows[0].Timely.Last)
	require.EqualValues(t, 1, f.Hosts[0].AcksReceived)
}

// recorder stands in for a receiver and notes when packets come.
type recorder struct {
	Host
	at []Time
}

func (r *recorder) Receive(now Time, port int, p *Packet) {
	r.at = append(r.at, now)
	r.Host.Receive(now, port, p)
}

// A flow at 7 Gb/s sends its packets 1,197,714.3 ps apart, rounded up; two at line rate take turns.
func TestPacing(t *testing.T) {
	top := SingleSwitch(1, Microsecond, Gbps100, 1_000_000)
	sc := DefaultScenario(top)
	sc.Flows = []Flow{{0, 1, 3000, 0, WithTIMELY}, {0, 1, 3000, 0, Uncontrolled}}
	f := newFabric(t, sc)
	f.Traffic.Flows[0].Timely.rate = 7 * gbps
	r := &recorder{Host: *f.Hosts[1]}
	f.Net.sites[1].node = r
	require.NoError(t, f.Net.Run(t.Context(), Millisecond))
	first := Time(2*83_840 + 2_000_000)
	require.Equal(t, []Time{first, first + 83_840, first + 2*83_840, first + 3*83_840, first + 1_197_715,
		first + 2*1_197_715}, r.at)
}

// Above half of the line a lone flow is paced as well: at 60 Gb/s its packets are 139,733.3 ps apart.
func TestPacingAboveHalf(t *testing.T) {
	sc := DefaultScenario(SingleSwitch(1, Microsecond, Gbps100, 1_000_000))
	sc.Flows = []Flow{{0, 1, 4000, 0, WithTIMELY}}
	f := newFabric(t, sc)
	f.Traffic.Flows[0].Timely.rate = 60 * gbps
	r := &recorder{Host: *f.Hosts[1]}
	f.Net.sites[1].node = r
	require.NoError(t, f.Net.Run(t.Context(), Millisecond))
	first := Time(2*83_840 + 2_000_000)
	require.Equal(t, []Time{first, first + 139_734, first + 2*139_734, first + 3*139_734}, r.at)
}

// Payload by hand: 1,000 B a packet, 48 B of headers, at least 64 B in all.
func TestPacketsOfAFlow(t *testing.T) {
	for bytes, want := range map[int64][2]int64{1: {1, 64}, 16: {1, 64}, 17: {1, 65}, 1000: {1, 1048}, 1001: {2, 64},
		2000: {2, 1048}, 65_536: {66, 584}} {
		n, last := (&Flow{Bytes: bytes}).packets()
		require.Equal(t, want, [2]int64{n, last}, "%d bytes", bytes)
	}
}

// A packet or a byte too many or too few anywhere fails a run.
func TestCheckFindsWhatIsMissing(t *testing.T) {
	for name, spoil := range map[string]func(f *Fabric){
		"sent":     func(f *Fabric) { f.Hosts[0].Sent++ },
		"bytes":    func(f *Fabric) { f.Hosts[0].SentBytes-- },
		"received": func(f *Fabric) { f.Hosts[31].Received-- },
		"flying": func(f *Fabric) {
			for i := range f.Net.ports {
				if p := &f.Net.ports[i]; p.flying.count > 0 {
					p.flying.pop()
					return
				}
			}
		},
		"CNP":    func(f *Fabric) { f.Hosts[31].CNPs++ },
		"switch": func(f *Fabric) { f.Switches[0].Received++ },
	} {
		sc := DefaultScenario(figure3a())
		sc.Flows = bursts(3, Millisecond, []Flow{{0, 31, 1_000_000, 0, WithDCQCN}})
		f := newFabric(t, sc)
		require.NoError(t, f.Run(t.Context(), 60*Microsecond))
		spoil(f)
		require.Error(t, f.Check(), name)
	}
	sc := DefaultScenario(figure3a())
	sc.Flows = bursts(3, Millisecond, nil)
	f := newFabric(t, sc)
	f.Traffic.Flows[1].Received = 5
	require.ErrorContains(t, f.Run(t.Context(), 60*Microsecond), "host 31: packet 0 of flow 1 to host 31, want packet 5")
}

// One CNP an interval, however many marks.
func TestCNPInterval(t *testing.T) {
	for _, p := range []dcqcn.Parameters{dcqcn.Card(100 * gbps), dcqcn.Paper(100 * gbps)} {
		sc := DefaultScenario(figure3a())
		sc.DCQCN = p
		sc.Flows = []Flow{{0, 31, 50_000_000, 0, WithDCQCN}, {1, 31, 50_000_000, 0, Uncontrolled}}
		sc.Policy = DT
		f := newFabric(t, sc)
		require.NoError(t, f.Run(t.Context(), Millisecond))
		marked, cnps := f.Traffic.Flows[0].marked, f.Hosts[31].CNPs
		require.Greater(t, marked, cnps)
		require.Positive(t, cnps)
		require.LessOrEqual(t, cnps, int64(Millisecond)/p.CNPInterval+1)
		require.Less(t, f.Traffic.Flows[0].dcqcn.Rate(), int64(50*gbps))
	}
}

// A threshold under DT is Equation 1's for every port, whatever PAUSE and RESUME did before.
func TestDTHasOneThreshold(t *testing.T) {
	sc := DefaultScenario(figure3a())
	sc.Policy = DT
	sc.Flows = bursts(24, Millisecond, nil)
	f := newFabric(t, sc)
	m := f.Switches[0].Manager()
	for at := 100 * Microsecond; at <= 3*Millisecond; at += 100 * Microsecond {
		require.NoError(t, f.Run(t.Context(), at))
		for port := range 32 {
			require.Equal(t, 2*(m.Pool()-m.Used()), m.Threshold(at, port), "port %d at %d ps", port, at)
		}
	}
	require.Greater(t, m.Counts.Resumes, int64(24))
}

// bursts are n senders of Figure 3a at line rate to R2 for a time, after what else there is.
func bursts(n int, lasts Time, flows []Flow) []Flow {
	for h := range n {
		flows = append(flows, Flow{1 + h, BurstSenders + 1, int64(lasts) / 80 / PacketBytes * PayloadBytes, 0, Uncontrolled})
	}
	return flows
}

// state prints everything in which two runs can differ.
func (f *Fabric) state() string {
	s := ""
	for i := range f.Traffic.Flows {
		fl := &f.Traffic.Flows[i]
		s += fmt.Sprintln(i, fl.sent, fl.Received, fl.marked, fl.notified, fl.Finish, fl.dcqcn, fl.Timely)
	}
	for i := range f.Net.ports {
		s += fmt.Sprintln(f.Net.ports[i].counts, f.Net.ports[i].open)
	}
	for _, sw := range f.Switches {
		m := sw.Manager()
		s += fmt.Sprintln(m.Counts, m.ports, m.queues)
	}
	return s
}

// hostile draws flows with which all happens: incasts, bursts, congestion control, short and long ones, at one time or
// not.
func hostile(t *rapid.T, top *Topology) Scenario {
	sc := DefaultScenario(top)
	sc.Policy = Policy(rapid.IntRange(0, 3).Draw(t, "policy"))
	sc.Pinned = 1
	sc.Arbitration = Arbitration(rapid.IntRange(0, 2).Draw(t, "arbitration"))
	sc.Headroom = Headroom(rapid.IntRange(0, 1).Draw(t, "headroom"))
	sc.PFC.UntilResumed = rapid.Bool().Draw(t, "until resumed")
	sc.PFC.Reaction = uint16(rapid.SampledFrom([]int{0, 394}).Draw(t, "reaction"))
	if rapid.Bool().Draw(t, "short quanta") {
		sc.PFC.Quanta, sc.PFC.Refresh = 1000, 400
	}
	sc.Seed = rapid.Uint64().Draw(t, "seed")
	rng := rand.New(rand.NewPCG(sc.Seed, 1))
	at := Time(0)
	for range rapid.IntRange(1, 25).Draw(t, "flows") {
		from, to := rng.IntN(top.Hosts), rng.IntN(min(4, top.Hosts))
		if from == to {
			continue
		}
		if rng.IntN(2) == 0 {
			at += Time(rng.IntN(20_000_000))
		}
		sc.Flows = append(sc.Flows, Flow{from, to, 1 + rng.Int64N(1<<(8+rng.IntN(13))), at, Control(rng.IntN(3))})
	}
	return sc
}

// Hostile traffic: all invariants hold at all times, asking every port at every instant changes no bit, and when there
// is no deadlock all flows finish, in no less time than alone.
func TestHostileTraffic(t *testing.T) {
	tops := []*Topology{SingleSwitch(10, 3*Microsecond, Gbps100, 3_000_000), DeadlockPod(), Testbed()}
	tops[2].Buffer = 600_000
	rapid.Check(t, func(t *rapid.T) {
		top := rapid.SampledFrom(tops).Draw(t, "topology")
		sc := hostile(t, top)
		f, all := newFabric(t, sc), newFabric(t, sc)
		all.Net.askAll = top != tops[1]
		for at := 100 * Microsecond; at <= 1000*Microsecond; at += 300 * Microsecond {
			require.NoError(t, f.Run(t.Context(), at))
			require.NoError(t, all.Run(t.Context(), at))
			require.Equal(t, f.state(), all.state())
		}
		require.NoError(t, f.Run(t.Context(), 200*Millisecond))
		require.Zero(t, f.Traffic.Unfinished)
		for i := range sc.Flows {
			require.GreaterOrEqual(t, f.Traffic.Flows[i].Finish-sc.Flows[i].Start, f.Alone(i))
		}
	})
}

// The counts of PAUSEs by port agree with the record of decisions.
func TestPausesOfAPort(t *testing.T) {
	sc := DefaultScenario(figure3a())
	sc.Policy, sc.Log, sc.Flows = DT, true, bursts(20, 2*Millisecond, nil)
	f := newFabric(t, sc)
	require.NoError(t, f.Run(t.Context(), 2*Millisecond))
	m := f.Switches[0].Manager()
	want := make([]PauseCounts, 32)
	for _, d := range m.Decisions() {
		if w := &want[d.Port]; d.Pause {
			if w.Pauses++; w.Pauses == 1 {
				w.First, w.FirstQueue = d.Time, d.Used
			}
			w.Queues += d.Used
		}
	}
	for port := range want {
		require.Equal(t, want[port], m.PausesOf(port))
	}
	require.Greater(t, want[1].Pauses, int64(1))
}
