package rifl

import (
	"fmt"
	"math/big"
	"math/bits"

	"goldwire/blocks"
	"goldwire/clock"
	"goldwire/rtl"
)

// LinkConfig describes a [Link].
type LinkConfig struct {
	Config
	UserBytes     int        // of a beat, a power of two; 0: that which fills the lanes at the frame clock
	PPM           [2]float64 // of the crystals
	Uncompensated bool       // no clock compensation
	Skew          []float64  // ns by which a lane's cable is longer; missing ones are 0
	BER           [2]float64 // from end 0 to end 1, and back
	Offset        int        // bits by which received words are misaligned at the start
	Seed          uint64
	Send          [2]Stream // made anew for every call, as the far end's validator has its own
	Expect        [2]Stream // what each end's user should see
	Stall         [2]func(cycle uint64) bool
	Sim           rtl.Config
}

// crossingDepth is that of the clock crossing's memory in words, in units of frames.
const crossingFrames = 4

// Link is two endpoints and the cable between them, with a traffic generator and a validator at each.
type Link struct {
	Sim  *rtl.Sim
	Ends [2]*Endpoint

	cfg LinkConfig
}

// Endpoint is one end of a link.
type Endpoint struct {
	Transceiver, Frame, User, Free *rtl.Clock

	Generator *Generator
	Framer    *Framer
	Collector *Collector
	Validator *Validator
	Lanes     []*Lane
}

// Lane is the single-lane logic of an endpoint (Fig. 6), and the line that ends in it.
type Lane struct {
	Recovered *rtl.Clock

	Transmitter   *Transmitter
	Serialiser    *Serialiser
	Scrambler     *Scrambler
	CodeGenerator *CodeGenerator

	Line         *Line
	Aligner      *Aligner
	Receiver     *Receiver
	Deserialiser *Deserialiser

	writer blocks.AsyncWriter[RxWord]
	local  *FrameCounter
	remote *FrameCounter
	comp   Compensation

	up, pause, retrans, missing, paused blocks.Synchroniser[bool]
	requests                            blocks.Synchroniser[uint16]
}

// NewLink builds and elaborates a link.
func NewLink(cfg LinkConfig) (*Link, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if cfg.UserBytes == 0 {
		cfg.UserBytes = 1 << (bits.Len(uint(cfg.Lanes*cfg.FrameBits/8)) - 1)
	}
	l := &Link{Sim: rtl.New(cfg.Sim), cfg: cfg}
	for e := range l.Ends {
		if err := l.build(e); err != nil {
			return nil, fmt.Errorf("end %d: %w", e, err)
		}
	}
	for e := range l.Ends {
		for k := range cfg.Lanes {
			if err := l.join(e, k); err != nil {
				return nil, fmt.Errorf("end %d, lane %d: %w", e, k, err)
			}
		}
	}
	return l, l.Sim.Elaborate()
}

// build makes the modules of an end and joins them on its own clocks.
func (l *Link) build(e int) error {
	cfg := l.cfg
	words, s := cfg.Words(), cfg.S()
	name := [2]string{"a", "b"}[e]
	top := l.Sim.Scope(name)
	ppm := cfg.PPM[e]
	wordRate := cfg.LaneRate.PPM(ppm).Times(1, 64)
	end := &Endpoint{
		Transceiver: l.Sim.Clock(name+"_transceiver", wordRate),
		Frame:       l.Sim.Clock(name+"_frame", wordRate.Times(1, int64(words))),
		Free:        l.Sim.Clock(name+"_free", clock.MHz(100)),
	}
	end.User = end.Frame
	l.Ends[e] = end

	var err error
	if end.Framer, err = NewFramer(cfg.UserBytes, cfg.Lanes, words); err != nil {
		return err
	}
	if end.Collector, err = NewCollector(cfg.Profile, s, cfg.UserBytes, cfg.Lanes, 1, words); err != nil {
		return err
	}
	end.Generator = NewGenerator(cfg.UserBytes, orNothing(cfg.Send[e]))
	end.Validator = NewValidator(cfg.UserBytes, orNothing(cfg.Expect[e]), cfg.Stall[e])
	user := top.On(end.User)
	user.Add("generator", end.Generator)
	user.Add("framer", end.Framer)
	user.Add("collector", end.Collector)
	user.Add("validator", end.Validator)
	for i := range end.Generator.Data {
		rtl.Connect(&end.Generator.Data[i], &end.Framer.Data[i])
		rtl.Connect(&end.Collector.Data[i], &end.Validator.Data[i])
	}
	rtl.Connect(&end.Generator.Control, &end.Framer.Control)
	rtl.Connect(&end.Framer.Ready, &end.Generator.Ready)
	rtl.Connect(&end.Collector.Control, &end.Validator.Control)
	rtl.Connect(&end.Validator.Ready, &end.Collector.Ready)

	for k := range cfg.Lanes {
		lane := &Lane{}
		end.Lanes = append(end.Lanes, lane)
		if lane.Transmitter, err = NewTransmitter(cfg.Profile, words, s); err != nil {
			return err
		}
		lane.Serialiser, lane.Scrambler, lane.CodeGenerator = NewSerialiser(words), &Scrambler{}, &CodeGenerator{}
		lane.local, lane.remote = NewFrameCounter(words), NewFrameCounter(words)
		depth := crossingFrames * words
		lane.Deserialiser = NewDeserialiser(words, depth)

		at := top.Scope(fmt.Sprintf("lane%d", k))
		frame, transceiver := at.On(end.Frame), at.On(end.Transceiver)
		frame.Add("tx_controller", lane.Transmitter)
		transceiver.Add("tx_width", lane.Serialiser)
		transceiver.Add("scrambler", lane.Scrambler)
		transceiver.Add("code_generator", lane.CodeGenerator)
		transceiver.Add("rx_width", lane.Deserialiser)
		transceiver.Add("tx_frames", lane.local)
		at.On(end.Free).Add("compensation", &lane.comp)
		tx := lane.Transmitter
		for i := range words {
			rtl.Connect(&end.Framer.Segment[k*words+i], &tx.Segment[i])
			rtl.Connect(&tx.Frame[i], &lane.Serialiser.Frame[i])
			rtl.Connect(&lane.Deserialiser.Frame[i], &end.Collector.Frame[k*words+i])
		}
		rtl.Connect(&end.Framer.Valid[k], &tx.Valid)
		rtl.Connect(&tx.Ready, &end.Framer.Accept[k])
		rtl.Connect(&tx.ID, &lane.Serialiser.ID)
		rtl.Connect(&lane.Serialiser.Out, &lane.Scrambler.In)
		rtl.Connect(&lane.Scrambler.Out, &lane.CodeGenerator.In)
		rtl.Connect(&lane.Deserialiser.Count, &end.Collector.Count[k])
		rtl.Connect(&end.Collector.LocalFull[k], &tx.LocalFull)
		for _, f := range []struct {
			name string
			sync *blocks.Synchroniser[bool]
			to   *rtl.In[bool]
		}{
			{"up", &lane.up, &tx.Up}, {"pause", &lane.pause, &tx.PauseRequest}, {"retrans", &lane.retrans, &tx.Retransmit},
			{"missing", &lane.missing, &tx.Missing}, {"paused", &lane.paused, &tx.RemotePaused},
		} {
			frame.Add("sync_"+f.name, f.sync)
			rtl.Connect(&f.sync.Out, f.to)
		}
		if cfg.Uncompensated {
			rtl.Tie(uint16(0), &tx.Compensate)
		} else {
			frame.Add("sync_requests", &lane.requests)
			rtl.Connect(&lane.comp.Requests, &lane.requests.In)
			rtl.Connect(&lane.requests.Out, &tx.Compensate)
		}
		rtl.Connect(&lane.local.Gray, &lane.comp.Local)
		rtl.Connect(&lane.remote.Gray, &lane.comp.Remote)
	}
	return nil
}

