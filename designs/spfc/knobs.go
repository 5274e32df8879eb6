package spfc

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/peers/dcqcn"
)

// knob is a named parameter of a control that a flag can set.
type knob struct {
	name string
	set  func(text string) error
}

// turnKnobs sets parameters from NAME=VALUE, separated by commas.
func turnKnobs(text string, knobs []knob) error {
	if text == "" {
		return nil
	}
	var names []string
	for _, k := range knobs {
		names = append(names, k.name)
	}
	var seen []string
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		i := slices.Index(names, name)
		switch {
		case !ok || i < 0:
			return fmt.Errorf("%q: want NAME=VALUE with a NAME of %s", part, strings.Join(names, ", "))
		case slices.Contains(seen, name):
			return fmt.Errorf("%s is there twice", name)
		}
		seen = append(seen, name)
		if err := knobs[i].set(value); err != nil {
			return fmt.Errorf("%s=%s: %w", name, value, err)
		}
	}
	return nil
}

// timeKnob is a time from least to 10 s.
func timeKnob[T ~int64](name string, to *T, least Time) knob {
	return knob{name, func(text string) error {
		t, err := clock.ParseTime(text)
		if err != nil {
			return err
		}
		v, err := Picoseconds(t)
		if err == nil && (v < least || v > 10_000_000*Microsecond) {
			err = fmt.Errorf("want %s to 10s", timeText(least))
		}
		*to = T(v)
		return err
	}}
}

func timeText(t Time) string {
	if t == 0 {
		return "0s"
	}
	return fmt.Sprintf("%gus", Microseconds(t))
}

// number reads a number from least to most.
func number(text string, least, most float64) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || v < least || v > most {
		return 0, fmt.Errorf("want a number from %g to %g", least, most)
	}
	return v, nil
}

// scaledKnob is a number in a unit, kept whole.
func scaledKnob[T ~int | ~int32 | ~int64](name string, to *T, unit, least, most float64) knob {
	return knob{name, func(text string) error {
		v, err := number(text, least, most)
		*to = T(math.Round(v * unit))
		return err
	}}
}

const megabit = 1e6

// dcqcnKnobs are DCQCN's parameters by name: times, bytes in MB, rates in Mb/s.
func dcqcnKnobs(p *dcqcn.Parameters) []knob {
	return []knob{
		timeKnob("cnp", &p.CNPInterval, Microsecond/1000), timeKnob("alpha", &p.AlphaInterval, Microsecond/1000),
		timeKnob("decrease", &p.DecreaseEvery, 0), timeKnob("increase", &p.IncreaseEvery, Microsecond/1000),
		scaledKnob("bytes", &p.ByteCounter, 1e6, 0, 1e6), scaledKnob("f", &p.FastRecovery, 1, 0, 1000),
		scaledKnob("ai", &p.Additive, megabit, 0, 1e6), scaledKnob("hai", &p.Hyper, megabit, 0, 1e6),
		scaledKnob("least", &p.Least, megabit, 1, 1e6),
	}
}

// timelyKnobs are TIMELY's parameters by name: the weight and beta as numbers, times, rates in Mb/s.
func timelyKnobs(p *TIMELY) []knob {
	return []knob{
		scaledKnob("weight", &p.Weight, 1000, 0, 1), scaledKnob("beta", &p.Beta, 1000, 0, 1),
		timeKnob("low", &p.Low, 0), timeKnob("high", &p.High, 0), timeKnob("rtt", &p.LeastRTT, Microsecond/1000),
		scaledKnob("delta", &p.Additive, megabit, 0, 1e6), scaledKnob("hyper", &p.Hyper, megabit, 0, 1e6),
		scaledKnob("n", &p.HyperAfter, 1, 1, 1000), scaledKnob("segment", &p.Segment, 1, 1, 1000),
		scaledKnob("least", &p.Least, megabit, 1, 1e6),
	}
}

// parseECN reads KMIN:KMAX:PERCENT, the thresholds in KB; nil if the text is empty.
func parseECN(text string) (*ECN, error) {
	if text == "" {
		return nil, nil
	}
	parts := strings.Split(text, ":")
	bad := fmt.Errorf("%q: want KMIN:KMAX:PERCENT, the thresholds in KB, KMIN not above KMAX, 400:1600:20 say", text)
	if len(parts) != 3 {
		return nil, bad
	}
	var v [3]float64
	for i, most := range []float64{1e6, 1e6, 100} {
		var err error
		if v[i], err = number(parts[i], 0, most); err != nil {
			return nil, bad
		}
	}
	if v[0] > v[1] || v[1] == 0 {
		return nil, bad
	}
	return &ECN{KMin: int64(v[0] * 1000), KMax: int64(v[1] * 1000), PMax: v[2] / 100}, nil
}

// turn puts a user's own parameters in the place of the usual ones.
func (s *Settings) turn(sc *Scenario) error {
	var err error
	if sc.Marks, err = parseECN(s.ECN); err != nil {
		return fmt.Errorf("--ecn %w", err)
	}
	if err := turnKnobs(s.DCQCNKnobs, dcqcnKnobs(&sc.DCQCN)); err != nil {
		return fmt.Errorf("--dcqcn %w", err)
	}
	if err := turnKnobs(s.TIMELYKnobs, timelyKnobs(&sc.TIMELY)); err != nil {
		return fmt.Errorf("--timely %w", err)
	}
	if sc.TIMELY.Low > sc.TIMELY.High {
		return fmt.Errorf("--timely: low is above high")
	}
	sc.Static = int64(s.Static) * 1000
	return nil
}
