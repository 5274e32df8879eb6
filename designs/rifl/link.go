package rifl

import (
	"cmp"
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload/measure"
)

// LinkConfig describes a [Link].
type LinkConfig struct {
	Config
	Groups        int        // of lanes, for temporal bonding: the user's clock is Groups times the frame clock; 0 is 1
	UserBytes     int        // of a beat, a power of two; 0: as many as fill the lanes
	PPM           [2]float64 // of the crystals
	Uncompensated bool       // no clock compensation
	Skew          []float64  // ns that a lane's cable is longer; missing ones are 0
	BER           [2]float64 // from end 0 to end 1, and back, from the end of Settle on
	ErrorsAtStart bool       // bit errors from the first bit on, see [FrameLinkConfig]
	Offset        int        // bits that received words are misaligned at the start: 49 is seven slides from the start
	Seed          uint64
	Send          [2]Stream // made anew for every call, as the far end's validator has its own
	Expect        [2]Stream // the beats that each end's user should see
	Stall         [2]func(cycle uint64) bool
	Sim           rtl.Config `state:"none"`

	flits int // that the user's side has room for, besides a beat; 0: as many as are fast
}

// crossingDepth is the words of the clock crossing's memory: the core's 32, or two frames where these are more.
func crossingDepth(words int) int { return max(32, 2*words) }

// Link is two endpoints and the cable between them, with a traffic generator and a validator at each.
type Link struct {
	Sim  *rtl.Sim
	Ends [2]*Endpoint

	Config LinkConfig
}

// Endpoint is one end of a link.
type Endpoint struct {
	Transceiver, Frame, User, Free *rtl.Clock

	Generator *Generator
	Framer    *Framer         // nil with temporal bonding
	Temporal  *TemporalFramer // nil without
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
	Flow         *FlowMonitor

	writer blocks.AsyncWriter[RxWord]
	local  *frameCounter
	remote *frameCounter
	comp   compensation
	Pulse  compensationPulse

	slot *laneSlot

	// from the recovered clock to the frame clock
	Up, aligned, Pause, Retrans, Missing blocks.Synchroniser[bool]
}

// NewLink builds and elaborates a link.
func NewLink(cfg LinkConfig) (*Link, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if cfg.Groups == 0 {
		cfg.Groups = 1
	}
	if cfg.Groups < 0 || cfg.Lanes%cfg.Groups != 0 || bits.OnesCount(uint(cfg.Groups)) != 1 {
		return nil, fmt.Errorf("%d lanes in %d groups, want a power of two that divides the lanes", cfg.Lanes, cfg.Groups)
	}
	if cfg.UserBytes == 0 {
		cfg.UserBytes = 1 << (bits.Len(uint(cfg.Lanes/cfg.Groups*cfg.FrameBits/8)) - 1)
	}
	l := &Link{Sim: rtl.New(cfg.Sim), Config: cfg}
	if err := l.assemble(); err != nil {
		return nil, err
	}
	return l, l.Sim.Elaborate()
}

// assemble makes both ends and joins them.
func (l *Link) assemble() error {
	for e := range l.Ends {
		if err := l.build(e); err != nil {
			return fmt.Errorf("end %d: %w", e, err)
		}
	}
	for e := range l.Ends {
		for k := range l.Config.Lanes {
			if err := l.join(e, k); err != nil {
				return fmt.Errorf("end %d, lane %d: %w", e, k, err)
			}
		}
	}
	return nil
}

