package rifl

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

const hexDigits = "0123456789abcdef"

// laneRecorder writes the ports of an end's lane before each instant, and the clocks that rise then: a row of
// rifl_lane_tb.v.
type laneRecorder struct {
	end    *Endpoint
	before []byte // the ports, in hexadecimal digits
	rows   bytes.Buffer
	n      int
	asked  [NumStates]int // frame cycles in each state
	full   int            // in which the far end has to pause
	pulses int            // in which compensation takes the frame
}

func (r *laneRecorder) Observe(edges rtl.Edges) {
	mask := 0
	for _, c := range []*rtl.Clock{r.end.Frame, r.end.Transceiver, r.end.Lanes[0].Recovered, r.end.Free} {
		mask <<= 1
		if edges.Has(c) {
			mask |= 1
		}
	}
	if mask != 0 {
		r.rows.WriteByte(hexDigits[mask])
		r.rows.Write(r.before)
		r.rows.WriteByte('\n')
		r.n++
	}
	if edges.Has(r.end.Frame) {
		r.asked[r.end.Lanes[0].Transmitter.State.Get().Value]++
		if r.end.Lanes[0].Flow.LocalFull.Get() {
			r.full++
		}
		if r.end.Lanes[0].Transmitter.Compensate.Get() {
			r.pulses++
		}
	}
	r.look()
}

// look takes the ports as they stand.
func (r *laneRecorder) look() {
	end, lane := r.end, r.end.Lanes[0]
	r.before = r.before[:0]
	put := func(v uint64, bits int) {
		for bits > 0 {
			bits -= 4
			r.before = append(r.before, hexDigits[v>>bits&15])
		}
	}
	flag := func(b bool) { put(bit(b), 4) }
	put(lane.Line.Out.Get(), 64)
	for i := len(end.Framer.Data) - 1; i >= 0; i-- { // byte 0 in the least significant bits
		put(end.Framer.Data[i].Get(), 64)
	}
	c := end.Framer.Control.Get()
	put(uint64(c.Bytes), 12)
	flag(c.Last)
	flag(c.Valid)
	flag(end.Collector.Ready.Get())
	flag(end.Framer.Ready.Get())
	for i := len(end.Collector.Data) - 1; i >= 0; i-- {
		put(end.Collector.Data[i].Get(), 64)
	}
	c = end.Collector.Control.Get()
	put(uint64(c.Bytes), 12)
	flag(c.Last)
	flag(c.Valid)
	put(lane.CodeGenerator.Out.Get().Data, 64)
	flag(lane.Deserialiser.Valid.Get())
	for i := range lane.Deserialiser.Frame {
		put(lane.Deserialiser.Frame[i].Get(), 64)
	}
}

// laneRun is a link of which one end is recorded.
type laneRun struct {
	words, s, end int
	frames        uint64
	drift         float64 // ppm that end 0's crystal is fast and end 1's slow
	uncompensated bool
}

func (c laneRun) String() string {
	return fmt.Sprintf("%d bits, S = %d, end %d, uncompensated: %v", 64*c.words, c.s, c.end, c.uncompensated)
}

