package spfc

import (
	"embed"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Verilog has the project's own RTL of this package's units: verilog/spfc_state_decision.v and so on.
//
//go:embed verilog/*.v
var Verilog embed.FS

// cellClock is one cycle a cell slot of 64 bytes, which is a quantum as well: 5.12 ns at 100 Gb/s.
var cellClock = clock.MHz(195.3125)

// Units returns the modules of this package that have RTL.
func Units() vectors.Catalogue {
	return vectors.Catalogue{stateDecisionUnit(), thresholdComparatorUnit(), pfcSenderUnit(),
		pfcReceiverUnit()}.WithRTL(Verilog)
}

func stateDecisionUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "bits", Default: counterBits, Min: 1, Max: counterBits,
			Help: "bits of timeout clock and ingress rate counter", RTL: "BITS"},
		{Name: "latch", Max: 1, Help: "1: only a PAUSE resets the state holder, not a window that ends below the count",
			RTL: "LATCH"},
		{Name: "count_old", Max: 1, Help: "1: what is dequeued in a window's last instant counts in that window",
			RTL: "COUNT_OLD"},
		{
			Name: "resume_waits", Max: 1,
			Help: "1: a count reached during the pause makes a victim with the next dequeue, not with the RESUME",
			RTL:  "RESUME_WAITS",
		},
		{Name: "sample_only", Max: 1, Help: "1: only the end of a window makes a victim", RTL: "SAMPLE_ONLY"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		readings := Readings{Latch: p.Int("latch") == 1, CountOld: p.Int("count_old") == 1,
			ResumeWaits: p.Int("resume_waits") == 1, SampleOnly: p.Int("sample_only") == 1}
		return vectors.Unit{
			Name: "spfc/state_decision",
			Doc:  "state decision of an ingress port: timeout clock, ingress rate counter, state holder",
			Ref:  "SPFC §V.A, Fig. 10",
			Bugs: []vectors.Bug{
				{Kind: "set/reset latch", Field: "out_victim",
					Edits: []string{"out_victim && LATCH != 0 : out_victim", "out_victim : out_victim"}},
				{Kind: "the dequeue at the window's end is lost", Field: "out_(count|over|victim)",
					Edits: []string{"{7'd0, events_cells};", "{7'd0, timeout ? 8'd0 : events_cells};"}},
				{Kind: "a window a cycle too long", Field: "out_.*",
					Edits: []string{"? 14'd0 : window - 14'd1", "? 14'd0 : window"}},
			},
			Latency: 1, Clock: cellClock, Machines: []vectors.Machine{stateMachine()},
			Unmoved: vectors.NotAbove(p.Int("bits"), "a counter has none",
				map[string]int{"out_count": counterBits, "threshold": counterBits, "tc": counterBits}),
			Build: func(b *vectors.Bench) rtl.Module {
				d, err := NewStateDecision(readings, p.Int("bits"))
				if err != nil {
					panic(err) // the parameters are within its bounds
				}
				w := newWindows(b.Rand())
				vectors.Drive(b, &d.Config, w.config)
				vectors.Drive(b, &d.Events, w.events(b.Rand()))
				return d
			},
		}, nil
	})
}

// mostShift is the greatest shift of alpha: 4 bits, two's complement.
const mostShift = 7

func thresholdComparatorUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "bits", Default: cellBits, Min: 1, Max: cellBits, Help: "bits of a count of cells", RTL: "BITS"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		return vectors.Unit{
			Name: "spfc/threshold_comparator", Doc: "PFC threshold DT, ST or whole pool, and what follows for a packet",
			Ref: "SPFC Eq. 1, Eq. 4",
			Bugs: []vectors.Bug{
				{Kind: "a queue at its threshold is not over", Field: "out_over",
					Edits: []string{"used >= limit || full", "used > limit || full"}},
				{Kind: "RESUME in a full pool", Field: "out_clear",
					Edits: []string{
						"!over && used + {18'd0, offset} <= limit && {11'd0, offset} <= left",
						"used + {18'd0, offset} <= limit",
					}},
				{Kind: "the pool is not looked at", Field: "out_fits",
					Edits: []string{"grown <= limit && {11'd0, query_add} <= left", "grown <= limit"}},
			},
			Latency: 1, Clock: cellClock,
			Unmoved: vectors.NotAbove(p.Int("bits")+mostShift, "a threshold has none",
				map[string]int{"out_threshold": cellBits + mostShift}),
			Build: func(b *vectors.Bench) rtl.Module {
				t, err := NewThresholdComparator(p.Int("bits"))
				if err != nil {
					panic(err) // the parameters are within its bounds
				}
				pools := newPools(b.Rand())
				vectors.Drive(b, &t.Config, pools.config)
				vectors.Drive(b, &t.Query, pools.query(b.Rand()))
				vectors.Drive(b, &t.Offset, pools.offset)
				return t
			},
		}, nil
	})
}