// build makes the modules of an end and joins them on its own clocks.
func (l *Link) build(e int) error {
	cfg := l.Config
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
	if end.User = end.Frame; cfg.Groups > 1 {
		end.User = l.Sim.Clock(name+"_user", wordRate.Times(int64(cfg.Groups), int64(words)))
	}
	l.Ends[e] = end
	if err := l.buildUser(e, top.On(end.User)); err != nil {
		return err
	}
	var err error
	for k := range cfg.Lanes {
		lane := &Lane{}
		end.Lanes = append(end.Lanes, lane)
		if lane.Transmitter, err = newTransmitter(cfg.Profile, words, s, cfg.Lanes/cfg.Groups); err != nil {
			return err
		}
		lane.Serialiser, lane.Scrambler, lane.CodeGenerator = newSerialiser(words), &Scrambler{}, &CodeGenerator{}
		lane.local, lane.remote = newFrameCounter(words), newFrameCounter(words)
		lane.Deserialiser = newDeserialiser(words, crossingDepth(words))

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
			rtl.Connect(&tx.Frame[i], &lane.Serialiser.Frame[i])
			rtl.Connect(&lane.Deserialiser.Frame[i], &end.Collector.Frame[k*words+i])
		}
		l.joinUser(end, k, frame, tx)
		rtl.Connect(&tx.ID, &lane.Serialiser.ID)
		rtl.Connect(&lane.Serialiser.Out, &lane.Scrambler.In)
		rtl.Connect(&lane.Scrambler.Out, &lane.CodeGenerator.In)
		rtl.Connect(&lane.Deserialiser.Valid, &end.Collector.Valid[k])
		lane.Flow = newFlowMonitor(cfg.Profile, s)
		frame.Add("flow_monitor", lane.Flow)
		rtl.Connect(&lane.Deserialiser.Valid, &lane.Flow.Valid)
		rtl.Connect(&lane.Deserialiser.Frame[0], &lane.Flow.First)
		rtl.Connect(&lane.Deserialiser.Frame[words-1], &lane.Flow.Last)
		rtl.Connect(&end.Collector.Count[k], &lane.Flow.Count)
		rtl.Connect(&lane.Flow.LocalFull, &tx.LocalFull)
		rtl.Connect(&lane.Flow.RemotePaused, &tx.RemotePaused)
		for _, f := range []struct {
			name string
			sync *blocks.Synchroniser[bool]
			to   *rtl.In[bool]
		}{
			{"up", &lane.Up, nil}, {"aligned", &lane.aligned, nil}, {"pause", &lane.Pause, &tx.PauseRequest},
			{"retrans", &lane.Retrans, &tx.Retransmit}, {"missing", &lane.Missing, &tx.Missing},
		} {
			frame.Add("sync_"+f.name, f.sync)
			if f.to != nil {
				rtl.Connect(&f.sync.Out, f.to)
			}
		}
		if cfg.Uncompensated {
			rtl.Tie(false, &tx.Compensate)
			rtl.Tie(false, &lane.comp.Done)
		} else {
			frame.Add("compensation_pulse", &lane.Pulse)
			rtl.Connect(&lane.comp.Request, &lane.Pulse.Request)
			rtl.Connect(&lane.Pulse.Done, &lane.comp.Done)
			rtl.Connect(&lane.Pulse.Active, &tx.Compensate)
		}
		rtl.Connect(&lane.local.Gray, &lane.comp.Local)
		rtl.Connect(&lane.remote.Gray, &lane.comp.Remote)
	}
	group := cfg.Lanes / cfg.Groups
	for k, lane := range end.Lanes {
		for i := range group {
			rtl.Connect(&end.Lanes[k/group*group+i].Up.Out, &lane.Transmitter.Up[i])
		}
	}
	return nil
}

