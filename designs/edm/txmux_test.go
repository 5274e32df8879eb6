package edm

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Each column is a cycle: the inputs in it, and the output. A block that finds the line free takes one.
func TestTxMuxCycleTables(t *testing.T) {
	for _, c := range []struct {
		name                 string
		sharing              Sharing
		dataFirst            bool
		control, data, frame string
		out                  string
	}{
		{
			name:  "a frame alone: idle blocks and cycles without one leave no trace",
			frame: ". s0 -  t0 .  s1 t1", //
			out:   ". .  s0 .  t0 .  s1 t1 .",
		}, {
			name:    "block by block with control",
			control: "-  n0 n1 -  -",
			frame:   "s0 d0 d1 d2 t0",
			out:     ".  s0 n0 d0 n1 d1 d2 t0 .",
		}, {
			name:  "no frame inside a chunk, then as many blocks as have waited for it",
			data:  "w0 m0 m1 e0 w1 e1",
			frame: "-  s0 d0 t0 -  -  -  -",
			out:   ".  w0 m0 m1 e0 s0 d0 t0 w1 e1 .",
		}, {
			name:    "strict: frames last",
			sharing: MemoryFirst,
			data:    "w0 m0 m1 e0 w1 e1",
			frame:   "-  s0 d0 t0 -  -  -  -",
			out:     ".  w0 m0 m1 e0 w1 e1 s0 d0 t0 .",
		}, {
			name:    "a request inside a chunk, in one piece, even if it has to be waited for",
			control: "-  r0 -  e0 -",
			data:    "w0 m0 m1 e1 -",
			out:     ".  w0 r0 .  e0 m0 m1 e1 .",
		}, {
			name:      "data first",
			dataFirst: true,
			control:   "-  r0 -  e0 -",
			data:      "w0 m0 m1 e1 -",
			out:       ".  w0 m0 m1 e1 r0 e0 .",
		}, {
			name:      "but not inside a request",
			dataFirst: true,
			control:   "a0 m1 m2 m3 e0",
			data:      "-  v0 -  -  -",
			out:       ".  a0 m1 m2 m3 e0 v0 .",
		}, {
			name:  "a chunk that waits makes the line wait",
			data:  "w0 -  -  e0",
			frame: "-  s0 t0 -",
			out:   ".  w0 .  .  e0 s0 t0 .",
		}, {
			name:    "grants inside a chunk count for the frame",
			control: "-  g0 g1 -",
			data:    "w0 e0 -  v0",
			frame:   "-  s0 d0 d1 t0",
			// s0 has waited for g0, g1 and e0: it, d0 and d1 go before v0
			out: ".  w0 g0 g1 e0 s0 d0 d1 v0 t0 .",
		}, {
			name:  "what a frame is owed goes, block by block, while none waits",
			data:  "w0 m0 m1 e0 v0 v1 v2 v3",
			frame: "-  s0 -  -  -  -  -  d0",
			out:   ".  w0 m0 m1 e0 s0 v0 v1 v2 d0 v3 .",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &TxMux{Types: DefaultTypes, Sharing: c.sharing, DataFirst: c.dataFirst, Depth: 16, Reserve: 6}
			var got []string
			runModules(t, len(strings.Fields(c.out)), func(s *rtl.Scope) {
				for i, in := range []struct {
					port *rtl.In[pcs.Block]
					line string
				}{{&m.Control, c.control}, {&m.Data, c.data}, {&m.Frame, c.frame}} {
					p := &player{blocks: blocksOf(t, in.line)}
					s.Add(fmt.Sprint("player_", i), p)
					rtl.Connect(&p.Out, in.port)
				}
				s.Add("mux", m)
				s.Add("watcher", &watcher{func() { got = append(got, nameOf[m.Out.Get()]) }})
			})
			require.Equal(t, strings.Join(strings.Fields(c.out), " "), strings.Join(got, " "))
			require.Zero(t, m.lost)
		})
	}
}

// whole is a multiplexer with the sources of its unit, and what went in and out.
type whole struct {
	*TxMux
	control, data, frame, out []pcs.Block
}

