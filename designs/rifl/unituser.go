package rifl

import (
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// userUnits are the modules of the user's side: two bonded lanes of 256 bits, and one of 512.
func userUnits() vectors.Catalogue {
	return vectors.Catalogue{
		framerUnit("rifl/framer", 64, 2, unitWords), framerUnit("rifl/framer_512", 64, 1, 8).Fixed(),
		collectorUnit("rifl/collector", 64, 2, unitWords, unitID), collectorUnit("rifl/collector_512", 64, 1, 8, 6).Fixed(),
		flowMonitorUnit("rifl/flow_monitor", 6),
	}
}

func framerUnit(name string, width, lanes, words int) vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "width", Default: uint64(width), Min: 8, Max: 128, Power: true, Help: "bytes of a user's beat"},
		{Name: "lanes", Default: uint64(lanes), Min: 1, Max: 4, Help: "lanes that are bonded"},
		{Name: "words", Default: uint64(words), Min: 4, Max: 16, Power: true, Help: "words of 64 bits a frame"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		width, lanes, words := p.Int("width"), p.Int("lanes"), p.Int("words")
		u := vectors.Unit{
			Name: name, Doc: fmt.Sprintf("width conversion of beats of %d bytes, channel bonding and meta code encoding; %d "+
				"lanes of %d bits", width, lanes, 64*words),
			Ref: "RIFL §4.F, §5.A",
			Bugs: []vectors.Bug{
				{
					Kind: "two packets in a flit", Field: "(ready|valid_.*|segment_.*)",
					Edits: []string{"ends   <= end_in && left != 12'd0", "ends   <= 1'b0"},
				},
				{
					Kind: "a flit leaves half of itself", Field: "(ready|valid_.*|segment_.*)",
					Edits: []string{"go     = &accept", "go     = |accept"},
				},
			},
			Latency: 0, Clock: frameClock(words),
			Unmoved: map[string]string{},
			Build: func(b *vectors.Bench) rtl.Module {
				f, err := newFramer(width, lanes, words, leastFlits)
				if err != nil {
					panic(err) // the parameters are within its bounds
				}
				for i := range f.Data {
					vectors.Drive(b, &f.Data[i], vectors.Uniform[uint64](b.Rand()))
				}
				vectors.Drive(b, &f.Control, randomBeats(b.Rand(), width))
				for i := range f.Accept {
					rng := b.Rand()
					vectors.Drive(b, &f.Accept[i], func(uint64) bool { return rng.IntN(5) > 0 })
				}
				return f
			},
		}
		if lanes == 1 {
			u.Bugs = u.Bugs[:1]
		}
		for k := range lanes {
			u.Unmoved[fmt.Sprintf("segment_%d[63:62]", k*words)] = "SYN is 01"
			u.Unmoved[fmt.Sprintf("segment_%d[11:0]", (k+1)*words-1)] = "the code's place"
		}
		u.RTL = framerRTL(u.Module(), width, lanes, words)
		return u, nil
	})
}

// randomBeats returns beats of packets, most of them full, now and then one that no user should send: short in the
// middle of a packet, empty, or of more bytes than there are.
func randomBeats(rng *rand.Rand, width int) func(uint64) BeatControl {
	return func(uint64) BeatControl {
		c := BeatControl{Bytes: uint16(width), Last: rng.IntN(5) == 0, Valid: rng.IntN(6) > 0}
		switch k := rng.IntN(40); {
		case k == 0:
			c.Bytes = uint16(rng.IntN(1 << 12))
		case k == 1:
			c.Bytes = 0
		case c.Last || k == 2:
			c.Bytes = uint16(1 + rng.IntN(width))
		}
		return c
	}
}

func collectorUnit(name string, width, lanes, words, s int) vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "width", Default: uint64(width), Min: 8, Max: 128, Power: true, Help: "bytes of a user's beat"},
		{Name: "lanes", Default: uint64(lanes), Min: 1, Max: 4, Help: "lanes that are bonded"},
		{Name: "words", Default: uint64(words), Min: 4, Max: 16, Power: true, Help: "words of 64 bits a frame"},
		{Name: "s", Default: uint64(s), Min: 5, Max: 8, Help: "bits of a frame ID: a buffer has 16 frames and 2 x 2^s"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		width, lanes, words, s := p.Int("width"), p.Int("lanes"), p.Int("words"), p.Int("s")
		depth, _ := FlowSize(Core, s)
		u := vectors.Unit{
			Name: name, Valid: map[string]string{"control": "control_valid"},
			Doc: fmt.Sprintf(
				"flow-control buffers, channel bonding, meta code decoding and output converter: beats of %d bytes; %d lanes of "+
					"%d bits, S = %d",
				width, lanes, 64*words, s,
			),
			Ref: "RIFL §4.D, §4.F, §5.A",
			Bugs: []vectors.Bug{
				{
					Kind: "a buffer of one frame less", Field: "(count_.*|high_.*|overflow)",
					Edits: []string{"16 + (2 << S)", "15 + (2 << S)"},
				},
				{
					Kind: "no register of its own while the user waits", Field: "(control_.*|data_.*|count_.*)",
					Edits: []string{"go    = !control_valid || ready", "go    = 1'b1"},
				},
			},
			Latency: 1, Clock: frameClock(words),
			NotCovered: "a count of lost frames falls only when it wraps",
			Build: func(b *vectors.Bench) rtl.Module {
				c, err := newCollector(Core, s, width, lanes, 1, words, leastFlits)
				if err != nil {
					panic(err) // the parameters are within its bounds
				}
				seed := b.Rand().Uint64()
				for lane := range lanes {
					driveReceived(b, c.Frame[lane*words:(lane+1)*words], &c.Valid[lane], lane, lanes, seed)
				}
				rng := b.Rand()
				reads, until := true, uint64(0)
				b.Keep(&reads, &until)
				vectors.Drive(b, &c.Ready, func(cycle uint64) bool {
					if cycle >= until {
						reads = !reads
						until = cycle + 20 + uint64(rng.IntN(2*depth))
					}
					return reads && rng.IntN(8) > 0
				})
				return c
			},
		}
		u.RTL = collectorRTL(u.Module(), width, lanes, words, s)
		return u, nil
	})
}

