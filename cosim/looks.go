package cosim

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/goldwire/goldwire/internal/plural"
)

// contents are what the RTL's registers hold before its reset.
type contents int

const (
	contentsUsual  contents = iota // random bits, then noise on the inputs; x under Icarus
	contentsZero                   // all 0
	contentsOne                    // all 1
	contentsRandom                 // random bits
	contentsUnset                  // x under Icarus, and memories all 0
)

func (c contents) String() string {
	return [...]string{"as in every run", "all 0", "all 1", "random", "x"}[c]
}

// beginning is how a run begins: with new RTL, or with another reset of the RTL that the run before left.
type beginning struct {
	contents contents
	seed     uint64 // of random contents and of pauses
	pulse    bool
	wait     int  // cycles with the first inputs after the reset: see [Map.Start]
	fills    bool // of transfers: nothing is taken from the RTL until it takes no more
}

// beginner is a dut that can begin in several ways.
type beginner interface {
	dut
	prepare(b beginning) // for all resets from the next one on
	setsContents() bool
}

// prepare says how the next resets go.
func (s *Session) prepare(rtl beginner, b beginning) {
	b.wait = s.Binding.start
	rtl.prepare(b)
}

// Farthest is the most cycles after the reset that FindStart looks at: Icarus takes some milliseconds for each.
func (s *Session) Farthest() int {
	if s.opt.Design.Simulator == Icarus {
		return maxStart / 8
	}
	return maxStart
}

// FindStart finds out how many cycles after its reset the RTL starts, where the map leaves it open: the least with
// which a short run agrees. It returns false if there is none up to Farthest, and then nothing is waited for.
func (s *Session) FindStart(ctx context.Context, st Stimulus) (cycles int, found bool, err error) {
	rtl, ok := s.dut.(beginner)
	if !ok || !s.Binding.finds {
		return s.Binding.start, true, nil
	}
	if len(s.Binding.ready) > 0 {
		s.hurry = true
		defer func() { s.hurry = false }()
	}
	const short, seeds = 256, 8 // one stimulus may begin with cycles that show nothing
	st.Cycles = min(st.cycles(), s.Binding.skip+short)
	if st.Rows != nil {
		st.Rows = st.Rows[:st.Cycles]
	}
	if st, err = s.exact(st); err != nil {
		return 0, false, err
	}
	for n := range s.Farthest() + 1 {
		if ctx.Err() != nil {
			return 0, false, fmt.Errorf("interrupted: %w", ctx.Err())
		}
		s.Binding.start = n
		t, agrees := newTally(s.view, s.opt.Waivers, false), true
		for k := 0; agrees && k < seeds; k++ {
			one := st
			if one.Seed += uint64(k); st.Rows != nil && k > 0 {
				break
			}
			s.prepare(rtl, beginning{seed: s.opt.Seed + uint64(k)}) // other pauses, too
			d, err := s.look(ctx, one, t)
			if stuck := (errStuck{}); errors.As(err, &stuck) {
				agrees = false
				break
			}
			if err != nil {
				return 0, false, err
			}
			agrees = d == nil
		}
		if agrees && t.vacuous() == nil {
			s.prepare(rtl, beginning{seed: s.opt.Seed})
			return n, true, nil
		}
	}
	s.Binding.start = 0
	s.prepare(rtl, beginning{seed: s.opt.Seed})
	return 0, false, nil
}

// errGone is RTL that should have had another reset.
var errGone = errors.New("the RTL's program has ended before another reset")

// Looks are short runs after the wanted one, which agreed: from other contents of the registers, with the reset pulsed
// again.
type Looks struct {
	// what the registers held before the reset, one a start: "all 0", "all 1", "random", "random"
	Contents []string `json:"contents"`
	Resets   int      `json:"resets"` // that came in the middle of a run
	Cycles   int      `json:"cycles"` // or transfers, that were compared
	Why      string   `json:"why,omitempty"`
	// Constants is how many constants of the RTL's text were put on its inputs.
	Constants int `json:"constants,omitempty"`
}

// String says it in a line.
func (l *Looks) String() string {
	text := "registers x before the reset, no other contents tried"
	if len(l.Contents) > 0 {
		text = fmt.Sprintf("from %d more contents of the registers (%s)", len(l.Contents), strings.Join(l.Contents, ", "))
	}
	if l.Resets > 0 {
		text += fmt.Sprintf(", reset pulsed again %d times", l.Resets)
	} else if l.Why != "" {
		text += ", no second reset: " + l.Why
	}
	if l.Constants > 0 {
		text += fmt.Sprintf(", with %s of the RTL on its inputs", plural.Of(l.Constants, "constant"))
	}
	return fmt.Sprintf("%s: %d more, 0 differences", text, l.Cycles)
}

// How long the looks are, all together: a share of the run, and not less than some cycles.
const (
	looksShare = 10
	looksLeast = 1024
	looksMost  = 1 << 20
	looksSkip  = 64 // least number of compared cycles after the skipped ones
)

