package study

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/spfc"
)

// burstParams are the parameters of §III.
type burstParams struct {
	spfc.Settings
	Bursts   []int      `flag:"n" min:"0" max:"29" help:"hosts H1 to HN that send bursts"`
	Schemes  []string   `flag:"scheme" help:"buffer managers: dt1, dt2, dt4 (alpha), st, spfc (the circuit), pinned (the whole pool for the victim's port, as in §III-A)"`
	Lasts    clock.Time `flag:"lasts" min:"1us" max:"100ms" help:"how long the bursts last"`
	Offset   clock.Time `flag:"offset" min:"0us" max:"1ms" help:"how much later than 1 ms they begin"`
	Far      clock.Time `flag:"delay" min:"1us" max:"100us" help:"propagation from the senders to the switch"`
	Testbed  bool       `flag:"testbed" help:"Figure 12's switch: 10 Gb/s, 2.5 MB, up to 6 bursts"`
	Congest  int        `flag:"congested" min:"1" max:"100" help:"long flows of H0 to the congested receiver, beside one to the other"`
	Interval clock.Time `flag:"every" min:"1us" max:"1ms" help:"between the samples of the charts"`
	VCD      string     `flag:"vcd" file:"out" help:"write the ports' states as they change, and the samples, as a waveform with a scope for each run"`
	Samples  string     `flag:"samples" file:"out" help:"write queues, thresholds, states and rates over time to this CSV file"`
}

// BurstPoint is one run of Figure 3a.
type BurstPoint struct {
	spfc.Settings
	Bursts  int       `json:"n"`
	Scheme  string    `json:"scheme"`
	Lasts   spfc.Time `json:"lasts_ps"`
	Offset  spfc.Time `json:"offset_ps"`
	Far     spfc.Time `json:"delay_ps"`
	Congest int       `json:"congested"`
	Every   spfc.Time `json:"every_ps"` // 0: no samples
	// Heedless: H0 has no congestion control, and there is neither reserve nor ECN: what the closed forms are of.
	Heedless bool `json:"heedless"`
	Testbed  bool `json:"testbed"`          // Figure 12's switch in place of Figure 3a's
	Record   bool `json:"record,omitempty"` // the ports' states
}

// burstSample is the state at an instant.
type burstSample struct {
	At              spfc.Time `json:"at_ps"`
	Victim, Burst   int64     // queues of ports 0 and 1, bytes, headroom included
	VictimT, BurstT int64     // their thresholds
	F1, F2          float64   // Gb/s on the line since the sample before
	Pauses          int64     // PAUSE frames of port 0 so far
	VictimPort      bool      // SH of port 0
}

// burstResult is what port 0 and its flows saw while the bursts lasted.
type burstResult struct {
	Pauses      int64   `json:"pauses"`     // decisions of port 0
	Frames      int64   `json:"frames"`     // PAUSE frames of port 0, with those sent again
	PauseMbps   float64 `json:"pause_mbps"` // of the frames
	AllPauses   int64   `json:"all_pauses"` // decisions of all ports
	PausedShare float64 `json:"paused"`     // of the time, H0
	F1Gbps      float64 `json:"f1_gbps"`    // on the line
	F2Gbps      float64 `json:"f2_gbps"`
	// from the bursts' arrival until F1 has 90 % of the line for good, in windows of 100 us; the end of the last one if
	// never
	Recovery    spfc.Time `json:"recovery_ps"`
	MaxStored   int64     `json:"max_stored"`
	AnswersLost int64     `json:"answers_lost"`
	Events      int64     `json:"events"`

	// First PAUSE of port 0 and of a burst port after the bursts' first bit reached the switch, and the queue then; -1:
	// none.
	VictimPause spfc.Time `json:"victim_pause_ps"`
	VictimQueue int64     `json:"victim_queue"`
	BurstPause  spfc.Time `json:"burst_pause_ps"`
	BurstQueue  int64     `json:"burst_queue"`

	Samples []burstSample      `json:"samples,omitempty"`
	States  []spfc.StateChange `json:"states,omitempty"`
}