func runMux(t require.TestingT, cycles int, seed uint64, sharing Sharing, dataFirst bool) *whole {
	w := &whole{TxMux: &TxMux{Types: DefaultTypes, Sharing: sharing, DataFirst: dataFirst, Depth: 16, Reserve: 6}}
	control := &messageSource{messages: messages{rng: rand.New(rand.NewPCG(seed, 1))}, slack: w.Reserve}
	chunks := &messageSource{messages: messages{rng: rand.New(rand.NewPCG(seed, 2)), chunks: true}, slack: w.Reserve}
	frames := &frameSource{rng: rand.New(rand.NewPCG(seed, 3))}
	runModules(t, cycles, func(s *rtl.Scope) {
		s.Add("control", control)
		s.Add("data", chunks)
		s.Add("frames", frames)
		s.Add("mux", w.TxMux)
		rtl.Connect(&control.Out, &w.Control)
		rtl.Connect(&w.HoldControl, &control.Hold)
		rtl.Connect(&chunks.Out, &w.Data)
		rtl.Connect(&w.HoldData, &chunks.Hold)
		rtl.Connect(&frames.Out, &w.Frame)
		rtl.Connect(&w.FrameEnable, &frames.Enable)
		s.Add("watcher", &watcher{func() {
			keep := func(to *[]pcs.Block, b pcs.Block) {
				if b.Valid && !IsIdle(b) {
					*to = append(*to, b)
				}
			}
			keep(&w.control, control.Out.Get())
			keep(&w.data, chunks.Out.Get())
			keep(&w.frame, frames.Out.Get())
			w.out = append(w.out, w.Out.Get())
		}})
	})
	return w
}

// Every block comes out, each stream in order, nothing lost; a request is in one piece, a chunk meets requests only.
func TestTxMuxKeepsStreamsInOrderAndMessagesWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := runMux(
			t, 2000, rapid.Uint64().Draw(t, "seed"), rapid.SampledFrom([]Sharing{Fair, MemoryFirst}).Draw(t, "sharing"),
			rapid.Bool().Draw(t, "data first"),
		)
		control, chunks, frame := w.control, w.data, w.frame
		inControl, inData := false, false
		take := func(from *[]pcs.Block, b pcs.Block) bool {
			if len(*from) == 0 || (*from)[0] != b {
				return false
			}
			*from = (*from)[1:]
			return true
		}
		open := func(is *bool, b pcs.Block) {
			if k := DefaultTypes.Classify(b); k == MS || k == MT {
				*is = k == MS
			}
		}
		for k, b := range w.out {
			switch {
			case IsIdle(b):
			case take(&control, b):
				open(&inControl, b)
			case !inControl && take(&chunks, b):
				open(&inData, b)
			default:
				require.True(
					t, !inControl && !inData && take(&frame, b), "cycle %d: %v, inside a request %v, inside a chunk %v", k,
					b, inControl, inData,
				)
			}
		}
		require.Zero(t, w.lost)
		// the rest is in the buffers, or came with the last edge
		for _, c := range []struct {
			left []pcs.Block
			most int
		}{{control, w.Depth}, {chunks, w.Depth}, {frame, frameDepth}} {
			require.LessOrEqual(t, len(c.left), c.most+1)
		}
	})
}

// full sends messages of a number of blocks, or frames, whenever it may.
type full struct {
	Hold   rtl.In[bool]
	Enable rtl.In[bool]
	Out    rtl.Out[pcs.Block]

	blocks int
	at     int
	on     bool
}

func (f *full) Reset() { f.at, f.on = 0, false; f.Out.Set(pcs.Block{}) }

func (f *full) Tick() {
	b, on := pcs.Block{}, f.on
	if f.on = f.Enable.Get(); on && !f.Hold.Get() {
		switch f.at = (f.at + 1) % f.blocks; {
		case f.blocks == 1:
			b = Header{Kind: RRES}.block(DefaultTypes.MST)
		case f.at == 1:
			b = Header{Kind: RRES}.block(DefaultTypes.MS)
		case f.at == 0:
			b = DefaultTypes.tail(0)
		default:
			b = data(0)
		}
	}
	f.Out.Set(b)
}

// With chunks and frames waiting all the time, the fair policy gives each half of the line, whatever the chunks' size:
// the difference is what may be owed at the end. The line is never idle. MemoryFirst gives frames nothing.
func TestFairGivesFramesHalfTheLine(t *testing.T) {
	const cycles = 20_000
	for _, sharing := range []Sharing{Fair, MemoryFirst} {
		for _, blocks := range []int{1, 2, 3, 10, 34, 60} {
			m := &TxMux{Types: DefaultTypes, Sharing: sharing, Depth: 16, Reserve: 6}
			chunks, frames := &full{blocks: blocks}, &full{blocks: 190}
			idle := 0
			runModules(t, cycles, func(s *rtl.Scope) {
				s.Add("data", chunks)
				s.Add("frames", frames)
				s.Add("mux", m)
				rtl.Tie(pcs.Block{}, &m.Control)
				rtl.Connect(&chunks.Out, &m.Data)
				rtl.Connect(&m.HoldData, &chunks.Hold)
				rtl.Tie(true, &chunks.Enable)
				rtl.Connect(&frames.Out, &m.Frame)
				rtl.Connect(&m.FrameEnable, &frames.Enable)
				rtl.Tie(false, &frames.Hold)
				s.Add("watcher", &watcher{func() {
					if IsIdle(m.Out.Get()) {
						idle++
					}
				}})
			})
			require.Zero(t, m.lost)
			require.Less(t, idle, 5, "the first cycles alone")
			if sharing == MemoryFirst {
				require.Less(t, m.sent.Frame, uint64(5))
				continue
			}
			require.InDelta(t, m.sent.Frame, m.sent.Data, owedMost, "chunks of %d blocks", blocks)
		}
	}
}