// looks runs the RTL from opposite and random contents of its registers, and resets it in the middle of runs. Each
// reset begins a stimulus of its own.
func (s *Session) looks(ctx context.Context, st Stimulus, t *tally) (*Looks, *Divergence, error) {
	rtl, ok := s.dut.(beginner)
	if !ok {
		return nil, nil, nil
	}
	l := &Looks{}
	pulses := 2
	switch {
	case s.Binding.reset == nil:
		pulses, l.Why = 0, "the map has no reset"
	case s.unit.ResetOnce != "":
		pulses, l.Why = 0, s.unit.ResetOnce
	}
	list := []contents{contentsZero, contentsOne, contentsRandom, contentsRandom}
	if !rtl.setsContents() {
		list = []contents{contentsUsual}
	}
	total := min(max(st.cycles()/looksShare, looksLeast), looksMost)
	each := max(total/(len(list)*(1+pulses)), 1)
	rng := rand.New(rand.NewPCG(s.opt.Seed, 0x6c6f6f6b73))
	for i, c := range list {
		var legs []leg
		for reset := range 1 + pulses {
			b := beginning{contents: c, seed: s.opt.Seed + uint64(i) + 1, pulse: reset > 0}
			s.prepare(rtl, b)
			part := st
			part.Cycles = min(st.cycles(), s.Binding.skip+looksSkip+rng.IntN(2*each))
			part.Seed = st.Seed + uint64(i*(1+pulses)+reset) + 1
			if st.Rows != nil {
				part.Rows = st.Rows[:part.Cycles]
			}
			d, err := s.look(ctx, part, t)
			legs = append(legs, leg{part, b})
			if d != nil {
				d.legs = legs
				d.Contents, d.Resets, d.stimulus = c.String(), reset, &part
				d.canShrink = d.canShrink && reset == 0
				if reset == 0 {
					d.Missed, d.depends = s.dependsOnContents(ctx, part, d, b)
				}
			}
			if d != nil || err != nil {
				return l, d, err
			}
			l.Cycles += t.cycles
			if reset > 0 {
				l.Resets++
			}
		}
		if c != contentsUsual {
			l.Contents = append(l.Contents, c.String())
		}
		if messages := rtl.messages(toTheEnd); len(messages) > 0 {
			return l, nil, &ReportedError{messages}
		}
	}
	d, err := (*Divergence)(nil), error(nil)
	if l.Constants, d, err = s.constantsLook(ctx, st, t); d == nil && err == nil && l.Constants > 0 {
		l.Cycles += t.cycles
		if messages := rtl.messages(toTheEnd); len(messages) > 0 {
			err = &ReportedError{messages}
		}
	}
	s.prepare(rtl, beginning{seed: s.opt.Seed})
	return l, d, err
}

// look runs model and RTL once, from the beginning that is prepared.
func (s *Session) look(ctx context.Context, st Stimulus, t *tally) (*Divergence, error) {
	t.cycles = 0
	if len(s.Binding.ready) > 0 {
		return s.runTransfers(ctx, st, t, nil)
	}
	return s.run(ctx, st, s.Binding.skip, t, nil)
}

// farthest is up to which cycle a difference is asked whether other contents show it.
const farthest = 1 << 18

// dependsOnContents tells whether a difference that a run showed is another one, or none, if the registers hold
// something else before the reset; and which registers the reset misses, if that is known.
func (s *Session) dependsOnContents(
	ctx context.Context, st Stimulus, d *Divergence, shown beginning,
) (missed []string, depends bool) {
	rtl, ok := s.dut.(beginner)
	if !ok || d.Transfers || d.Cycle > farthest {
		return nil, false
	}
	defer s.prepare(rtl, shown)
	depends = d.Unknown != 0
	st.Cycles = min(st.cycles(), d.Cycle+1+s.lead)
	if st.Rows != nil {
		st.Rows = st.Rows[:st.Cycles]
	}
	for i, c := range []contents{contentsZero, contentsOne, contentsRandom} {
		if depends || !rtl.setsContents() {
			break
		}
		s.prepare(rtl, beginning{contents: c, seed: s.opt.Seed + uint64(i)})
		other, err := s.run(ctx, st, s.Binding.skip, newTally(s.view, s.opt.Waivers, false), nil)
		if err != nil {
			break // what the run showed stands
		}
		depends = other == nil || other.Cycle != d.Cycle || other.Field != d.Field || other.Got != d.Got
	}
	if depends && len(d.moments) > 0 {
		missed = s.missed(ctx, d.moments[0].inputs)
	}
	return missed, depends
}

// Depends says in a line that a difference depends on the registers' contents before the reset, "" if it is not known
// to.
func (d *Divergence) Depends() string {
	const most = 6
	switch n := len(d.Missed); {
	case n > most:
		return fmt.Sprintf(
			"it depends on what registers hold before the reset, which misses %s and %d more",
			strings.Join(d.Missed[:most], ", "), n-most,
		)
	case n > 0:
		return "it depends on what registers hold before the reset, which misses " + strings.Join(d.Missed, ", ")
	case d.depends:
		return "it depends on what registers hold before the reset: one of them is never reset"
	}
	return ""
}
