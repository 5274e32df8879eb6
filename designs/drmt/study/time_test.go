package study_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// stamps sends packets of one length, and keeps the time that each has when it leaves.
type stamps struct {
	left  int
	times []uint32
}

func (s *stamps) Next() ([]byte, uint16, bool) {
	s.left--
	return make([]byte, 14), 0, s.left >= 0
}

func (s *stamps) Take(p drmt.Leaving) {
	s.times = append(s.times, binary.BigEndian.Uint32(p.Headers[3:]))
}

// A packet's time is the microsecond in which it comes, 1200 cycles each: a single processor takes one at the end of
// each period.
func TestPacketsHaveTheTimeOfTheirArrival(t *testing.T) {
	p := byHand([]p4.Node{exactTable("t", a0, p4.Accept, 0)}, nil)
	time := len(p.Fields)
	p.Fields = append(p.Fields, p4.Field{Name: "standard_metadata.ingress_global_timestamp", Header: 0, Bits: 48})
	p.Headers[0].Fields = append(p.Headers[0].Fields, time)
	p.Standard.Others = map[string]int{"intrinsic_metadata.ingress_global_timestamp": time}
	p.Actions[0].Ops = []p4.Primitive{assign(a2, fieldOf(time))}
	p.Checksums = nil
	g, err := compile.Graph(p, compile.Options{})
	require.NoError(t, err)
	r, err := schedule.Minimize(t.Context(), g, schedule.DRMT(1), schedule.Options{Period: 7})
	require.NoError(t, err)
	c, err := compile.DRMT(p, r.Schedule, compile.Options{})
	require.NoError(t, err)
	s := &stamps{left: 1000}
	m, err := drmt.NewSwitch(drmt.Config{
		Processors: 1, Image: c.Image, Parser: c.Parser, Deparser: c.Deparser, Source: s, Sink: s,
	})
	require.NoError(t, err)
	require.NoError(t, m.Clock.Run(7200))
	require.Len(t, s.times, 1000)
	for k, us := range s.times {
		require.EqualValues(t, (7*k+6)/1200, us, "packet %d", k)
	}
}