// quiet is how long F1 and F2 share H0 before the bursts (§III-A).
const quiet = spfc.Millisecond

// after is how long a run goes on after the bursts: 13.5 ms in all (Figure 5).
const after = 1500 * spfc.Microsecond

// topology is the switch, its senders, and the byte time of its lines.
func (q *BurstPoint) topology() (t *spfc.Topology, senders int, byteTime spfc.Time) {
	if q.Testbed {
		return spfc.Testbed(), spfc.TestbedSenders, spfc.Gbps10
	}
	return spfc.SingleSwitch(spfc.BurstSenders, q.Far, spfc.Gbps100, 16_000_000), spfc.BurstSenders, spfc.Gbps100
}

// flows of a run.
func (q *BurstPoint) flows() []spfc.Flow {
	_, senders, byteTime := q.topology()
	long := func(to int) spfc.Flow {
		c := q.CongestionControl()
		if q.Heedless {
			c = spfc.Uncontrolled
		}
		return spfc.Flow{From: 0, To: to, Bytes: int64(quiet+q.Offset+q.Lasts+after) / int64(byteTime), Control: c}
	}
	flows := []spfc.Flow{long(senders)}
	for range q.Congest {
		flows = append(flows, long(senders+1))
	}
	bytes := int64(q.Lasts/byteTime) / spfc.PacketBytes * spfc.PayloadBytes
	for h := range q.Bursts {
		flows = append(flows, spfc.Flow{From: 1 + h, To: senders + 1, Bytes: bytes, Start: quiet + q.Offset,
			Control: spfc.Uncontrolled})
	}
	return flows
}

func (q *BurstPoint) fabric(seed uint64) (*spfc.Fabric, error) {
	top, senders, _ := q.topology()
	if q.Bursts >= senders {
		return nil, fmt.Errorf("%d bursts, want at most %d", q.Bursts, senders-1)
	}
	sc, err := q.Build(top, q.Scheme, seed)
	if err != nil {
		return nil, err
	}
	sc.Log = q.Record
	sc.TIMELY.LeastRTT = 2 * (top.Links[0].Delay + spfc.Microsecond)
	if q.Heedless {
		sc.Reserve, sc.ECN = 0, 0
	}
	sc.Flows = q.flows()
	return spfc.NewFabric(&sc)
}

// f1Recovered is the share of the line from which on F1 counts as recovered.
const f1Recovered = 0.9

// recoveryWindow is over what time F1's rate is taken.
const recoveryWindow = 100 * spfc.Microsecond

// burstRun is what a run knows besides its network.
type burstRun struct {
	at, slow                       spfc.Time // slow: when F1 was last seen below the share that counts as recovered
	first, last, lastWindow, atEnd burstCount
	samples                        []burstSample
}

func runBurst(ctx context.Context, run *experiment.Run, q BurstPoint) (burstResult, error) {
	return runOneBurst(ctx, run, q, run.Seed)
}

