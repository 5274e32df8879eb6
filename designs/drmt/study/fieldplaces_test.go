package study_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/study"
	"github.com/goldwire/goldwire/rtl"
)

// longPackets are random packets of a few hundred bytes.
type longPackets struct {
	rng  *rand.Rand
	left int
	data [400]byte
}

func (s *longPackets) Next() ([]byte, uint16, bool) {
	if s.left == 0 {
		return nil, 0, false
	}
	s.left--
	for i := range s.data {
		s.data[i] = byte(s.rng.Uint32())
	}
	return s.data[:340+s.rng.IntN(60)], uint16(s.rng.IntN(512)), true
}

// The header vector has 64 fields of 32 bits (§5.1). A header with 75 of them, of which operations work on 25, has the
// others in fields of 16 bits. With 75 that operations work on it has no room.
func TestFieldsThatNothingWorksOnMakeRoom(t *testing.T) {
	program := func(worked int) (*p4.Program, string) {
		var fields, ops []string
		for i := range 75 {
			fields = append(fields, fmt.Sprintf(`["u%d",32]`, i))
			if i >= 75-worked {
				ops = append(ops, put(fmt.Sprintf("h.u%d", i), bin("+", fld(fmt.Sprintf("h.u%d", i)), num("0x1"))))
			}
		}
		text := strings.Replace(act(ops...).json(), `["pad",16]]`, `["pad",16],`+strings.Join(fields, ",")+"]", 1)
		p, err := p4.ParseBMv2("room", strings.NewReader(text))
		require.NoError(t, err)
		return p, text
	}
	all, _ := program(75)
	require.ErrorContains(t, compile.Supported(all), "64 of 64 fields are taken")

	p, text := program(25)
	file := filepath.Join(t.TempDir(), "room.json")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	x := study.Program{P4: p, Source: study.ProgramSource{JSON: file}}
	_, c, err := study.BuildSpaced(t.Context(), x, 1, 1)
	require.NoError(t, err)
	processors, _ := c.Pace()
	const packets = 200
	source := func() study.Source { return &longPackets{rng: rand.New(rand.NewPCG(1, 2)), left: packets} }
	o, err := study.RunSwitch(t.Context(), x, c, processors, packets, source, rtl.Config{}, nil)
	require.NoError(t, err)
	require.Zero(t, o.Faults, o.FirstFault)
	require.EqualValues(t, packets, o.Compared)
}