// pfcPriorities is the parameter of units with a bit a priority.
func pfcPriorities(help string) []vectors.Param {
	return []vectors.Param{{Name: "priorities", Default: Priorities, Min: 1, Max: Priorities,
		Help: help, RTL: "PRIORITIES"}}
}

func pfcSenderUnit() vectors.Unit {
	return vectors.Parametric(
		pfcPriorities("priorities that are told of, from 0 on"),
		func(p vectors.Settings) (vectors.Unit, error) {
			return vectors.Unit{
				Name:  "spfc/pfc_sender",
				Valid: vectors.ValidWhile("valid", "word", 8),
				Doc:   "PFC frames of a port, with refresh", Ref: "IEEE 802.1Qbb, 802.3 Annex 31D",
				Bugs: []vectors.Bug{
					{Kind: "a RESUME forgets the pauses that stand", Field: "word_[2-7]",
						Edits: []string{"8'h00, tell | paused,", "8'h00, tell,"}},
					{Kind: "refresh a quantum late", Field: "(valid|word_.)",
						Edits: []string{"refresh == 16'd1 ? paused : 8'd0", "refresh == 16'd1 && !ready ? paused : 8'd0"}},
				},
				Latency: 1, Clock: cellClock, Unmoved: constantsOfPFC(),
				Build: func(b *vectors.Bench) rtl.Module {
					s, err := NewPFCSender(p.Int("priorities"))
					if err != nil {
						panic(err) // the parameters are within its bounds
					}
					rng := b.Rand()
					vectors.Drive(b, &s.Decisions, func(uint64) Decisions {
						if rng.IntN(6) > 0 {
							return Decisions{}
						}
						return Decisions{Pause: uint8(rng.Uint32() & rng.Uint32()), Resume: uint8(rng.Uint32() & rng.Uint32())}
					})
					timing := b.Rand()
					vectors.Drive(b, &s.Timing, func(uint64) PFCTiming {
						return PFCTiming{Quanta: uint16(timing.Uint32()) >> timing.IntN(17),
							Refresh: uint16(timing.Uint32()) >> timing.IntN(17)}
					})
					vectors.Drive(b, &s.Source, vectors.Uniform[uint64](b.Rand()))
					ready := b.Rand()
					vectors.Drive(b, &s.Ready, func(uint64) bool { return ready.IntN(3) > 0 })
					return s
				},
			}, nil
		},
	)
}

func pfcReceiverUnit() vectors.Unit {
	return vectors.Parametric(
		pfcPriorities("priorities with a timer, from 0 on; others are always open"),
		func(p vectors.Settings) (vectors.Unit, error) {
			return vectors.Unit{
				Name: "spfc/pfc_receiver", Doc: fmt.Sprintf("PFC frames found and checked, and the quanta timers of %d priorities",
					p.Int("priorities")), Ref: "IEEE 802.1Qbb, 802.3 Annex 31D",
				Bugs: []vectors.Bug{
					{Kind: "paused a quantum too long", Field: "open",
						Edits: []string{"open[n]  <= left == 16'd0", "open[n]  <= timer[n] == 16'd0"}},
					{Kind: "quanta in the wrong byte order", Field: "open",
						Edits: []string{"{frame[8 * (18 + 2 * n) +: 8], frame[8 * (19 + 2 * n) +: 8]}", "frame[8 * (18 + 2 * n) +: 16]"}},
				},
				Latency: 1, Clock: cellClock,
				Build: func(b *vectors.Bench) rtl.Module {
					r, err := NewPFCReceiver(p.Int("priorities"))
					if err != nil {
						panic(err) // the parameters are within its bounds
					}
					f := &frameSource{rng: b.Rand()}
					b.Add("frames", f)
					rtl.Connect(&f.Beat, &r.Beat)
					for i := range r.Word {
						rtl.Connect(&f.Word[i], &r.Word[i])
					}
					return r
				},
			}, nil
		},
	)
}

