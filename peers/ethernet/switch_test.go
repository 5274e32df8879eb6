package ethernet

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// station is a host without a stack.
type station struct {
	frameSource
	port Port
	sink pcs.FrameSink
}

// frameSource sends frames at the rate of the line, after a pause each.
type frameSource struct {
	Out rtl.Out[pcs.Beat]

	frames [][]byte
	pauses []int // cycles before each
	at     int
	frame  []byte
	pacer  pacer
}

func (s *frameSource) Tick() {
	s.pacer.tick()
	if len(s.frame) == 0 && s.at < len(s.frames) && s.pacer.ready() {
		if s.pauses[s.at] > 0 {
			s.pauses[s.at]--
		} else {
			s.frame = s.frames[s.at]
			s.at++
		}
	}
	b := pcs.Beat{}
	if len(s.frame) > 0 {
		b, s.frame = nextBeat(s.frame)
		s.pacer.sent(bits.OnesCount8(b.Keep), b.Last)
	}
	s.Out.Set(b)
}

// damage flips a bit of some words of the line.
type damage struct {
	In    rtl.In[pcs.Line]
	Out   rtl.Out[pcs.Line]
	words map[int]bool // tests only
	n     int
}

func (d *damage) Tick() {
	w := d.In.Get()
	if d.words[d.n] {
		w.Lo ^= 1 << 40
	}
	d.n++
	d.Out.Set(w)
}

type switchBench struct {
	clk      *rtl.Clock
	sw       *Switch
	stations []*station
	damage   []*damage
}

func newSwitchBench(t require.TestingT, cfg Config) *switchBench {
	require.NoError(t, cfg.check())
	sim := rtl.New(cfg.Sim)
	c := newClocks(sim, cfg.SingleClock)
	b := &switchBench{clk: c.at(0, "tx_clk")}
	rx := c.at(hop, "rx_clk")
	b.sw = newSwitch(sim.Scope("switch"), cfg, c)
	for i := range cfg.Ports {
		require.NoError(t, b.sw.Table.Insert(MAC(i), i))
		s, d := &station{}, &damage{words: map[int]bool{}}
		sc := sim.Scope(fmt.Sprintf("station_%d", i))
		s.port.add(sc, b.clk, rx)
		up, down := blocks.NewWire[pcs.Line](c.edges(0, hop)), blocks.NewWire[pcs.Line](c.edges(0, hop))
		sc.On(b.clk).Add("source", &s.frameSource)
		sc.On(rx).Add("sink", &s.sink)
		sc.On(rx).Add("up", up)
		sc.On(rx).Add("down", down)
		sc.On(rx).Add("damage", d)
		rtl.Connect(&s.Out, &s.port.TxFIFO.In)
		rtl.Connect(&s.port.Tx.Gearbox.Out, &up.In)
		rtl.Connect(&up.Out, &d.In)
		rtl.Connect(&d.Out, &b.sw.Ports[i].Rx.Gearbox.In)
		rtl.Connect(&b.sw.Ports[i].Tx.Gearbox.Out, &down.In)
		rtl.Connect(&down.Out, &s.port.Rx.Gearbox.In)
		rtl.Connect(&s.port.Deframer.Out, &s.sink.In)
		b.stations, b.damage = append(b.stations, s), append(b.damage, d)
	}
	require.NoError(t, sim.Elaborate())
	require.NoError(t, b.clk.Run(300)) // block lock
	return b
}

// send queues a frame of some bytes with a number of its own.
func (b *switchBench) send(from int, dest uint64, size, pause int, rng *rand.Rand) []byte {
	f := make([]byte, size)
	for i := range f {
		f[i] = byte(rng.Uint32())
	}
	putMAC(f, dest)
	putMAC(f[6:], MAC(from))
	s := b.stations[from]
	s.frames, s.pauses = append(s.frames, f), append(s.pauses, pause)
	return f
}