// Frames of a real MAC, back to back, get their half too, but for cycles that they do not ask for: their gaps.
func TestFairWithAMAC(t *testing.T) {
	for _, size := range []int{60, 1500} {
		m := &TxMux{Types: DefaultTypes, Depth: 16, Reserve: 6}
		chunks := &full{blocks: 34}
		source, framer, encoder := &pcs.FrameSource{
			Frames: slices.Repeat([][]byte{make([]byte, size)}, 2000),
		}, &pcs.Framer{}, &pcs.Encoder{}
		runModules(t, 10_000, func(s *rtl.Scope) {
			s.Add("data", chunks)
			s.Add("source", source)
			s.Add("framer", framer)
			s.Add("encoder", encoder)
			s.Add("mux", m)
			rtl.Tie(pcs.Block{}, &m.Control)
			rtl.Connect(&chunks.Out, &m.Data)
			rtl.Connect(&m.HoldData, &chunks.Hold)
			rtl.Tie(true, &chunks.Enable)
			rtl.ConnectStream(source.Output(), framer.Input())
			rtl.Connect(&m.FrameEnable, &framer.Enable)
			rtl.Connect(&framer.Out, &encoder.In)
			rtl.Connect(&encoder.Out, &m.Frame)
		})
		require.Zero(t, m.lost)
		share := float64(m.sent.Frame) / float64(m.sent.Frame+m.sent.Data)
		t.Logf("frames of %d bytes: %.3f of the line", size, share)
		require.InDelta(t, 0.5, share, 0.05)
	}
}

// variantCycles is enough for every queue of the variants to be full more than once.
const variantCycles = 8000

// The RTL has the other policies as parameters, and loses what the model loses if a source does not hear Hold.
func TestTxMuxVariantsInLockstep(t *testing.T) {
	if err := cosim.Icarus.Available(); err != nil {
		t.Skipf("the RTL's variants were NOT run: %v", err)
	}
	for _, c := range []struct {
		name       string
		parameters []cosim.Parameter
		build      func(b *vectors.Bench) rtl.Module
	}{
		{
			"host", []cosim.Parameter{{Name: "STRICT", Value: "1"}, {Name: "DATA_FIRST", Value: "1"}},
			func(b *vectors.Bench) rtl.Module {
				return buildMux(b, "", &TxMux{Sharing: MemoryFirst, DataFirst: true, Depth: 16, Reserve: 6})
			},
		},
		{
			"deaf", []cosim.Parameter{{Name: "DATA_FIRST", Value: "1"}, {Name: "DEPTH", Value: "5"},
				{Name: "SLACK", Value: "2"}},
			func(b *vectors.Bench) rtl.Module {
				m := buildMux(b, "", &TxMux{Sharing: Fair, DataFirst: true, Depth: 16, Reserve: 6}) // its sources have more slack
				m.Depth, m.Reserve = 5, 2
				return m
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := vectors.Unit{Name: "edm/tx_mux", Latency: 1, Clock: clock.Block25G, Build: c.build}
			alone, err := u.Simulate(rtl.Config{}, 3)
			require.NoError(t, err)
			require.NoError(t, alone.Clock.Run(5000))
			require.Equal(t, c.name == "deaf", alone.Module.(*TxMux).lost > 0)

			s, err := cosim.Start(t.Context(), cosim.Options{Unit: u, Seed: 3,
				Design: cosim.Design{
					Sources: []string{"verilog/edm_tx_mux.v"}, Top: u.Module(), Parameters: c.parameters,
					Simulator: cosim.Icarus,
				}})
			require.NoError(t, err)
			defer s.Close()
			res, err := s.Run(t.Context(), cosim.Stimulus{Cycles: variantCycles, Seed: 3}, nil)
			require.NoError(t, err)
			if res.Divergence != nil {
				var text strings.Builder
				res.Divergence.Write(&text)
				t.Fatal(text.String())
			}
			require.Equal(t, variantCycles, res.Cycles)
		})
	}
}

func TestMain(m *testing.M) {
	code := m.Run()
	hdl.RemoveRuntime()
	os.Exit(code)
}
