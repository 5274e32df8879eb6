package rifl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// laneUnit is EndpointUnit. Its RTL is what also returns: the endpoint with a port a word. Met sums over all instances
// of the unit: a lockstep builds one for each look.
func laneUnit(met *[]*laneTally) (u vectors.Unit, wrapper string) {
	const words, s, upBit = unitWords, endpointID, endpointUpBit
	aligned := 0 // the place in its frame of the word that leaves the aligner first
	u = endpointUnit(func(b *vectors.Bench, l *Link) {
		end, lane := l.Ends[0], l.Ends[0].Lanes[0]
		tally := &laneTally{}
		*met = append(*met, tally)
		rtl.Connect(&lane.Transmitter.State, &tally.State)
		rtl.Connect(&lane.Flow.RemotePaused, &tally.RemotePaused)
		rtl.Connect(&lane.Flow.LocalFull, &tally.LocalFull)
		b.Sim().Scope("bench").On(end.Frame).Add("tally", tally)
		aligned = lane.Aligner.phase
	})
	if _, err := u.Simulate(rtl.Config{}, 1); err != nil {
		panic(err)
	}
	ports := []wrapperPort{}
	for _, c := range u.Clocks {
		ports = append(ports, wrapperPort{name: c.ClockPort()}, wrapperPort{name: c.ResetPort()})
	}
	ports = append(ports, []wrapperPort{
		{name: "in_data", bits: 64, count: words, low: true}, {name: "in_bytes", bits: 12}, {name: "in_last"},
		{name: "in_valid"}, {output: true, name: "in_ready"},
		{output: true, name: "out_data", bits: 64, count: words, low: true}, {output: true, name: "out_bytes", bits: 12},
		{output: true, name: "out_last"},
		{output: true, name: "out_valid"}, {name: "out_ready"}, {output: true, name: "overflow", bits: 32},
		{output: true, name: "to_line_data", bits: 64, core: "to_line"}, {name: "from_line", bits: 64},
	}...)
	text := rtlWrapped("lane_words", "rifl_endpoint",
		fmt.Sprintf(".WORDS(%d), .S(%d), .WIDTH(%d), .UP_BIT(%d), .PHASE(%d)", words, s, 8*words, upBit, aligned), ports)
	return u, text[:strings.Index(text, "endmodule")] + "endmodule\n" // the endpoint itself is a file of its own
}

// laneTally counts the frames of an end in which it does what a quiet link does not.
type laneTally struct {
	State        rtl.In[TransmitState]
	RemotePaused rtl.In[bool]
	LocalFull    rtl.In[bool]

	frames, again, paused, pauses int
}

func (t *laneTally) Tick() {
	t.frames++
	if t.State.Get().Again {
		t.again++
	}
	if t.RemotePaused.Get() {
		t.paused++
	}
	if t.LocalFull.Get() {
		t.pauses++
	}
}

// A whole end of a link, from user to line and back, on four clocks of crystals 600 ppm apart, with bit errors and
// users that stall, runs in lockstep with its RTL, through retransmissions and pauses of both sides. The tag soak
// makes it a million rows, and plants a bug that only several clocks show: Verilator takes seconds for each build.
func TestALaneInLockstep(t *testing.T) {
	if err := cosim.Verilator.Available(); err != nil {
		t.Skipf("the lockstep of a lane was NOT run: %v", err)
	}
	const seed = 3
	rows := 60_000
	if soaking {
		rows = 1_000_000
	}
	var instances []*laneTally
	u, wrapper := laneUnit(&instances)
	run := func(file string, edits ...string) *cosim.Result {
		dir := t.TempDir()
		sources := []string{filepath.Join(dir, "lane_words.v")}
		require.NoError(t, os.WriteFile(sources[0], []byte(wrapper), 0o644))
		names, err := filepath.Glob("verilog/*.v")
		require.NoError(t, err)
		for _, name := range names {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			planted := string(text)
			if filepath.Base(name) == file {
				planted, err = vectors.Bug{Edits: edits}.Plant(planted)
				require.NoError(t, err)
			}
			sources = append(sources, filepath.Join(dir, filepath.Base(name)))
			require.NoError(t, os.WriteFile(sources[len(sources)-1], []byte(planted), 0o644))
		}
		s, err := cosim.Start(t.Context(), cosim.Options{Unit: u, Dirty: cosim.DefaultDirty, Seed: seed,
			Design: cosim.Design{Sources: sources, Top: "lane_words", Simulator: cosim.Verilator}})
		require.NoError(t, err)
		defer s.Close()
		res, err := s.Run(t.Context(), cosim.Stimulus{Cycles: rows, Seed: seed}, nil)
		require.NoError(t, err)
		return res
	}
	res := run("")
	require.Nil(t, res.Divergence, "%v", res.Divergence)
	require.Equal(t, rows, res.Cycles)
	var met laneTally
	for _, i := range instances {
		met.frames, met.again, met.paused, met.pauses = met.frames+i.frames, met.again+i.again, met.paused+i.paused,
			met.pauses+i.pauses
	}
	t.Logf("seed %d: %d rows, %d frames: %d retransmitted, %d paused by the far end, %d in which it was to pause", seed,
		rows, met.frames, met.again, met.paused, met.pauses)
	require.Positive(t, met.again, "no retransmission")
	require.Positive(t, met.paused, "the far end never paused this one")
	require.Positive(t, met.pauses, "this end never paused the far one")
	if !soaking {
		return
	}
	res = run("rifl_synchroniser.v", "{out, meta} <= {meta, in}", "{out, meta} <= {in, in}")
	require.NotNil(t, res.Divergence, "one flip-flop")
}