func orNothing(s Stream) Stream {
	if s != nil {
		return s
	}
	return func([]byte) (int, bool, uint64, bool) { return 0, false, 0, false }
}

// join makes the RX domain of a lane, on its recovered clock.
func (l *Link) join(e, k int) error {
	cfg := l.cfg
	lane, far := l.Ends[e].Lanes[k], l.Ends[1-e]
	ns := cfg.Transceivers + nsPerMetre*cfg.Length
	if k < len(cfg.Skew) {
		ns += cfg.Skew[k]
	}
	// so many whole words in the delay line, the rest as the clock's phase; without a rest a register takes a word's time
	period := far.Transceiver.Freq().Period()
	delay := clock.MustTime(fmt.Sprintf("%.6fns", ns))
	n, rest := new(big.Int), new(big.Int)
	q := delay.In(period)
	n.QuoRem(q.Num(), q.Denom(), rest)
	whole := int(n.Int64())
	phase := delay.Sub(period.Times(int64(whole)))
	if rest.Sign() == 0 {
		if whole--; whole < 0 {
			return fmt.Errorf("a line of %v ns, want more than none", ns)
		}
	}
	name := [2]string{"a", "b"}[e]
	lane.Recovered = l.Sim.Clock(fmt.Sprintf("%s_recovered%d", name, k), far.Transceiver.Freq(), phase)
	at := l.Sim.Scope(name).Scope(fmt.Sprintf("lane%d", k)).On(lane.Recovered)
	loss, err := blocks.NewLossy(cfg.BER[1-e], cfg.Seed<<8+uint64(2*k+e))
	if err != nil {
		return err
	}
	words := cfg.Words()
	lane.Line = NewLine(whole, cfg.Offset, loss, cfg.Seed<<8+uint64(2*k+e))
	lane.Aligner, lane.Receiver = NewAligner(cfg.Profile, words), NewReceiver(cfg.S())
	lane.writer.Memory = make([]rtl.Out[RxWord], crossingFrames*words)
	at.Add("line", lane.Line)
	at.Add("aligner", lane.Aligner)
	at.Add("receiver", lane.Receiver)
	at.Add("crossing", &lane.writer)
	at.Add("rx_frames", lane.remote)
	rtl.Connect(&far.Lanes[k].CodeGenerator.Out, &lane.Line.In)
	rtl.Connect(&lane.Line.Out, &lane.Aligner.In)
	rtl.Connect(&lane.Aligner.Out, &lane.Receiver.In)
	rtl.Connect(&lane.Aligner.Aligned, &lane.Receiver.Aligned)
	rtl.Connect(&lane.Receiver.Out, &lane.writer.In)
	rtl.Connect(&lane.Receiver.Push, &lane.writer.Push)
	rtl.Connect(&lane.writer.Ready, &lane.Receiver.Ready)
	for i := range lane.writer.Memory {
		rtl.Connect(&lane.writer.Memory[i], &lane.Deserialiser.Memory[i])
	}
	rtl.Connect(&lane.writer.Pointer, &lane.Deserialiser.Writer)
	rtl.Connect(&lane.Deserialiser.Pointer, &lane.writer.Reader)
	rtl.Connect(&lane.Receiver.Up, &lane.up.In)
	rtl.Connect(&lane.Receiver.PauseRequest, &lane.pause.In)
	rtl.Connect(&lane.Receiver.Retransmit, &lane.retrans.In)
	rtl.Connect(&lane.Receiver.Missing, &lane.missing.In)
	rtl.Connect(&lane.Receiver.RemotePaused, &lane.paused.In)
	return nil
}
