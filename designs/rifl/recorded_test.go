package rifl

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Recordings of the published core (F = 256, S = 6). They are not part of the project; these tests run where they are.
const recordings = "../../../shared/data/rifl"

// recording returns the lines of a recording, split at blanks.
func recording(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open(filepath.Join(recordings, name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s was NOT run: the recording %s is not here", t.Name(), name)
	}
	require.NoError(t, err)
	defer f.Close()
	in := bufio.NewScanner(f)
	if strings.HasSuffix(name, ".gz") {
		z, err := gzip.NewReader(f)
		require.NoError(t, err)
		in = bufio.NewScanner(z)
	}
	var lines [][]string
	for in.Scan() {
		lines = append(lines, strings.Fields(in.Text()))
	}
	require.NoError(t, in.Err())
	return lines
}

// named returns the fields key=value of a line, numbers decimal unless hexadecimal names them.
func named(t *testing.T, line []string, hexadecimal string) map[string]uint64 {
	t.Helper()
	m := map[string]uint64{}
	for _, f := range line {
		key, value, ok := strings.Cut(f, "=")
		if !ok || key == "frame" {
			continue
		}
		base := 10
		if strings.Contains(hexadecimal, key+",") {
			base = 16
		}
		n, err := strconv.ParseUint(value, base, 64)
		require.NoError(t, err)
		m[key] = n
	}
	return m
}

func hexWords(t *testing.T, s string) []uint64 {
	t.Helper()
	b, err := hex.DecodeString(s)
	require.NoError(t, err)
	words := make([]uint64, len(b)/8)
	for i := range words {
		words[i] = binary.BigEndian.Uint64(b[8*i:])
	}
	return words
}

func hexWord(t *testing.T, s string) uint64 { t.Helper(); return hexWords(t, s)[0] }

// Eight frames from the scrambler's first state on: what the codec makes of them is what the core sent, and back.
func TestRecordedFrames(t *testing.T) {
	state, back := uint64(0), uint64(0)
	lines := recording(t, "codec.txt")
	require.Len(t, lines, 8)
	for _, line := range lines {
		id, err := strconv.Atoi(line[1])
		require.NoError(t, err)
		plain, sent := hexWords(t, line[2]), hexWords(t, line[3])
		frame := make([]uint64, 4)
		switch line[0] {
		case "PAUSE":
			controlFrame(frame, KeyPause)
		case "IDLE":
			controlFrame(frame, KeyIdle)
		case "RETRANS":
			controlFrame(frame, KeyRetrans)
		case "INVALID":
			invalidFrame(frame, FormatInvalid)
		case "FC_ON":
			invalidFrame(frame, FormatPause)
		case "FC_OFF":
			invalidFrame(frame, FormatResume)
		case "DATA_11", "DATA_10_5":
			data := make([]byte, 32)
			n, last := Decode(data, plain)
			Encode(frame, data[:n], last)
		}
		require.Equal(t, plain, frame, line[0])
		state = ScrambleFrame(frame, state)
		Seal(frame, uint16(id))
		require.Equal(t, sent, frame, line[0])
		require.EqualValues(t, id, ResidueOf(frame))
		back = DescrambleFrame(frame, back)
		frame[3] &^= codeMask
		require.Equal(t, plain, frame, line[0])
	}
}

// player is a module's far side in these tests: an Out that is set from outside.
type player[T any] struct {
	Out  rtl.Out[T]
	next T
}

func (p *player[T]) Tick() { p.Out.Set(p.next) }

// The frames that the core's controller sent, through width converter, scrambler and code generator: the words that
// left.
func TestRecordedLineWords(t *testing.T) {
	tx, line := recording(t, "run_tx.txt.gz"), recording(t, "run_line.txt.gz")
	var scr Scrambler
	var gen CodeGenerator
	ser := newSerialiser(4)
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("gt", clock.MHz(437.5))
	top := sim.Scope("top").On(clk)
	var frame [4]player[uint64]
	var id player[TransmitID]
	for i := range frame {
		top.Add("frame"+strconv.Itoa(i), &frame[i])
		rtl.Connect(&frame[i].Out, &ser.Frame[i])
	}
	top.Add("id", &id)
	rtl.Connect(&id.Out, &ser.ID)
	top.Add("ser", ser)
	top.Add("scr", &scr)
	top.Add("gen", &gen)
	rtl.Connect(&ser.Out, &scr.In)
	rtl.Connect(&scr.Out, &gen.In)
	require.NoError(t, sim.Elaborate())
	ser.at = 3 // the frame that comes with the first edge is taken from the second on

	// The reset of the recorded run ends before row 742; a frame in the register at row k is on the line from cycle 4k on.
	const from = 750
	compared := 0
	for cycle := range 4 * (len(line)/4 - from) {
		row := tx[from+cycle/4]
		words := hexWords(t, strings.TrimPrefix(row[len(row)-1], "frame="))
		for i := range frame {
			frame[i].next = words[i]
		}
		id.next.Value = uint16(named(t, row[1:], "")["fid"])
		if cycle == 2 { // the first word comes to the scrambler, which knows the 33 bits before it
			scr.state = hexWord(t, line[4*from-1][1]) >> CodeBits & scramblerMask
		}
		require.NoError(t, clk.Run(1))
		if cycle >= 3 {
			require.Equal(t, line[4*from+cycle-3][1], fmt.Sprintf("%016x", gen.Out.Get().Data), "cycle %d", 4*from+cycle-3)
			compared++
		}
	}
	require.Greater(t, compared, 8000)
}

// The words of the recorded line through the aligner, while it searches: word by word the same slides, frame starts,
// alignment. Both directions of the recorded run carry the same until users send.
func TestRecordedSearch(t *testing.T) {
	line, rx := recording(t, "run_line.txt.gz"), recording(t, "run_rx.txt.gz")
	const (
		delay = 23   // line to the aligner's output
		from  = 101  // the receiver's reset has ended
		until = 9000 // the users have not begun
	)
	a := newAligner(Core, 4, 12)
	r := newReceiver(4, 6)
	var word player[uint64]
	var open player[bool]
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("gt", clock.MHz(437.5))
	top := sim.Scope("top").On(clk)
	top.Add("word", &word)
	top.Add("open", &open)
	top.Add("aligner", a)
	top.Add("receiver", r)
	rtl.Connect(&word.Out, &a.In)
	rtl.Connect(&a.Out, &r.In)
	rtl.Connect(&a.Aligned, &r.Aligned)
	rtl.Connect(&a.Up, &r.Up)
	rtl.Connect(&open.Out, &r.Ready)
	require.NoError(t, sim.Elaborate())
	a.phase = 1 // row 101 has the first word of a frame
	for row := from - 4; row < until; row++ {
		if row == from { // four edges have filled the registers; all counts start here
			a.look = newAlignment(Core)
		}
		if row >= from {
			want := named(t, rx[row][1:], "al,de,")
			got := map[string]uint64{
				"al": a.Out.Get().Data, "sof": bit(a.Out.Get().First), "up": bit(a.Up.Get()),
				"err": bit(r.Missing.Get()), "fid": uint64(r.FrameID.Get()), "thr": uint64(r.Threshold.Get()),
				"de": r.Out.Get().Data, "dsof": bit(r.Out.Get().First), "good": bit(r.Out.Get().Good), "isd": bit(r.Push.Get()),
			}
			if row <= from+1 { // the recorded descrambler comes out of its reset
				want["de"], want["dsof"] = got["de"], got["dsof"]
			}
			require.Equal(t, want, got, "row %d", row)
		}
		word.next = hexWord(t, line[row-delay+4][1])
		require.NoError(t, clk.Run(1))
	}
	require.True(t, a.Up.Get())
	require.Greater(t, r.FrameID.Get(), uint16(0))
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// The recorded receiver's aligned words through ours: alignment is lost nowhere, users send, nothing is in error.
func TestRecordedReceiver(t *testing.T) {
	rx := recording(t, "run_rx.txt.gz")
	r := newReceiver(4, 6)
	var word player[LineWord]
	var up, yes player[bool]
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("gt", clock.MHz(437.5))
	top := sim.Scope("top").On(clk)
	top.Add("word", &word)
	top.Add("up", &up)
	top.Add("yes", &yes)
	top.Add("receiver", r)
	rtl.Connect(&word.Out, &r.In)
	rtl.Connect(&up.Out, &r.Up)
	rtl.Connect(&yes.Out, &r.Aligned, &r.Ready)
	require.NoError(t, sim.Elaborate())
	delivered := 0
	for row := 3000; row < len(rx); row++ {
		now := named(t, rx[row][1:], "al,de,")
		if row > 3010 {
			got := map[string]uint64{
				"al": word.Out.Get().Data, "sof": bit(word.Out.Get().First), "up": bit(up.Out.Get()),
				"err": bit(r.Missing.Get()), "fid": uint64(r.FrameID.Get()), "thr": uint64(r.Threshold.Get()),
				"de": r.Out.Get().Data, "dsof": bit(r.Out.Get().First), "good": bit(r.Out.Get().Good), "isd": bit(r.Push.Get()),
			}
			require.Equal(t, named(t, rx[row][1:], "al,de,"), got, "row %d", row)
			if r.Push.Get() && r.Out.Get().Good {
				delivered++
			}
		}
		if row+1 < len(rx) {
			now = named(t, rx[row+1][1:], "al,de,")
		}
		word.next, up.next, yes.next = LineWord{now["al"], now["sof"] == 1}, now["up"] == 1, true
		require.NoError(t, clk.Run(1))
	}
	require.Greater(t, delivered, 900)
}

// The recorded controller's flags and its user's packets through framer and transmitter: state, counters, every frame.
func TestRecordedTransmitter(t *testing.T) {
	tx := recording(t, "run_tx.txt.gz")
	const (
		from  = 742 // the first row after the reset: 64 of INIT
		users = 2527
	)
	// What the user sent, beat by beat: the valid bytes of the frames that are no retransmissions.
	var beats []TrafficBeat
	var packet []byte
	var data [32]byte
	var rows []map[string]uint64
	var frames [][]uint64
	for k, row := range tx {
		rows = append(rows, named(t, row[1:], ""))
		frames = append(frames, hexWords(t, strings.TrimPrefix(row[len(row)-1], "frame=")))
		if k <= from || SynOf(frames[k]) != SynData || State(rows[k-1]["st"]) != Normal {
			continue
		}
		n, last := Decode(data[:], frames[k])
		packet = append(packet, data[:n]...)
		if last {
			for len(packet) > 0 {
				n := min(32, len(packet))
				beats = append(beats, TrafficBeat{Data: append([]byte(nil), packet[:n]...), Last: n == len(packet)})
				packet = packet[n:]
			}
		}
	}
	require.Greater(t, len(beats), 100)
	for i := range beats {
		beats[i].Cycle = users - from
	}

	gen := NewGenerator(32, Play(beats))
	fr, err := NewFramer(32, 1, 4)
	require.NoError(t, err)
	tr, err := newTransmitter(Core, 4, 6, 1)
	require.NoError(t, err)
	flags := map[string]*player[bool]{}
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("frame", clock.MHz(109.375))
	top := sim.Scope("top").On(clk)
	top.Add("generator", gen)
	top.Add("framer", fr)
	top.Add("transmitter", tr)
	for name, in := range map[string]*rtl.In[bool]{"up": &tr.Up[0], "err": &tr.Missing, "preq": &tr.PauseRequest,
		"rreq": &tr.Retransmit,
		"lfc":  &tr.LocalFull, "rfc": &tr.RemotePaused, "comp": &tr.Compensate} {
		flags[name] = &player[bool]{}
		top.Add(name, flags[name])
		rtl.Connect(&flags[name].Out, in)
	}
	for i := range gen.Data {
		rtl.Connect(&gen.Data[i], &fr.Data[i])
		rtl.Connect(&fr.Segment[i], &tr.Segment[i])
	}
	rtl.Connect(&gen.Control, &fr.Control)
	rtl.Connect(&fr.Ready, &gen.Ready)
	rtl.Connect(&fr.Valid[0], &tr.Valid)
	rtl.Connect(&tr.Ready, &fr.Accept[0])
	require.NoError(t, sim.Elaborate())
	checked := 0
	for k := from; k+1 < len(tx); k++ {
		want := rows[k]
		if k > from {
			got := make([]uint64, 4)
			for i := range got {
				got[i] = tr.Frame[i].Get()
			}
			frame := frames[k]
			// the rest of the payload has old bytes of the core's buffer
			if SynOf(frame) == SynData && MetaOf(frame) == MetaPartial {
				n, last := Decode(data[:], frame)
				frame = make([]uint64, 4)
				Encode(frame, data[:n], last)
			}
			require.Equal(t, frame, got, "row %d", k)
			require.EqualValues(t, want["fid"], tr.ID.Get().Value, "row %d", k)
			require.EqualValues(t, rows[k-1]["st"], tr.State.Get().Value, "row %d", k)
			require.EqualValues(t, rows[k-1]["rc"], tr.State.Get().Pass, "row %d", k)
		}
		// flags and ready are those before the edge: our players show a row's flags in the row
		if k > from+1 {
			require.EqualValues(t, want["rdy"], bit(fr.Ready.Get()), "row %d", k)
			checked++
		}
		for name, p := range flags {
			p.next = rows[k+1][name] == 1
		}
		require.NoError(t, clk.Run(1))
	}
	require.Greater(t, checked, 2000)
}
