package study_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/internal/recording"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/designs/drmt/study"
	"github.com/goldwire/goldwire/experiment"
)

// The machine does with each packet of a recording what simple_switch did: with the recording's entries the same
// packets leave by the same ports. Where a program reads fields of headers that a packet has not, simple_switch has
// what an earlier packet left there, which no rule defines: then the machine does what the interpreter does with zeros
// there.
func TestMachineAgainstRecordings(t *testing.T) {
	dir, err := os.Getwd()
	require.NoError(t, err)
	programs, recordings := recording.List(recording.Data(dir))
	if len(programs) == 0 {
		t.Skip("recordings of simple_switch were NOT compared: none lie beside the module")
	}
	ran := 0
	for i, file := range programs {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if takesLong(name) {
			t.Logf("%s is compared under the tag soak only", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			p, err := p4.ParseBMv2(name, bytes.NewReader(data))
			require.NoError(t, err)
			r, err := recording.Read(recordings[i], p)
			require.NoError(t, err)
			require.NotEmpty(t, r.Packets)
			if err := compile.Supported(p, compile.Options{}); err != nil {
				t.Skip("no machine runs it; TestRecordedPrograms of p4 compares it with the interpreter:", err)
			}
			fresh, err := p4.NewSwitch(p, p4.Configuration{Entries: r.Entries, Defaults: r.Defaults, Fresh: true})
			require.NoError(t, err)
			x := study.Program{P4: p, Source: study.ProgramSource{JSON: file}, Entries: r.Entries, Defaults: r.Defaults}
			s, c, err := buildAtSomeIPC(x)
			if err != nil {
				t.Skip("no machine runs it; TestRecordedPrograms of p4 compares it with the interpreter:", err)
			}
			sent, err := onMachine(s, c, r)
			require.NoError(t, err)
			require.Equal(t, len(r.Packets), len(sent))
			undefined := 0
			for n, x := range r.Packets {
				fresh.SetTime(uint64(n) * 1000)
				want := x.Out
				if zeros := fresh.Run(x.Port, x.Data).Sent; fmt.Sprint(zeros) != fmt.Sprint(want) {
					want = zeros
					undefined++
				}
				require.Equal(t, packetLines(want), packetLines(sent[n]), "packet %d on port %d: %x", n, x.Port, x.Data)
			}
			ran++
			t.Logf("%d packets equal, %d of them read what no rule defines", len(r.Packets), undefined)
		})
	}
	t.Logf("%d of %d programs", ran, len(programs))
	require.GreaterOrEqual(t, ran, len(programs)*4/5, "hardly a program was compared")
}

func packetLines(list []p4.Sent) (lines []string) {
	for _, s := range list {
		lines = append(lines, fmt.Sprintf("%d %x", s.Port, s.Packet))
	}
	return lines
}

// recorded gives a machine a recording's packets and keeps, for each, the packets that leave.
type recorded struct {
	packets []recording.Packet
	next    int
	sent    [][]p4.Sent
}

func (r *recorded) Next() ([]byte, uint16, bool) {
	if r.next == len(r.packets) {
		return nil, 0, false
	}
	x := &r.packets[r.next]
	r.next++
	return x.Data, uint16(x.Port), true
}

func (r *recorded) Take(p drmt.Leaving) {
	for len(r.sent) <= int(p.Number) {
		r.sent = append(r.sent, nil)
	}
	if !p.Drop {
		whole := p.Append(nil, r.packets[p.Number].Data)
		r.sent[p.Number] = append(r.sent[p.Number], p4.Sent{Port: int(p.Port), Packet: whole})
	}
}

// takesLong tells of the program whose schedule alone takes many seconds, for proofs about shorter periods. It runs
// under the tag soak.
func takesLong(name string) bool {
	return !soak && strings.HasSuffix(name, "fabric-spgw-bmv2-default-bmv2")
}

// schedulesOfTests keeps the schedules of public programs, which take seconds, for all tests.
var schedulesOfTests = experiment.WithMemo(context.Background())

// buildAtSomeIPC builds a program for processors of one packet a cycle, or else of two, which do with fewer cycles.
func buildAtSomeIPC(x study.Program) (*schedule.Schedule, *compile.Result, error) {
	s, c, err := study.BuildSpaced(schedulesOfTests, x, 1, 1)
	if err != nil {
		return study.BuildSpaced(schedulesOfTests, x, 2, 1)
	}
	return s, c, nil
}

// onMachine returns what leaves for each of a recording's packets. An error is the machine's.
func onMachine(s *schedule.Schedule, c *compile.Result, r *recording.Recording) ([][]p4.Sent, error) {
	all := &recorded{packets: r.Packets}
	processors, every := c.Pace()
	m, err := drmt.NewSwitch(
		drmt.Config{
			Processors: processors, Every: every, Image: c.Image, Parser: c.Parser, Deparser: c.Deparser, Source: all,
			Sink: all,
		},
	)
	if err != nil {
		return nil, err
	}
	w := drmt.Watch(m)
	if err := m.Clock.Run(uint64((len(r.Packets)+3)*s.Period*every/processors + 2*s.Length() + 3*s.Period)); err != nil {
		return nil, err
	}
	for runs := 0; c.Deparser.SendsAgain() && int(m.Egress.Left.Get()) < len(r.Packets) && runs < 1000; runs++ {
		if err := m.Clock.Run(uint64(s.Length() + s.Period)); err != nil {
			return nil, err
		}
	}
	return all.sent, w.Err()
}