// record runs a link both ways with everything that can happen on it: a search for alignment, crystals so far off that
// every phase of the clocks comes and compensation works, bit errors, and users that stall until flow control stops
// the far end.
func (c laneRun) record(t *testing.T, dir string) (options []string, r *laneRecorder) {
	cfg := LinkConfig{Config: Default(), BER: [2]float64{1e-5, 1e-5}, PPM: [2]float64{c.drift, -c.drift},
		Uncompensated: c.uncompensated, Offset: 53, Seed: uint64(c.s)}
	cfg.FrameBits, cfg.IDBits, cfg.UpBit = 64*c.words, c.s, 6
	if c.uncompensated {
		cfg.BER = [2]float64{} // only long stretches of data fill the crossing
	}
	for e := range uint64(2) {
		cfg.Send[e], cfg.Expect[1-e] = Packets(e, 1, 700), Packets(e, 1, 700)
		cfg.Stall[e] = func(cycle uint64) bool { return (cycle+100*e)%700 > 700-4<<c.s || cycle%7 == 3 }
	}
	l, err := NewLink(cfg)
	require.NoError(t, err)
	r = &laneRecorder{end: l.Ends[c.end]}
	phase := r.end.Lanes[0].Aligner.phase
	r.look()
	l.Sim.Observe(r)
	require.NoError(t, l.Ends[0].Frame.Run(c.frames))
	// with too few IDs for the loop users get wrong frames, from model and RTL alike
	if cfg.Sound() == nil && !c.uncompensated {
		for _, e := range l.Ends {
			require.NoError(t, e.Validator.Err())
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rows.hex"), r.rows.Bytes(), 0o644))
	for name, value := range map[string]uint64{"WORDS": uint64(c.words), "S": uint64(c.s), "UP_BIT": uint64(cfg.UpBit),
		"PHASE": uint64(phase),
		"ROWS":  uint64(r.n), "UNCOMPENSATED": bit(c.uncompensated)} {
		options = append(options, fmt.Sprintf("-Prifl_lane_tb.%s=%d", name, value))
	}
	return options, r
}

// simulateLane runs the recorded rows of a directory on the RTL, in a file of which a bug may be planted.
func simulateLane(t *testing.T, dir string, options []string, file string, edits ...string) hdl.Result {
	t.Helper()
	sources := []string{filepath.Join("testdata", "rifl_lane_tb.v")}
	names, err := filepath.Glob("verilog/*.v")
	require.NoError(t, err)
	for _, name := range names {
		if filepath.Base(name) == file {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			planted, err := vectors.Bug{Edits: edits}.Plant(string(text))
			require.NoError(t, err, file)
			name = filepath.Join(t.TempDir(), file)
			require.NoError(t, os.WriteFile(name, []byte(planted), 0o644))
		}
		sources = append(sources, name)
	}
	res, err := hdl.Icarus.Run(t.Context(), hdl.Job{Top: "rifl_lane_tb", Dir: dir, Options: options, Sources: sources})
	require.NoError(t, err)
	return res[0]
}

// laneBugs are in RTL with two clocks, or without a module of the model. Each shows in one of the runs.
var laneBugs = []struct {
	run        int
	file, kind string
	edit       [2]string
}{
	{0, "rifl_crossing.v", "one flip-flop for the writer's pointer",
		[2]string{"writer[1] <= writer[0]", "writer[1] <= write_gray"}},
	{0, "rifl_crossing.v", "pointers that wrap with the memory",
		[2]string{"writer[1] != read_gray", "writer[1][A-1:0] != read_gray[A-1:0]"}},
	{2, "rifl_crossing.v", "one word too many", [2]string{"waiting < DEPTH", "waiting <= DEPTH"}},
	{2, "rifl_crossing.v", "one flip-flop for the reader's pointer",
		[2]string{"reader[1]  <= reader[0]", "reader[1]  <= read_gray"}},
	{0, "rifl_deserialiser.v", "the last word does not wait for the frame clock",
		[2]string{"(!in_last || frame_edge)", "1'b1"}},
	{0, "rifl_deserialiser.v", "a frame that is not due", [2]string{"in_last && in_good &&", "in_last &&"}},
	{2, "rifl_deserialiser.v", "a frame without its first words", [2]string{"in_good && at == WORDS - 1", "in_good"}},
	{0, "rifl_synchroniser.v", "one flip-flop", [2]string{"{out, meta} <= {meta, in}", "{out, meta} <= {in, in}"}},
	{0, "rifl_frame_counter.v", "a word less in a frame", [2]string{"at != WORDS - 1", "at != WORDS - 2"}},
	{0, "rifl_lane.v", "the receiver's error is not known", [2]string{".in(is_missing)", ".in(1'b0)"}},
	{0, "rifl_lane.v", "flow control that does not see the format code",
		[2]string{".last(received[63:0])", ".last(64'd0)"}},
}

// A whole lane in RTL, on four clocks that drift against each other, does at every edge what the model's does: the
// words that leave, the frames that come out of the clock crossing, the user's handshakes both ways. Without
// compensation the crossing overflows in both.
func TestLaneIsTheModels(t *testing.T) {
	if err := hdl.Icarus.Available(); err != nil {
		t.Skipf("the RTL of a lane was NOT compared with the model: %v", err)
	}
	runs := []laneRun{{4, 6, 0, 1000, 3000, false}, {8, 6, 1, 700, 3000, false}, {4, 5, 1, 700, 12_000, true}}
	if soaking {
		for _, words := range []int{4, 8} {
			for s := 5; s <= 7; s++ {
				runs = append(runs, laneRun{words, s, 0, 9000, 300, false}, laneRun{words, s, 1, 9000, 300, false})
			}
		}
	}
	for k, c := range runs {
		t.Run(c.String(), func(t *testing.T) {
			dir := t.TempDir()
			options, r := c.record(t, dir)
			res := simulateLane(t, dir, options, "")
			require.True(t, res.Passed(), res.Output)
			t.Log(strings.TrimSpace(res.Output), r.asked, r.full, r.pulses)
			said := regexp.MustCompile(`PASS (\d+) rows, (\d+) frames, (\d+) beats, overflow 0\n`).FindStringSubmatch(res.Output)
			require.NotNil(t, said, res.Output)
			require.Equal(t, strconv.Itoa(r.n), said[1])
			frames, err := strconv.Atoi(said[2])
			require.NoError(t, err)
			require.Greater(t, frames, 100)
			require.Positive(t, r.asked[Pause], "the far end came up later")
			if c.uncompensated {
				require.Positive(t, r.end.Lanes[0].Receiver.Overflow.Get(), "words are lost")
			} else {
				require.Positive(t, r.asked[Retrans], "the far end has missed frames")
				require.Positive(t, r.asked[SendRetrans], "and this one")
				require.Positive(t, r.full, "this end's user has stalled long enough")
			}
			if c.end == 0 {
				require.Greater(t, r.pulses, 3, "the faster end compensates")
			}
			for _, bug := range laneBugs {
				if bug.run == k {
					res := simulateLane(t, dir, options, bug.file, bug.edit[:]...)
					require.Regexp(t, `FAIL row \d+ \w+\n`, res.Output, bug.kind)
					require.False(t, res.Passed(), bug.kind)
				}
			}
		})
	}
}