// receivedFlits draws a flit a cycle: the meta code of each lane, or -1 where no frame comes. Those with the same seed
// draw the same.
type receivedFlits struct {
	rng  *rand.Rand
	meta []int
	full int // flits still to come that fill their lanes: long packets bring every number of bytes into a beat
}

func (f *receivedFlits) next() {
	if f.full > 0 {
		f.full--
		for lane := range f.meta {
			f.meta[lane] = metaAll
		}
		return
	}
	if f.rng.IntN(100) == 0 {
		f.full = 70
	}
	none := f.rng.IntN(3) == 0
	for lane := len(f.meta) - 1; lane >= 0; lane-- { // the highest lane has the first segment
		meta := []int{metaAll, metaAll, metaAll, metaEnd, MetaPartial, MetaPartial}[f.rng.IntN(6)]
		if none {
			meta = []int{-1, metaNone}[f.rng.IntN(2)]
		}
		f.meta[lane] = meta
		none = none || meta == metaEnd || meta == MetaPartial
	}
}

// driveReceived drives a lane of a collector: flits that fill their lanes or end a packet before, frames without data,
// gaps. A lane lags the one below it by three cycles.
func driveReceived(b *vectors.Bench, frame []rtl.Async[uint64], valid *rtl.Async[bool], lane, lanes int, seed uint64) {
	draw := func() func(cycle uint64) int {
		f := &receivedFlits{rng: rand.New(rand.NewPCG(seed, 0)), meta: make([]int, lanes)}
		b.Keep(f)
		return func(cycle uint64) int {
			if cycle < uint64(3*lane) {
				return -1
			}
			f.next()
			return f.meta[lane]
		}
	}
	last := len(frame) - 1
	for i := range frame {
		rng, meta := b.Rand(), draw()
		vectors.Drive(b, &frame[i], func(cycle uint64) uint64 {
			w := rng.Uint64()
			switch {
			case i == 0:
				w = w&^(3<<metaShift) | uint64(meta(cycle)&3)<<metaShift
			case i == last && rng.IntN(8) > 0: // mostly counts that are sent
				w = w&^(0xff<<CodeBits) | uint64(1+rng.IntN(8*len(frame)-3))<<CodeBits
			}
			return w
		})
	}
	meta := draw()
	vectors.Drive(b, valid, func(cycle uint64) bool { return meta(cycle) >= 0 })
}

func flowMonitorUnit(name string, s int) vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{
			Name: "s", Default: uint64(s), Min: 5, Max: 12,
			Help: "bits of a frame ID: the buffer's memory has 2 x 2^s frames", RTL: "S",
		},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		s := p.Int("s")
		_, level := FlowSize(Core, s)
		return vectors.Unit{
			Name: name, Doc: fmt.Sprintf("flow control: the far end's notifications, and when it has to pause; S = %d", s),
			Ref: "RIFL §4.D, Eq. 24, 25",
			Bugs: []vectors.Bug{
				{Kind: "pause one frame late", Field: "local_full", Edits: []string{"count > ON", "count > ON + 1"}},
				{Kind: "resume one frame early", Field: "local_full", Edits: []string{"count < OFF", "count <= OFF"}},
				{
					Kind: "a user's frame taken for a notification", Field: "remote_paused",
					Edits: []string{"first[61:60] == 2'b00", "first[60] == 1'b0"},
				},
			},
			Latency: 1, Clock: frameClock(unitWords),
			RTL: Verilog("rifl_" + name[len("rifl/"):]),
			Build: func(b *vectors.Bench) rtl.Module {
				m := newFlowMonitor(Core, s)
				rng, up := b.Rand(), true
				n := 0
				b.Keep(&up, &n)
				vectors.Drive(b, &m.Count, func(uint64) uint16 { // up and down around the thresholds, now and then anywhere
					if rng.IntN(40) == 0 {
						return uint16(rng.Uint32())
					}
					if n > level.On+3 || n == 0 || rng.IntN(50) == 0 {
						up = n <= level.off
					}
					if up {
						n++
					} else if n > 0 {
						n--
					}
					return uint16(n)
				})
				words := b.Rand()
				vectors.Drive(b, &m.First, func(uint64) uint64 { return words.Uint64() &^ (uint64(words.IntN(3)) << metaShift) })
				formats := b.Rand()
				vectors.Drive(b, &m.Last, func(uint64) uint64 {
					return formats.Uint64()&^(0xff<<CodeBits) | uint64(
						[]int{FormatInvalid, FormatPause, FormatResume, formats.IntN(256)}[formats.IntN(4)],
					)<<CodeBits
				})
				valid := b.Rand()
				vectors.Drive(b, &m.Valid, func(uint64) bool { return valid.IntN(2) == 0 })
				return m
			},
		}, nil
	})
}