// stateMachine is Figure 7 by the registers of Figure 10: what one cell slot can do to a port.
func stateMachine() vectors.Machine {
	return vectors.Machine{
		Probe:  "state",
		States: []string{"normal", "victim, below the count", "victim, count reached", "paused", "paused, count reached"},
		Arcs: [][2]int{
			{portNormal, portFast}, {portNormal, portPaused}, {portNormal, portPausedOn},
			{portHeld, portNormal}, {portHeld, portFast}, {portHeld, portPaused}, {portHeld, portPausedOn},
			{portFast, portHeld}, {portFast, portPaused}, {portFast, portPausedOn},
			{portPaused, portNormal}, {portPaused, portFast}, {portPaused, portPausedOn},
			{portPausedOn, portNormal}, {portPausedOn, portFast}, {portPausedOn, portPaused},
		},
	}
}

// constantsOfPFC are the bits of a PFC frame that are always 0.
func constantsOfPFC() map[string]string {
	const address, control = "01-80-C2-00-00-01", "88-08 01-01"
	return map[string]string{
		"word_0[7:1]": address, "word_0[14:8]": address, "word_0[16]": address, "word_0[21:18]": address,
		"word_0[39:24]": address, "word_0[47:41]": address,
		"word_1[34:32]": control, "word_1[38:36]": control, "word_1[42:40]": control, "word_1[47:44]": control,
		"word_1[55:49]": control, "word_1[63:57]": control,
		"word_2[7:0]": "reserved", "word_4[63:16]": "pad", "word_5": "pad", "word_6": "pad", "word_7[31:0]": "pad",
	}
}

// windows is a stimulus for the circuit: stretches, each with one configuration and a dequeue rate near the threshold.
type windows struct{ stretches []stretch }

type stretch struct {
	start  uint64
	end    uint64
	config DecisionConfig
	cells  int  // dequeued in a cycle in which something is
	share  int  // of 8 cycles
	pauses int  // cycles between two
	wild   bool // small counts, and events in any combination
}

const (
	windowCycles = 1 << 16 // stretches are prepared for so long; then they repeat
	longAfter    = 6000    // when the one long window comes: golden files and testbenches end before
)

func newWindows(rng *rand.Rand) *windows {
	w := &windows{}
	long := false
	for at := uint64(0); at < windowCycles; {
		s := stretch{start: at, share: 1 + rng.IntN(8), pauses: 1 << (2 + rng.IntN(6)), wild: rng.IntN(4) > 0}
		window := 1 << rng.IntN(6)
		if s.wild {
			window = 1 << rng.IntN(4)
		}
		window += rng.IntN(window)
		cycles := max(window*(2+rng.IntN(6)), 30)
		if at > longAfter && !long { // all bits of TC and IRC, once
			long, window, cycles = true, 1<<13+rng.IntN(64), 1<<13+1<<9
			s.wild = false
		}
		s.config.Window = uint16(window)
		s.config.Threshold = uint16(min(1<<14-1, window*(1+rng.IntN(200))))
		if window < 1<<13 && rng.IntN(4) == 0 {
			s.config.Threshold = uint16(rng.IntN(1 << rng.IntN(15)))
		}
		if s.wild {
			s.config.Threshold = uint16(rng.IntN(14))
		}
		s.cells = min(255, 1+8*int(s.config.Threshold)/(s.share*window))
		at += uint64(cycles)
		s.end = at
		w.stretches = append(w.stretches, s)
	}
	return w
}

