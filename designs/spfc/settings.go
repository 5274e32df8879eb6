package spfc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/peers/dcqcn"
	"github.com/goldwire/goldwire/workload"
)

// Settings are what the paper leaves open, or varies, of switches and hosts: flags that all experiments have.
type Settings struct {
	Control     string     `flag:"cc" choices:"dcqcn,timely" help:"congestion control of the flows that have one" json:"cc"`
	Timers      string     `flag:"timers" choices:"card,paper,publication" help:"DCQCN's timers of alpha, decreases, increases: card (1, 4, 300 us), paper (50, 50, 55 us, as simulators name them), publication (55 us, each CNP, 55 us and 10 MB, F = 5)" json:"timers"`
	FirstLater  bool       `flag:"first-later" help:"DCQCN: the first decrease waits for its timer, as in common simulators" json:"first_later"`
	KeepTarget  bool       `flag:"keep-target" help:"DCQCN: a further cut keeps the target rate until the rate was raised, as in HPCC's simulator" json:"keep_target"`
	Headroom    string     `flag:"headroom" choices:"carved,apart,triple" help:"what the link needs out of the buffer, or beside it, or 3 x rate x delay out of it" json:"headroom"`
	Arbitration string     `flag:"arbitration" choices:"fifo,fair,round-robin" help:"how an egress port serves ingress ports" json:"arbitration"`
	K           int        `flag:"k" min:"1" max:"1000" help:"K of SPFC" json:"k" knob:"true"`
	TC          clock.Time `flag:"tc" min:"0us" max:"100ms" help:"timeout clock of SPFC; 0: 4 RTT of the network, and at least 80 us" json:"tc"`
	Alpha       float64    `flag:"alpha" min:"0.0078125" max:"128" help:"alpha of SPFC's ports that are no victims; a power of two" json:"alpha" knob:"true"`
	Mark        string     `flag:"mark" choices:"departure,arrival" help:"a packet gets its ECN mark as it leaves, by the queue it leaves, or as it comes, by the queue it finds" json:"mark"`
	Pause       string     `flag:"pause" choices:"quanta,until-resumed" help:"a pause lasts its quanta and is sent again, or until it is resumed" json:"pause"`
	Knobs
}

// Knobs are parameters of a user's own in place of the usual ones.
type Knobs struct {
	ECN         string `flag:"ecn" help:"ECN marking at every port, KMIN:KMAX:PERCENT with the thresholds in KB; without it 100:400:20 at 25 Gb/s, and in proportion to a link's rate" json:"ecn,omitempty"`
	Static      int    `flag:"static" min:"0" max:"1000000" unit:"KB" help:"threshold of st; 0: the memory by the number of ports" json:"static,omitempty"`
	DCQCNKnobs  string `flag:"dcqcn" help:"DCQCN's parameters in place of those of --timers, NAME=VALUE,...: times cnp, alpha, decrease, increase; bytes in MB; f; rates ai, hai, least in Mb/s" json:"dcqcn,omitempty"`
	TIMELYKnobs string `flag:"timely" help:"TIMELY's parameters, NAME=VALUE,...: weight, beta; times low, high, rtt; rates delta, hyper, least in Mb/s; n; segment" json:"timely,omitempty"`
}

// DefaultSettings has K = 5 and a TC of 4 RTT (§V-B): 80 us in Figure 3a, 96 us in the fabric of §VII-D. What the
// paper does not state is as network cards and switches ship.
func DefaultSettings() Settings {
	return Settings{Control: "dcqcn", Timers: "card", Headroom: "carved", Arbitration: "fifo", K: 5,
		TC: clock.MustTime("0us"), Alpha: 2, Mark: "departure", Pause: "quanta"}
}

// Schemes are the buffer managers that the figures compare.
var Schemes = []string{"dt1", "dt2", "dt4", "st", "spfc", "pinned"}