// run lets everything arrive: at worst all frames leave by one port.
func (b *switchBench) run(t require.TestingT) {
	bytes := 0
	for _, s := range b.stations {
		for i, f := range s.frames {
			bytes += len(f) + 100 + 8*s.pauses[i]
		}
	}
	require.NoError(t, b.clk.Run(uint64(bytes/8*len(b.stations)+1000)))
	for _, s := range b.stations {
		require.Equal(t, len(s.frames), s.at)
		require.Zero(t, s.port.TxFIFO.lost)
	}
	for _, p := range b.sw.Ports {
		require.Zero(t, p.TxFIFO.lost)
	}
}

// Frames reach their destination whole, and in order for each pair of ports; those for an unknown destination reach
// nobody, or with flooding all but the sender.
func TestSwitchDeliversFrames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ports := rapid.IntRange(2, 6).Draw(t, "ports")
		cfg := Config{Ports: ports, Flood: rapid.Bool().Draw(t, "flood"),
			Forwarding:  Forwarding(rapid.IntRange(0, 1).Draw(t, "forwarding")),
			SingleClock: rapid.Bool().Draw(t, "single"), Buffer: 64}
		b := newSwitchBench(t, cfg)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		want := make([][][][]byte, ports) // by destination and source
		for d := range want {
			want[d] = make([][][]byte, ports)
		}
		dropped := 0
		for range rapid.IntRange(1, 60).Draw(t, "frames") {
			from, to := rng.IntN(ports), rng.IntN(ports+1) // one beyond the last is unknown
			size := 60 + rng.IntN(200)
			if rng.IntN(8) == 0 {
				size = 1000 + rng.IntN(515)
			}
			f := b.send(from, MAC(to), size, max(0, rng.IntN(100)-70), rng)
			switch {
			case to == from, to == ports && !cfg.Flood:
				dropped++
			case to < ports:
				want[to][from] = append(want[to][from], f)
			default:
				for d := range ports {
					if d != from {
						want[d][from] = append(want[d][from], f)
					}
				}
			}
		}
		b.run(t)
		require.Equal(t, uint32(dropped), b.sw.Manager.Dropped.Get())
		for d, s := range b.stations {
			got := make([][][]byte, ports)
			for _, f := range s.sink.Frames() {
				require.Equal(t, pcs.FrameOK, f.Fault)
				from := int(getMAC(f.Bytes[6:]) - MAC(0))
				require.Less(t, from, ports)
				got[from] = append(got[from], f.Bytes)
			}
			for from := range ports {
				require.Equal(t, want[d][from], got[from], "from %d to %d", from, d)
			}
		}
	})
}

// Two inputs that want one output share it evenly, and it stays as full as the line allows.
func TestSwitchSharesAnOutput(t *testing.T) {
	b := newSwitchBench(t, Config{Ports: 3, SingleClock: true})
	rng := rand.New(rand.NewPCG(1, 1))
	const frames, size = 100, 60
	for range frames {
		b.send(0, MAC(2), size, 0, rng)
		b.send(1, MAC(2), size, 0, rng)
	}
	b.run(t)
	got := b.stations[2].sink.Frames()
	require.Len(t, got, 2*frames)
	for i := 1; i < len(got); i++ {
		require.NotEqual(t, got[i-1].Bytes[11], got[i].Bytes[11], "frame %d: inputs take turns", i)
	}
	cycles := got[len(got)-1].Cycle - got[0].Cycle
	require.InDelta(t, float64((2*frames-1)*(size+24))/8, float64(cycles), 2)
}

// A frame that the line damaged is not forwarded; those around it are.
func TestSwitchDropsDamagedFrames(t *testing.T) {
	b := newSwitchBench(t, Config{Ports: 2, SingleClock: true})
	rng := rand.New(rand.NewPCG(2, 2))
	for range 5 {
		b.send(0, MAC(1), 400, 0, rng)
	}
	b.damage[0].words[b.damage[0].n+19+6+130] = true // in the third frame: 53 blocks each
	b.run(t)
	require.Equal(t, uint32(1), b.sw.Manager.Dropped.Get())
	got := b.stations[1].sink.Frames()
	require.Len(t, got, 4)
	for i, sent := range []int{0, 1, 3, 4} {
		require.Equal(t, b.stations[0].frames[sent], got[i].Bytes)
	}
}