// buildUser makes the modules on the user's clock.
func (l *Link) buildUser(e int, user *rtl.Scope) (err error) {
	cfg, end := l.Config, l.Ends[e]
	words := cfg.Words()
	var input rtl.Consumer[BeatControl]
	if cfg.Groups == 1 {
		flits := cmp.Or(cfg.flits, packerFlits)
		if end.Framer, err = newFramer(cfg.UserBytes, cfg.Lanes, words, flits); err != nil {
			return err
		}
		user.Add("framer", end.Framer)
		input = end.Framer.Input()
	} else {
		if end.Temporal, err = newTemporalFramer(cfg.UserBytes, cfg.Lanes, cfg.Groups, words); err != nil {
			return err
		}
		user.Add("framer", end.Temporal)
		input = end.Temporal.Input()
	}
	end.Collector, err = newCollector(
		cfg.Profile, cfg.S(), cfg.UserBytes, cfg.Lanes, cfg.Groups, words, cmp.Or(cfg.flits, collectorFlits),
	)
	if err != nil {
		return err
	}
	end.Generator = NewGenerator(cfg.UserBytes, orNothing(cfg.Send[e]))
	end.Validator = NewValidator(cfg.UserBytes, orNothing(cfg.Expect[e]), cfg.Stall[e])
	user.Add("generator", end.Generator)
	user.Add("collector", end.Collector)
	user.Add("validator", end.Validator)
	rtl.ConnectStream(end.Generator.Output(), input)
	rtl.ConnectStream(end.Collector.Output(), end.Validator.Input())
	return nil
}

// joinUser joins a lane's transmitter with the user's side.
func (l *Link) joinUser(end *Endpoint, k int, frame *rtl.Scope, tx *Transmitter) {
	words := l.Config.Words()
	if f := end.Framer; f != nil {
		for i := range words {
			rtl.Connect(&f.Segment[k*words+i], &tx.Segment[i])
		}
		rtl.Connect(&f.Valid[k], &tx.Valid)
		rtl.Connect(&tx.Ready, &f.Accept[k])
		return
	}
	f, lane := end.Temporal, end.Lanes[k]
	lane.slot = newLaneSlot(words)
	frame.Add("slot", lane.slot)
	for i := range lane.slot.Slot {
		rtl.Connect(&f.Slot[k*slotsPerLane*words+i], &lane.slot.Slot[i])
	}
	for i := range words {
		rtl.Connect(&lane.slot.Segment[i], &tx.Segment[i])
	}
	rtl.Connect(&f.Count[k], &lane.slot.Count)
	rtl.Connect(&lane.slot.Taken, &f.Taken[k])
	rtl.Connect(&lane.slot.Valid, &tx.Valid)
	rtl.Connect(&tx.Ready, &lane.slot.Ready)
}

func orNothing(s Stream) Stream {
	if s != nil {
		return s
	}
	return Play(nil)
}

// alignedPhase is the number of edges from a frame that leaves with the first edge to its first word at the aligner's
// output, without the line's edges and without the last one, to that output.
const alignedPhase = 5

