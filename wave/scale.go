package wave

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/clock"
)

// Scale is a VCD time unit: 1, 10 or 100 of s, ms, us, ns, ps or fs. The zero value is 1 ps.
type Scale struct {
	text string // "10 ps"
	unit clock.Time
}

// Picoseconds is the usual scale.
var Picoseconds = mustScale("1ps")

func mustScale(s string) Scale {
	scale, err := ParseScale(s)
	if err != nil {
		panic(err)
	}
	return scale
}

// ParseScale reads "1ps", "10 ns" and the like.
func ParseScale(s string) (Scale, error) {
	compact := strings.ReplaceAll(strings.TrimSpace(s), " ", "")
	for _, unit := range []string{"fs", "ps", "ns", "us", "ms", "s"} {
		number, ok := strings.CutSuffix(compact, unit)
		if !ok {
			continue
		}
		if number == "1" || number == "10" || number == "100" {
			return Scale{number + " " + unit, clock.MustTime(compact)}, nil
		}
		break
	}
	return Scale{}, fmt.Errorf("timescale %q: want 1, 10 or 100 of s, ms, us, ns, ps or fs", s)
}

func (s Scale) orDefault() Scale {
	if s.text == "" {
		return Picoseconds
	}
	return s
}

// Unit returns the time unit.
func (s Scale) Unit() clock.Time { return s.orDefault().unit }

func (s Scale) String() string { return s.orDefault().text }
