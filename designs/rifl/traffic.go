package rifl

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/rtl"
)

// Stream gives the beats of a user. Two streams made alike give the same beats, so a validator needs nothing but its
// own. What a stream remembers lies in its fields.
type Stream interface {
	// Next fills the words of an interface that is width bytes wide, the first byte in bits 7:0 of the first word, and 0
	// where there is no byte. It returns the beat's control, and the first cycle in which the beat may stand at the
	// interface. After the last beat, Valid is false, and the words do not matter.
	Next(data []uint64, width int) (beat BeatControl, notBefore uint64)
}

// packetStream is the stream of Packets.
type packetStream struct {
	bytes       pcg // sizes are drawn from it, too
	least, most int
	sizes       []int // given and not used yet
	left        int   // bytes of the packet
}

// Packets returns a stream of packets of sizes that are given or, once those are used up, drawn from the range least
// to most bytes; back to back, with pseudo-random content.
func Packets(seed uint64, least, most int, sizes ...int) Stream {
	return &packetStream{bytes: pcg{seed, 0x5109}, least: least, most: most, sizes: sizes}
}

// Next implements Stream.
func (s *packetStream) Next(data []uint64, width int) (BeatControl, uint64) {
	if s.left == 0 {
		s.left = s.size()
	}
	n := min(s.left, width)
	s.left -= n
	if n < 8*len(data) {
		s.short(data, n)
	} else {
		s.bytes.fill(data)
	}
	return BeatControl{Bytes: uint16(n), Last: s.left == 0, Valid: true}, 0
}

// short fills the words of a beat of n bytes.
func (s *packetStream) short(data []uint64, n int) {
	words := (n + 7) / 8
	s.bytes.fill(data[:words])
	if rest := n % 8; rest > 0 {
		data[words-1] &= 1<<(8*rest) - 1
	}
	clear(data[words:])
}

// size returns the bytes of the next packet.
func (s *packetStream) size() int {
	if len(s.sizes) > 0 {
		size := s.sizes[0]
		s.sizes = s.sizes[1:]
		return size
	}
	return s.least + rand.New(&s.bytes).IntN(s.most-s.least+1)
}

// TrafficBeat is a row of a traffic file: AXI4-Stream, cycle by cycle (§6.A).
type TrafficBeat struct {
	Cycle uint64
	Data  []byte
	Last  bool
}

const trafficHeader = "cycle,tdata,tlast"

// ReadTraffic reads a traffic file: CSV under the header cycle,tdata,tlast. The cycle is decimal, the data hexadecimal
// with the first byte first and at most width bytes; all but a packet's last beat have width bytes. A cycle that is
// left out is a pause. An error is one line with the name, the line and the expected text.
func ReadTraffic(name string, r io.Reader, width int) ([]TrafficBeat, error) {
	in := input.NewLines(r, 64<<10)
	var beats []TrafficBeat
	line, headed := 0, false
	for in.Scan() {
		line++
		text := strings.TrimSpace(in.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if !headed {
			if text != trafficHeader {
				return nil, fmt.Errorf("%s:%d: header %.40q, want %s", name, line, text, trafficHeader)
			}
			headed = true
			continue
		}
		cells := strings.Split(text, ",")
		if len(cells) != 3 {
			return nil, fmt.Errorf("%s:%d: %d columns, want 3: %s", name, line, len(cells), trafficHeader)
		}
		cycle, err := strconv.ParseUint(cells[0], 10, 62)
		if err != nil || len(beats) > 0 && cycle <= beats[len(beats)-1].Cycle {
			return nil, fmt.Errorf("%s:%d: cycle %.40q, want a number above that of the row before", name, line, cells[0])
		}
		data, err := hex.DecodeString(cells[1])
		if err != nil || len(data) < 1 || len(data) > width {
			return nil, fmt.Errorf("%s:%d: tdata %.40q, want 1 to %d bytes in hexadecimal", name, line, cells[1], width)
		}
		if cells[2] != "0" && cells[2] != "1" {
			return nil, fmt.Errorf("%s:%d: tlast %.40q, want 0 or 1", name, line, cells[2])
		}
		b := TrafficBeat{Cycle: cycle, Data: data, Last: cells[2] == "1"}
		if !b.Last && len(data) < width {
			return nil, fmt.Errorf(
				"%s:%d: %d bytes, want %d: only a packet's last beat may be shorter", name, line, len(data), width,
			)
		}
		beats = append(beats, b)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, line+1, err)
	}
	if len(beats) == 0 {
		return nil, fmt.Errorf("%s:%d: no beats, want the header %s and rows", name, line, trafficHeader)
	}
	return beats, nil
}

// WriteTraffic is the inverse of ReadTraffic.
func WriteTraffic(w io.Writer, beats []TrafficBeat) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, trafficHeader)
	for _, t := range beats {
		last := 0
		if t.Last {
			last = 1
		}
		fmt.Fprintf(b, "%d,%x,%d\n", t.Cycle, t.Data, last)
	}
	return b.Flush()
}

// playedBeats is the stream of Play.
type playedBeats struct {
	beats []TrafficBeat `state:"none"` // as built
	at    int           // of the next
}

// Play returns the stream of a traffic file.
func Play(beats []TrafficBeat) Stream { return &playedBeats{beats: beats} }

