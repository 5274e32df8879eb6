package vectors

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

const (
	clockKind = "clock" // of a field: 1 if the clock rises at the end of the row
	eachReset = "each clock's reset_port"
)

func clockOf(port string, f clock.Freq) manifestClock {
	hz := f.Hz()
	return manifestClock{Port: port, Edge: "rising", Num: hz.Num().String(), Den: hz.Denom().String()}
}

// mostClocks bounds what a manifest may ask for.
const mostClocks = 64

// readClocks reads the clocks of a set that has several.
func (s *Set) readClocks(list []manifestClock) error {
	if len(list) > mostClocks {
		return fmt.Errorf("%d clocks, want at most %d", len(list), mostClocks)
	}
	for _, m := range list {
		name, ok := strings.CutSuffix(m.Port, "_clk")
		c := UnitClock{Name: name}
		if !ok || m.Reset != c.ResetPort() {
			return fmt.Errorf("clock %+v: want a port NAME_clk with the reset NAME_rst", m)
		}
		var err error
		if c.Freq, err = m.freq(m.Port); err != nil {
			return err
		}
		if c.Phase, err = clock.ParseTime(m.PhaseNum + "/" + m.PhaseDen + "s"); err != nil {
			return fmt.Errorf("clock %s: phase %s/%s s: %w", m.Port, m.PhaseNum, m.PhaseDen, err)
		}
		s.Clocks = append(s.Clocks, c)
	}
	s.Clock = s.Clocks[0].Freq
	return nil
}

// checkClocks wants the first fields to be the clocks, if there are several, and no others.
func (s *Set) checkClocks() error {
	if len(s.Fields) < len(s.Clocks) {
		return fmt.Errorf("%d fields, want one for each of the %d clocks", len(s.Fields), len(s.Clocks))
	}
	for i, f := range s.Fields {
		if f.Clock != (i < len(s.Clocks)) || f.Clock &&
			(f.Name != s.Clocks[i].ClockPort() || f.Width != 1 || f.Dir != rtl.Input) {
			return fmt.Errorf("field %s: the first fields are the clocks, in their order, if there are several", f.Name)
		}
	}
	return nil
}
