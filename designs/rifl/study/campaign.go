package study

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/goldwire/goldwire/rtl"

	"github.com/goldwire/goldwire/designs/rifl"
)

// campaignDelays are the lines of a campaign, in transceiver cycles: every phase against the frame clock, and both
// sides of the longest line that S = 6 stands.
var campaignDelays = []int{18, 19, 20, 21, 22, 23, 40, 50, 51, 52}

// scenario is a run of two ends of the core's profile, F = 256 and S = 6, both users sending without a pause, with bits
// that flip.
type scenario struct {
	D     int // transceivers and cable, in transceiver cycles
	Flips []scenarioFlip
}

// scenarioFlip is a bit that flips on the way to an end.
type scenarioFlip struct {
	End int
	// the transceiver cycle in which its word leaves: the frame that the register shows before frame edge k leaves from 4k
	// on
	Word uint64
	Bit  int // of the word, 0 the first on the line
}

const (
	scenarioIDs    = 6
	scenarioFrames = 1500 // after the first flip can come
	scenarioWithin = 400  // frames in which flips come
)

// scenarios draws a campaign: n scenarios, one to six flips each way, anywhere in frames.
func scenarios(n int, seed uint64) []scenario {
	rng := rand.New(rand.NewPCG(seed, 0xca3))
	var list []scenario
	for k := range n {
		s := scenario{D: campaignDelays[k%len(campaignDelays)]}
		cfg := s.config()
		from := cfg.Settle() * uint64(cfg.Words())
		for end := range 2 {
			at := from
			for range rng.IntN(7) {
				at += 1 + rng.Uint64N(scenarioWithin*uint64(cfg.Words())/6)
				s.Flips = append(s.Flips, scenarioFlip{end, at, rng.IntN(64)})
			}
		}
		list = append(list, s)
	}
	return list
}

func (s scenario) config() rifl.Config {
	cfg := rifl.Default()
	cfg.LineCycles, cfg.IDBits = s.D, scenarioIDs
	return cfg
}

// writeFlips writes the flips of scenarios as CSV: scenario,d,end,word,bit.
func writeFlips(w io.Writer, list []scenario) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "scenario,d,end,word,bit")
	for k, s := range list {
		for _, f := range s.Flips {
			fmt.Fprintf(b, "%d,%d,%d,%d,%d\n", k, s.D, f.End, f.Word, f.Bit)
		}
	}
	return b.Flush()
}

// writeTraceHeader writes the first line of traces: a scenario's number and an end, then what the end's transmitter
// sees and does before each edge of its frame clock. St is its state, rc the retransmission counter, fid the ID of the
// frame that its register shows; the flags are up, its receiver's error, pause and retransmit request, local and remote
// flow control, the user's ready and compensation.
func writeTraceHeader(w io.Writer) error {
	_, err := fmt.Fprintln(w, "scenario,end,cycle,st,rc,fid,up,err,preq,rreq,lfc,rfc,rdy,comp,frame")
	return err
}

// link builds it, with the flips planned.
func (s scenario) link() (*rifl.Link, error) {
	cfg := rifl.LinkConfig{Config: s.config()}
	for e := range uint64(2) {
		cfg.Send[e], cfg.Expect[1-e] = rifl.Packets(e, 1, 600), rifl.Packets(e, 1, 600)
	}
	l, err := rifl.NewLink(cfg)
	if err != nil {
		return nil, err
	}
	for end := range l.Ends {
		var bits []uint64
		for _, f := range s.Flips {
			// the line holds D-1 words before the register in which they flip; our clock's first frame edge is its fourth
			if f.End == end {
				bits = append(bits, 64*(f.Word+uint64(s.D)+2)+uint64(f.Bit))
			}
		}
		if err := l.Ends[end].Lanes[0].Line.Flip(bits...); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// frames is how long it runs.
func (s scenario) frames() uint64 {
	cfg := s.config()
	return cfg.Settle() + scenarioFrames
}

// WriteTrace runs a scenario and writes its traces as CSV. It returns the first wrong byte that a user got, as wrong.
// A loop longer than S allows has one.
func (s scenario) WriteTrace(w io.Writer, number int) (wrong, err error) {
	l, err := s.link()
	if err != nil {
		return nil, err
	}
	t := &tracer{l: l, out: bufio.NewWriter(w), scenario: number}
	l.Sim.Observe(t)
	if err := l.Ends[0].Frame.Run(s.frames()); err != nil {
		return nil, err
	}
	return l.Err(), t.out.Flush()
}

// tracer writes the values before each frame edge. State and counter are wires of the transmitter that show their
// values after the edge.
type tracer struct {
	l        *rifl.Link
	out      *bufio.Writer
	scenario int
	cycle    [2]uint64
	flags    [2]string // of the row that is begun
	frame    [2]string
	id       [2]uint16
}

// Observe ends a row and begins the next at each edge of an end's frame clock.
func (t *tracer) Observe(edges rtl.Edges) {
	for e, end := range t.l.Ends {
		if !edges.Has(end.Frame) {
			continue
		}
		lane := end.Lanes[0]
		if t.cycle[e] > 0 {
			s := lane.Transmitter.State.Get()
			fmt.Fprintf(
				t.out, "%d,%d,%d,%d,%d,%d,%s,%s\n", t.scenario, e, t.cycle[e], s.Value, s.Pass, t.id[e], t.flags[e],
				t.frame[e],
			)
		}
		t.cycle[e]++
		bit := func(b bool) byte {
			if b {
				return '1'
			}
			return '0'
		}
		t.flags[e] = fmt.Sprintf(
			"%c,%c,%c,%c,%c,%c,%c,%c",
			bit(lane.Up.Out.Get()),
			bit(lane.Missing.Out.Get()),
			bit(lane.Pause.Out.Get()),
			bit(lane.Retrans.Out.Get()),
			bit(lane.Flow.LocalFull.Get()),
			bit(lane.Flow.RemotePaused.Get()),
			bit(end.Framer.Ready.Get()),
			bit(lane.Pulse.Active.Get()),
		)
		t.frame[e] = ""
		for i := range lane.Transmitter.Frame {
			t.frame[e] += fmt.Sprintf("%016x", lane.Transmitter.Frame[i].Get())
		}
		t.id[e] = lane.Transmitter.ID.Get().Value
	}
}