func (w *windows) at(cycle uint64) *stretch {
	cycle %= windowCycles
	lo, hi := 0, len(w.stretches)-1
	for lo < hi {
		if mid := (lo + hi) / 2; w.stretches[mid].end > cycle {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return &w.stretches[lo]
}

// config changes at any time during the long window, which has no effect before its end.
func (w *windows) config(cycle uint64) DecisionConfig {
	s := w.at(cycle)
	if into := cycle%windowCycles - s.start; s.config.Window >= 1<<13 && into >= 1<<9 && into < 1<<13 {
		noise := into * 0x9e3779b97f4a7c15 // 2^64 by the golden ratio
		return DecisionConfig{Window: uint16(noise>>50) & (1<<14 - 1), Threshold: uint16(noise>>36) & (1<<14 - 1)}
	}
	return s.config
}

func (w *windows) events(rng *rand.Rand) func(cycle uint64) PortEvents {
	return func(cycle uint64) PortEvents {
		s := w.at(cycle)
		e := PortEvents{Pause: rng.IntN(s.pauses) == 0, Resume: rng.IntN(s.pauses) < 2}
		if s.wild && rng.IntN(2) == 0 {
			e.Pause, e.Resume = rng.IntN(2) == 0, rng.IntN(2) == 0
		}
		if rng.IntN(8) < s.share {
			e.Cells = uint8(min(255, rng.IntN(2*s.cells+2)))
		}
		return e
	}
}

// pools is a stimulus for the comparator: equal, one more and one less are as likely as all else.
type pools struct {
	configs []PoolConfig
	offsets []uint8
}

func newPools(rng *rand.Rand) *pools {
	p := &pools{}
	for range 1 << 10 {
		p.configs = append(
			p.configs,
			PoolConfig{Pool: rng.Uint32() & (1<<19 - 1) >> rng.IntN(12), Static: rng.Uint32() & (1<<19 - 1),
				Shift: uint8(rng.IntN(16)), Fixed: rng.IntN(6) == 0},
		)
		p.offsets = append(p.offsets, uint8(rng.Uint32()))
	}
	return p
}

func (p *pools) config(cycle uint64) PoolConfig { return p.configs[cycle%uint64(len(p.configs))] }
func (p *pools) offset(cycle uint64) uint8      { return p.offsets[cycle%uint64(len(p.offsets))] }

func (p *pools) query(rng *rand.Rand) func(cycle uint64) PoolQuery {
	near := func(x int64) uint32 { return uint32(min(max(x+int64(rng.IntN(3))-1, 0), 1<<19-1)) }
	return func(cycle uint64) PoolQuery {
		c := p.config(cycle)
		q := PoolQuery{Shared: rng.Uint32() & (1<<19 - 1), Victim: rng.IntN(4) == 0, Add: uint8(rng.Uint32())}
		if rng.IntN(4) > 0 && c.Pool > 0 {
			q.Shared = rng.Uint32N(c.Pool + 1)
		}
		if rng.IntN(4) == 0 {
			q.Shared = near(int64(c.Pool) - int64(q.Add))
		}
		if rng.IntN(4) == 0 {
			q.Shared = near(int64(c.Pool) - int64(p.offset(cycle)))
		}
		pool := poolThreshold{pool: int64(c.Pool), static: int64(c.Static), shift: int(int8(c.Shift<<4) >> 4)}
		if c.Fixed {
			pool.policy = ST
		}
		threshold := pool.of(int64(min(q.Shared, c.Pool)), q.Victim)
		switch rng.IntN(5) {
		case 0:
			q.Used = rng.Uint32() & (1<<19 - 1)
		case 1:
			q.Used = near(threshold)
		case 2:
			q.Used = near(threshold - int64(q.Add))
		case 3:
			q.Used = near(threshold - int64(p.offset(cycle)))
		}
		if rng.IntN(8) == 0 {
			q.Add = 0
		}
		return q
	}
}

// frameSource sends PFC frames, most of them good, among other beats.
type frameSource struct {
	Beat rtl.Out[FrameBeat]
	Word [frameWords]rtl.Out[uint64]

	rng   *rand.Rand
	bytes [PFCFrameBytes]byte
}

// Reset sends the first beat.
func (f *frameSource) Reset() { f.Tick() }

// Tick sends a beat.
func (f *frameSource) Tick() {
	rng := f.rng
	pfc := PFCFrame{Enable: uint8(rng.Uint32())}
	for i := range pfc.Quanta {
		pfc.Quanta[i] = uint16(rng.Uint32()) >> rng.IntN(17)
		if rng.IntN(2) == 0 {
			pfc.Quanta[i] &= 0xf
		}
	}
	var source [6]byte
	binary.BigEndian.PutUint32(source[:], rng.Uint32())
	data := pfc.AppendBytes(f.bytes[:0], source)
	b := FrameBeat{Valid: true, First: true, Last: true, Bytes: PFCFrameBytes}
	switch rng.IntN(8) {
	case 0: // a field that is not PFC's, under a right FCS
		data[[]int{0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 40}[rng.IntN(12)]] ^= 1 << rng.IntN(8)
		data = appendFCS(data[:60])
	case 1: // bit errors
		for range 1 + rng.IntN(3) {
			data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		}
	case 2:
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
	case 3: // a frame of PFC that is not alone in its beat
		b = FrameBeat{Valid: rng.IntN(3) > 0, First: rng.IntN(2) == 0, Last: rng.IntN(2) == 0, Bytes: PFCFrameBytes}
	case 4:
		b = FrameBeat{Valid: rng.IntN(3) > 0, First: rng.IntN(2) == 0, Last: rng.IntN(2) == 0, Bytes: uint8(rng.IntN(65))}
	}
	f.Beat.Set(b)
	for i := range f.Word {
		f.Word[i].Set(binary.LittleEndian.Uint64(data[8*i:]))
	}
}