// runOneBurst is a run of a measurement that may have several, with a seed of its own. More is what that measurement
// knows.
func runOneBurst(ctx context.Context, run *experiment.Run, q BurstPoint, seed uint64,
	more ...any) (burstResult, error) {
	r := burstResult{VictimPause: -1, BurstPause: -1}
	f, err := q.fabric(seed)
	if err != nil {
		return r, err
	}
	sw := f.Switches[0]
	top, _, byteTime := q.topology()
	far := top.Links[0].Delay
	begin := quiet + q.Offset + far // when the bursts' first bits reach the switch
	end := begin + q.Lasts
	stop := end + after - far
	step := recoveryWindow
	if q.Every > 0 {
		step = q.Every
	}
	x := &burstRun{}
	if err := run.Simulate(simulation(f, append(more, x)...)); err != nil {
		return r, err
	}
	if x.at == 0 {
		if err := f.Run(ctx, begin); err != nil {
			return r, err
		}
		first := burstCounts(f)
		*x = burstRun{at: begin, slow: begin, first: first, last: first, lastWindow: first}
	}
	for x.at < stop {
		next := min(x.at+step, stop)
		if x.at < end {
			next = min(next, end)
		}
		x.at = next
		if err := f.Run(ctx, x.at); err != nil {
			return r, err
		}
		now := burstCounts(f)
		if q.Every > 0 {
			x.samples = append(x.samples, sample(f, now, x.last))
			x.last = now
		}
		if now.at-x.lastWindow.at >= recoveryWindow {
			if now.gbps(x.lastWindow, 0)*float64(byteTime) < f1Recovered*8000 {
				x.slow = now.at
			}
			x.lastWindow = now
		}
		if x.at == end {
			x.atEnd = now
		}
		if len(more) == 0 {
			run.Progress(uint64(x.at), uint64(stop))
		}
		if err := run.Between(); err != nil {
			return r, err
		}
	}
	first, atEnd := &x.first, &x.atEnd
	r.Samples = x.samples
	r.Frames, r.Pauses, r.AllPauses = atEnd.frames-first.frames, atEnd.pauses-first.pauses, atEnd.all-first.all
	r.PauseMbps = pauseMbps(r.Frames, q.Lasts)
	r.PausedShare = float64(atEnd.paused-first.paused) / float64(q.Lasts)
	r.F1Gbps, r.F2Gbps = atEnd.gbps(*first, 0), atEnd.gbps(*first, 1)
	r.Recovery = x.slow - begin
	r.MaxStored, r.AnswersLost, r.Events = sw.Manager().Counts.MaxStored, sw.Dropped, f.Net.Events
	for port := range q.Bursts + 1 {
		w := sw.Manager().PausesOf(port)
		switch at := w.First - begin; {
		case w.Pauses == 0 || at < 0: // before the bursts H0 has nothing that waits
		case port == 0:
			r.VictimPause, r.VictimQueue = at, w.FirstQueue
		case r.BurstPause < 0 || at < r.BurstPause:
			r.BurstPause, r.BurstQueue = at, w.FirstQueue
		}
	}
	if q.Record {
		r.States = sw.Manager().States(f.Net.Now())
	}
	return r, nil
}

// pauseMbps is the rate of PFC frames over a time, in Mb/s.
func pauseMbps(frames int64, over spfc.Time) float64 {
	return float64(frames*spfc.PFCFrameBytes*8) / spfc.Microseconds(over)
}

// burstCount is what a run has counted until a time.
type burstCount struct {
	at                  spfc.Time
	frames, pauses, all int64
	paused              spfc.Time
	bytes               [2]int64 // received on the line: F1, and H0's flow to the congested receiver
}

// gbps is the rate of a flow since an earlier count.
func (c burstCount) gbps(since burstCount, flow int) float64 {
	return float64(c.bytes[flow]-since.bytes[flow]) * 8000 / float64(c.at-since.at)
}

// burstCounts reads the counters of a run at its present time.
func burstCounts(f *spfc.Fabric) burstCount {
	sw := f.Topology.Hosts
	c := burstCount{at: f.Net.Now(), frames: f.Net.Counts(sw, 0).PauseFrames, all: f.Switches[0].Manager().Counts.Pauses,
		pauses: f.Switches[0].Manager().PausesOf(0).Pauses, paused: f.Net.Counts(0, 0).PausedTime[spfc.DataPriority]}
	for i := range f.Traffic.Flows {
		if fl := &f.Traffic.Flows[i]; fl.From == 0 {
			c.bytes[min(i, 1)] += fl.LineBytes(fl.Received)
		}
	}
	return c
}

// sample is the state of the victim and of a burst port now, with rates since before.
func sample(f *spfc.Fabric, now, before burstCount) burstSample {
	m := f.Switches[0].Manager()
	queue := func(port int) int64 {
		used, headroom, _ := m.Ingress(port, spfc.DataPriority)
		return used + headroom
	}
	c, _ := m.Circuit(now.at, 0)
	return burstSample{At: now.at, Victim: queue(0), Burst: queue(1), VictimT: m.Threshold(now.at, 0),
		BurstT: m.Threshold(now.at, 1),
		F1:     now.gbps(before, 0), F2: now.gbps(before, 1), Pauses: now.pauses, VictimPort: c.Victim}
}