// Next implements Stream.
func (s *playedBeats) Next(data []uint64, width int) (BeatControl, uint64) {
	if s.at == len(s.beats) {
		return BeatControl{}, 0
	}
	b := &s.beats[s.at]
	s.at++
	shown := b.Data[:min(len(b.Data), width)]
	for i := range data {
		data[i] = littleEndian(shown, 8*i)
	}
	return BeatControl{Bytes: uint16(len(shown)), Last: b.Last, Valid: true}, b.Cycle
}

// Generator is the traffic generator of §6.A: it offers the beats of a stream, each from its cycle on, until taken.
type Generator struct {
	Data    []rtl.Out[uint64]
	Control rtl.Out[BeatControl]
	Ready   rtl.In[bool]

	stream Stream
	width  int
	data   []uint64 // of the beat
	cycle  uint64
	next   BeatControl // drawn and not offered yet
	from   uint64
	taken  edges // at which the beats were taken
}

// NewGenerator returns a generator for beats of width bytes.
func NewGenerator(width int, s Stream) *Generator {
	words := (width + 7) / 8
	return &Generator{Data: make([]rtl.Out[uint64], words), stream: s, width: width, data: make([]uint64, words)}
}

// Output is the stream of beats.
func (g *Generator) Output() rtl.Producer[BeatControl] {
	return rtl.Producer[BeatControl]{Beat: &g.Control, Words: g.Data, Ready: &g.Ready}
}

// Tick offers a beat.
func (g *Generator) Tick() {
	g.cycle++
	if g.Control.Get().Valid {
		if !g.Ready.Get() {
			return
		}
		g.taken.add(g.cycle)
	}
	beat := g.next
	if !beat.Valid {
		beat, g.from = g.stream.Next(g.data, g.width)
	}
	if !beat.Valid || g.cycle < g.from {
		g.next = beat
		g.Control.Set(BeatControl{})
		return
	}
	data := g.data[:len(g.Data)]
	for i := range g.Data {
		g.Data[i].Set(data[i])
	}
	g.Control.Set(beat)
	g.next = BeatControl{}
}

// Taken returns the edges of the user's clock at which the beats were taken.
func (g *Generator) Taken() []uint64 { return g.taken.list() }

// Beats returns how many beats were taken.
func (g *Generator) Beats() int { return g.taken.len() }

// Validator is the traffic validator of §6.A: it compares the arriving beats with a stream of its own, beat by beat,
// and stamps them.
type Validator struct {
	Data    []rtl.In[uint64]
	Control rtl.In[BeatControl]
	Ready   rtl.Out[bool]

	stream  Stream
	stall   func(cycle uint64) bool
	width   int
	data    []uint64 // as the generator's
	cycle   uint64
	bytes   uint64
	arrived edges
	err     error
}

// NewValidator returns a validator. It takes nothing in the cycles that stall names; nil is none.
func NewValidator(width int, s Stream, stall func(cycle uint64) bool) *Validator {
	words := (width + 7) / 8
	return &Validator{
		Data: make([]rtl.In[uint64], words), stream: s, stall: stall, width: width, data: make([]uint64, words),
	}
}

// Input is the stream of beats.
func (v *Validator) Input() rtl.Consumer[BeatControl] {
	return rtl.Consumer[BeatControl]{Beat: &v.Control, Words: v.Data, Ready: &v.Ready}
}

// Tick looks at a beat.
func (v *Validator) Tick() {
	v.cycle++
	if v.Control.Get().Valid && v.Ready.Get() {
		v.check()
		v.arrived.add(v.cycle)
		v.bytes += uint64(v.Control.Get().Bytes)
	}
	v.Ready.Set(v.stall == nil || !v.stall(v.cycle))
}

// check compares a beat with the next one of the stream, until something differs.
func (v *Validator) check() {
	if v.err != nil {
		return
	}
	want, _ := v.stream.Next(v.data, v.width)
	same := v.Control.Get() == want
	data := v.data[:len(v.Data)]
	for i := range v.Data {
		same = same && v.Data[i].Get() == data[i]
	}
	if !same {
		v.err = v.difference(v.Control.Get(), want)
	}
}

// difference names the first difference of a beat from the one sent, nil if there is none.
func (v *Validator) difference(c, want BeatControl) error {
	switch {
	case !want.Valid:
		return fmt.Errorf("cycle %d: a beat of %d bytes after the last one sent", v.cycle, c.Bytes)
	case c != want:
		return fmt.Errorf(
			"cycle %d, beat %d: %d bytes (last %v), want %d (last %v)", v.cycle, v.arrived.len(), c.Bytes, c.Last,
			want.Bytes, want.Last,
		)
	}
	i := 0
	for v.Data[i].Get() == v.data[i] {
		i++
	}
	return fmt.Errorf(
		"cycle %d, beat %d: word %d is %016x, want %016x", v.cycle, v.arrived.len(), i, v.Data[i].Get(), v.data[i],
	)
}

// Err returns the first difference.
func (v *Validator) Err() error { return v.err }

// Arrived returns the edges of the user's clock at which beats were taken.
func (v *Validator) Arrived() []uint64 { return v.arrived.list() }

// Beats returns how many beats came.
func (v *Validator) Beats() int { return v.arrived.len() }

// Bytes returns how many bytes came.
func (v *Validator) Bytes() uint64 { return v.bytes }
