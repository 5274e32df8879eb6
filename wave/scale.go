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

// parseAnyScale reads the time unit of somebody's dump, which may be any number of a unit: "244ns", "0.001fs", or 0ps,
// of which only the order of times is known. No words at all are the default.
func parseAnyScale(s string) (Scale, error) {
	if s == "" {
		return Picoseconds, nil
	}
	compact := strings.ToLower(s)
	at := strings.LastIndexAny(compact, "0123456789") + 1
	unit, err := clock.ParseTime(compact)
	if err != nil || at == 0 || strings.Trim(compact[:at], "0123456789.") != "" || len(compact) > maxScale {
		return Scale{}, fmt.Errorf("timescale %q: want a number of s, ms, us, ns, ps or fs", clip(s))
	}
	return Scale{compact[:at] + " " + compact[at:], unit}, nil
}

// maxScale is the most characters of a time unit.
const maxScale = 20

func (s Scale) orDefault() Scale {
	if s.text == "" {
		return Picoseconds
	}
	return s
}

// Unit returns the time unit.
func (s Scale) Unit() clock.Time { return s.orDefault().unit }

func (s Scale) String() string { return s.orDefault().text }