// scheme sets the buffer manager. A pinned one gives the whole pool to port 0.
func (sc *Scenario) scheme(name string) error {
	alpha, isDT := strings.CutPrefix(name, "dt")
	switch {
	case isDT:
		a, err := strconv.ParseFloat(alpha, 64)
		if err != nil {
			return fmt.Errorf("buffer manager %q: want dt and a number, st, spfc or pinned", name)
		}
		sc.Policy = DT
		sc.Alpha, err = AlphaShift(a)
		return err
	case name == "st":
		sc.Policy = ST
	case name == "spfc":
		sc.Policy = SPFC
	case name == "pinned":
		sc.Policy, sc.Pinned = Pinned, 1
	default:
		return fmt.Errorf("buffer manager %q: want dt and a number, st, spfc or pinned", name)
	}
	return nil
}

// Build is a topology under the settings.
func (s *Settings) Build(t *Topology, scheme string, seed uint64) (Scenario, error) {
	sc := DefaultScenario(t)
	var err error
	if sc.Alpha, err = AlphaShift(s.Alpha); err != nil {
		return sc, fmt.Errorf("--alpha: %w", err)
	}
	if err := sc.scheme(scheme); err != nil {
		return sc, err
	}
	if sc.Headroom, err = ParseHeadroom(s.Headroom); err != nil {
		return sc, err
	}
	if sc.Arbitration, err = ParseArbitration(s.Arbitration); err != nil {
		return sc, err
	}
	sc.K, sc.Seed = int64(s.K), seed
	tc, err := Picoseconds(s.TC)
	if err != nil {
		return sc, fmt.Errorf("--tc: %w", err)
	}
	if tc > 0 {
		sc.Window = tc
	}
	switch s.Timers {
	case "paper":
		sc.DCQCN = dcqcn.Paper(bitTimes / int64(t.Links[0].ByteTime))
	case "publication":
		sc.DCQCN = dcqcn.Publication()
	}
	sc.DCQCN.FirstLater, sc.DCQCN.KeepTarget = s.FirstLater, s.KeepTarget
	sc.Arrivals = s.Mark == "arrival"
	sc.PFC.UntilResumed = s.Pause == "until-resumed"
	return sc, s.turn(&sc)
}

func (s *Settings) CongestionControl() Control {
	if s.Control == "timely" {
		return WithTIMELY
	}
	return WithDCQCN
}

// Check finds what scenario would.
func (s *Settings) Check(names ...string) error {
	for _, n := range names {
		sc := Scenario{}
		if err := sc.scheme(n); err != nil {
			return fmt.Errorf("--scheme: %w", err)
		}
	}
	if _, err := AlphaShift(s.Alpha); err != nil {
		return fmt.Errorf("--alpha: %w", err)
	}
	if s.FirstLater && s.Timers == "publication" {
		return errors.New("--first-later with --timers publication: want no --first-later, since its decreases have no timer")
	}
	sc := Scenario{TIMELY: DefaultTIMELY(1)}
	if err := s.turn(&sc); err != nil {
		return err
	}
	tc, err := Picoseconds(s.TC)
	if err == nil && tc > 0 && tc < Microsecond {
		err = fmt.Errorf("--tc %v: want 0 or at least 1us", s.TC)
	}
	return err
}

// CheckFlows is check for experiments with flows of a published distribution.
func (s *Settings) CheckFlows(sizes string, schemes ...string) error {
	if _, err := workload.ParseSizes(sizes); err != nil {
		return err
	}
	return s.Check(schemes...)
}

// Picoseconds returns a time that is a whole number of them.
func Picoseconds(t clock.Time) (Time, error) {
	r := t.In(clock.MustTime("1ps"))
	if !r.IsInt() || !r.Num().IsInt64() {
		return 0, fmt.Errorf("%v is no whole number of picoseconds", t)
	}
	return Time(r.Num().Int64()), nil
}

// Microseconds is a time as a number for tables.
func Microseconds(t Time) float64 { return float64(t) / float64(Microsecond) }