// join makes the RX domain of a lane, on its recovered clock.
func (l *Link) join(e, k int) error {
	cfg := l.Config
	lane, far := l.Ends[e].Lanes[k], l.Ends[1-e]
	delay := cfg.LineTime()
	if k < len(cfg.Skew) {
		delay = delay.Add(clock.MustTime(fmt.Sprintf("%.6fns", cfg.Skew[k])))
	}
	edges, phase := blocks.Recover(delay, clock.Time{}, far.Transceiver.Freq().Period())
	if edges < 1 {
		return fmt.Errorf("a line of %v, want more than none", delay)
	}
	name := [2]string{"a", "b"}[e]
	lane.Recovered = l.Sim.Clock(fmt.Sprintf("%s_recovered%d", name, k), far.Transceiver.Freq(), phase)
	at := l.Sim.Scope(name).Scope(fmt.Sprintf("lane%d", k)).On(lane.Recovered)
	loss, err := blocks.NewLossy(cfg.BER[1-e], cfg.Seed<<8+uint64(2*k+e))
	if err != nil {
		return err
	}
	words := cfg.Words()
	if !cfg.ErrorsAtStart {
		loss.StartAt(cfg.Settle() * uint64(cfg.FrameBits))
	}
	lane.Line = newLine(edges-1, cfg.Offset, loss, cfg.Seed<<8+uint64(2*k+e))
	lane.Aligner, lane.Receiver = newAligner(cfg.Profile, words, cfg.upBit()), newReceiver(words, cfg.S())
	// where frames begin if there is no offset
	lane.Aligner.phase = (words - (FloorCycles(delay.In(cfg.WordTime()), 1)+alignedPhase)%words) % words
	lane.writer.Memory = make([]rtl.Out[RxWord], crossingDepth(words))
	at.Add("line", lane.Line)
	at.Add("aligner", lane.Aligner)
	at.Add("receiver", lane.Receiver)
	at.Add("crossing", &lane.writer)
	at.Add("rx_frames", lane.remote)
	rtl.Connect(&far.Lanes[k].CodeGenerator.Out, &lane.Line.In)
	rtl.Connect(&lane.Line.Out, &lane.Aligner.In)
	rtl.Connect(&lane.Aligner.Out, &lane.Receiver.In)
	rtl.Connect(&lane.Aligner.Aligned, &lane.Receiver.Aligned, &lane.aligned.In)
	rtl.Connect(&lane.Aligner.Up, &lane.Receiver.Up, &lane.Up.In)
	rtl.Connect(&lane.Receiver.Out, &lane.writer.In)
	rtl.Connect(&lane.Receiver.Push, &lane.writer.Push)
	rtl.Connect(&lane.writer.Ready, &lane.Receiver.Ready)
	for i := range lane.writer.Memory {
		rtl.Connect(&lane.writer.Memory[i], &lane.Deserialiser.Memory[i])
	}
	rtl.Connect(&lane.writer.Pointer, &lane.Deserialiser.Writer)
	rtl.Connect(&lane.Deserialiser.Pointer, &lane.writer.Reader)
	rtl.Connect(&lane.Receiver.PauseRequest, &lane.Pause.In)
	rtl.Connect(&lane.Receiver.Retransmit, &lane.Retrans.In)
	rtl.Connect(&lane.Receiver.Missing, &lane.Missing.In)
	return nil
}

// Err returns the first difference that a validator has found, of end 0 before end 1.
func (l *Link) Err() error {
	for e, end := range l.Ends {
		if err := end.Validator.Err(); err != nil {
			return fmt.Errorf("end %d: %w", e, err)
		}
	}
	return nil
}

// SetRate changes the bit error rate of both directions, as it is from the end of Settle on.
func (l *Link) SetRate(ber float64) error {
	for _, end := range l.Ends {
		for _, lane := range end.Lanes {
			if err := lane.Line.loss.SetRate(ber); err != nil {
				return err
			}
			if !l.Config.ErrorsAtStart {
				lane.Line.loss.StartAt(l.Config.Settle() * uint64(l.Config.FrameBits))
			}
		}
	}
	return nil
}

// TrafficReport sums up the beats that the user of an end received, by the validator's stamps.
type TrafficReport struct {
	Beats   int
	Bytes   uint64
	Gbps    float64            // user bytes from the first beat's arrival to the last one's
	Latency *measure.Histogram // ns, rounded, of each beat from handshake to handshake
}

// Traffic returns the report of an end so far. Beats arrive in the order sent, so the k-th taken is the k-th to
// arrive.
func (l *Link) Traffic(e int) TrafficReport {
	here, far := l.Ends[e], l.Ends[1-e]
	arrived, taken := here.Validator.Arrived(), far.Generator.Taken()
	r := TrafficReport{Beats: len(arrived), Bytes: here.Validator.Bytes(), Latency: &measure.Histogram{}}
	period := func(c *rtl.Clock) float64 {
		ns, _ := c.Freq().Period().In(clock.Nanosecond).Float64()
		return ns
	}
	there, back := period(far.User), period(here.User)
	for k, at := range arrived[:min(len(arrived), len(taken))] { // a beat not taken has no latency
		r.Latency.Add(uint64(float64(at)*back-float64(taken[k])*there+0.5), 1)
	}
	if n := len(arrived); n > 0 {
		r.Gbps = float64(r.Bytes) * 8 / (float64(arrived[n-1]-arrived[0]+1) * back) // the last beat's cycle is one too
	}
	return r
}