// A frame longer than the switch takes is dropped, and leaves its slot to the next.
func TestSwitchDropsLongFrames(t *testing.T) {
	b := newSwitchBench(t, Config{Ports: 2, SingleClock: true, MTU: 64, MaxFrame: 512, Buffer: 1})
	rng := rand.New(rand.NewPCG(3, 3))
	for _, size := range []int{508, 600, 100, 3000, 508} {
		b.send(0, MAC(1), size, 200, rng)
	}
	b.run(t)
	require.Equal(t, uint32(2), b.sw.Manager.Dropped.Get())
	var sizes []int
	for _, f := range b.stations[1].sink.Frames() {
		require.Equal(t, pcs.FrameOK, f.Fault)
		sizes = append(sizes, len(f.Bytes))
	}
	require.Equal(t, []int{508, 100, 508}, sizes)
}

func TestExactMatchIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, model := NewExactMatch(64), map[uint64]int{}
		key := rapid.Uint64Range(0, 100) // collisions of keys and of buckets
		for range rapid.IntRange(1, 200).Draw(t, "operations") {
			k, port := key.Draw(t, "key")*0x10001, rapid.IntRange(0, 63).Draw(t, "port")
			if err := table.Insert(k, port); err != nil {
				require.NotContains(t, model, k)
				require.ErrorContains(t, err, fmt.Sprintf("no room for %012x", k))
			} else {
				model[k] = port
			}
			probe := key.Draw(t, "probe") * 0x10001
			want, known := model[probe]
			got, ok := table.Lookup(probe)
			require.Equal(t, known, ok)
			require.Equal(t, want, got)
		}
	})
}

// The pacer's average is the line's: frames of any size, back to back, take their bytes and 24 more.
func TestPacerAverages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p pacer
		cycles, bytes := 0, 0
		for range 50 {
			size := rapid.IntRange(14, 300).Draw(t, "size")
			bytes += max(size, 60) + 24
			for p.tick(); !p.ready(); p.tick() {
				cycles++
			}
			for left := size; left > 0; left -= 8 {
				if left < size {
					p.tick()
				}
				p.sent(min(left, 8), left <= 8)
				cycles++
			}
		}
		for p.tick(); !p.ready(); p.tick() {
			cycles++
		}
		require.InDelta(t, float64(bytes)/8, float64(cycles), 1)
	})
}

func TestEncapsulatedBytes(t *testing.T) {
	f := make([]byte, 21)
	for i := range f {
		f[i] = byte(i + 1)
	}
	var got []byte
	for rest := f; len(rest) > 0; {
		var b pcs.Beat
		b, rest = nextBeat(rest)
		require.Equal(t, len(rest) == 0, b.Last)
		got = binary.LittleEndian.AppendUint64(got, b.Data)
		require.Equal(t, b.Keep, uint8(1<<min(8, bits.OnesCount8(b.Keep))-1))
	}
	require.Equal(t, f, got[:21])
	require.Equal(t, []byte{0, 0, 0}, got[21:])
}

// The table holds the number of entries that it was made for, whichever way they hash.
func TestExactMatchHoldsItsEntries(t *testing.T) {
	for entries := 4; entries <= 1024; entries *= 2 {
		table, rng := NewExactMatch(entries), rand.New(rand.NewPCG(uint64(entries), 0))
		keys := map[uint64]int{}
		for i := range entries {
			key := rng.Uint64() >> 16
			keys[key] = i % maxPorts
			require.NoError(t, table.Insert(key, keys[key]), "entry %d of %d", i, entries)
		}
		for key, port := range keys {
			got, ok := table.Lookup(key)
			require.True(t, ok)
			require.Equal(t, port, got)
		}
	}
}
