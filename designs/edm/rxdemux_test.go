package edm

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// sorted is what a demultiplexer made of a line, cycle by cycle.
type sorted struct {
	control, data, frame, next []pcs.Block
	corrupt                    []bool
}

// demux puts blocks into a demultiplexer. Row k has the outputs after k edges, while block k stands at the input.
func demux(t require.TestingT, maxFrame, cycles int, line []pcs.Block) *sorted {
	r := &sorted{}
	d, p := &RxDemux{Types: DefaultTypes, MaxFrame: maxFrame}, &player{blocks: line}
	runModules(t, cycles, func(s *rtl.Scope) {
		s.Add("line", p)
		s.Add("demux", d)
		rtl.Connect(&p.Out, &d.In)
		s.Add("watcher", &watcher{func() {
			r.control = append(r.control, d.Control.Get())
			r.data = append(r.data, d.Data.Get())
			r.frame = append(r.frame, d.Frame.Get())
			r.next = append(r.next, d.Next.Get())
			r.corrupt = append(r.corrupt, d.Corrupt.Get())
			require.Equal(t, d.Data.Get().Valid, d.Push.Get())
		}})
	})
	return r
}

// Each column is a cycle. Memory blocks come out a cycle later, a frame two cycles after its end; ! is Corrupt.
func TestRxDemuxCycleTables(t *testing.T) {
	for _, c := range []struct{ name, line, control, data, frame, corrupt string }{
		{
			name:    "control and data, sorted",
			line:    "n0 r0 e0 w0 m0 e1 v0 g0",
			control: "-  n0 r0 e0 -  -  -  -  g0",
			data:    "-  -  -  -  w0 m0 e1 v0 -",
		}, {
			name:    "a request inside a chunk",
			line:    "w0 m0 a0 m1 m2 m3 e0 m4 e1",
			control: "-  -  -  a0 m1 m2 m3 e0 -  -",
			data:    "-  w0 m0 -  -  -  -  -  m4 e1",
		}, {
			name:  "a frame is kept until its end",
			line:  "s0 d0 d1 t0 .  .  .  .  .",
			frame: ".  .  .  .  .  s0 d0 d1 t0 .",
		}, {
			name:    "its gaps close: other blocks, idle, an ordered set, no block at all",
			line:    "s0 n0 d0 w0 m0 e0 .  d1 f0 -  t0 .  .  .  .  .",
			control: "-  -  n0 -  -  -  -  -  -  -  -  -  -  -  -  -",
			data:    "-  -  -  -  w0 m0 e0 -  -  -  -  -  -  -  -  -",
			frame:   ".  .  .  .  .  .  .  .  .  .  .  .  s0 d0 d1 t0 .",
		}, {
			name:  "frames in a row",
			line:  "s0 d0 t0 s1 t1 s2 d2 d3 t2 .  .  .  .  .",
			frame: ".  .  .  .  s0 d0 t0 s1 t1 .  s2 d2 d3 t2 .",
		}, {
			name:  "a frame of the greatest length, and one that is longer: an error block stands for its rest",
			line:  "s0 d0 d1 d2 d3 t0 s1 d4 d5 d6 d7 d8 t1 s2 t2 .  .  .  .  .",
			frame: ".  .  .  .  .  .  .  s0 d0 d1 d2 d3 t0 .  s1 d4 d5 d6 d7 E  t1 s2 t2 .",
		}, {
			name:    "data outside of all: corrupt for a cycle",
			line:    "d0 d1 .  n0",
			control: "-  -  -  -  n0",
			corrupt: "-  !  !  -  -",
		}, {
			name:    "bad headers and an unknown type, outside a frame and in one",
			line:    "b0 b1 u0 s0 d0 b0 d1 t0 .  .  .  .  .",
			frame:   ".  .  .  .  .  .  .  .  .  s0 d0 E  t0 .",
			corrupt: "-  !  !  !  -  -  !  -  -  -  -  -  -",
		}, {
			name:    "ends without a start",
			line:    "e0 t0 s0 d0 e1 t1 .  .  .",
			frame:   ".  .  .  .  .  .  .  s0 d0 E  t1",
			corrupt: "-  !  !  -  -  !  -  -  -  -",
		}, {
			name:    "two starts: the frames run into one",
			line:    "s0 d0 s1 d1 t1 .  .  .",
			frame:   ".  .  .  .  .  .  s0 d0 E  t1",
			corrupt: "-  -  -  !  -  -  -  -  -",
		}, {
			name:    "a grant in a request: which had no end",
			line:    "r0 g0 d0",
			control: "-  r0 g0 -",
			corrupt: "-  -  !  !",
		}, {
			name:    "a chunk in a request",
			line:    "r0 w0 m0 e0 e1",
			control: "-  r0 -  -  -  -",
			data:    "-  -  w0 m0 e0 -",
			corrupt: "-  -  !  -  -  !",
		}, {
			name:    "a chunk in a chunk, a single block in one",
			line:    "w0 w1 m0 v0 e0",
			data:    "-  w0 w1 m0 v0 -",
			corrupt: "-  -  -  -  -  !", // the first chunk is broken off
		}, {
			name:    "a frame starts in a chunk: its data is its own",
			line:    "w0 s0 d0 t0 .  .  .  .",
			data:    "-  w0 -  -  -  -  -  -",
			frame:   ".  .  .  .  .  s0 d0 t0 .",
			corrupt: "-  -  -  -  -  -  -  -  -",
		}, {
			name:    "a frame ends in a request, which had no end",
			line:    "s0 r0 t0 m0 .  .  .",
			control: "-  -  r0 -  -  -  -",
			frame:   ".  .  .  .  s0 t0 .",
			corrupt: "-  -  -  !  !  -  -",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			columns := 0
			for _, line := range []string{c.control, c.data, c.frame, c.corrupt} {
				columns = max(columns, len(strings.Fields(line)))
			}
			r := demux(t, 6, columns, blocksOf(t, c.line))
			check := func(what, want, rest string, name func(k int) string) {
				w := strings.Fields(want)
				for k := range columns {
					if k >= len(w) {
						w = append(w, rest)
					}
				}
				var got []string
				for k := range columns {
					got = append(got, name(k))
				}
				require.Equal(t, strings.Join(w, " "), strings.Join(got, " "), what)
			}
			check("control", c.control, "-", func(k int) string { return nameOf[r.control[k]] })
			check("data", c.data, "-", func(k int) string { return nameOf[r.data[k]] })
			check("frame", c.frame, ".", func(k int) string { return nameOf[r.frame[k]] })
			check("corrupt", c.corrupt, "-", func(k int) string {
				if r.corrupt[k] {
					return "!"
				}
				return "-"
			})
			for k := 1; k < columns; k++ {
				require.Equal(t, r.next[k-1], r.frame[k], "Next is what Frame becomes")
			}
		})
	}
}

// legalLine is a line as a multiplexer may send it, with the streams that are in it. Frames have at most a given number
// of blocks.
func legalLine(rng *rand.Rand, cycles, most int) (line, control, chunks []pcs.Block, frames [][]pcs.Block) {
	requests, data := &messages{rng: rng}, &messages{rng: rng, chunks: true}
	var frame []pcs.Block // of the open one, the sent blocks
	left := 0
	for range cycles {
		switch k := rng.IntN(8); {
		case k == 0:
			line = append(line, pcs.IdleBlock())
		case k == 1:
			line = append(line, pcs.Block{Payload: rng.Uint64(), Header: uint8(rng.IntN(4))})
		case requests.left > 0 || k == 2:
			b := requests.next()
			line, control = append(line, b), append(control, b)
		case data.left > 0 || k == 3:
			b := data.next()
			line, chunks = append(line, b), append(chunks, b)
		case len(frame) == 0:
			left = rng.IntN(most - 1)
			frame = append(frame, unitBlock(unitStarts[rng.IntN(len(unitStarts))], rng.Uint64()))
			line = append(line, frame[0])
		default:
			b := unitBlock(unitEnds[rng.IntN(len(unitEnds))], rng.Uint64())
			if left > 0 {
				b = pcs.Block{Payload: rng.Uint64(), Header: pcs.HeaderData, Valid: true}
			}
			line, frame = append(line, b), append(frame, b)
			if left--; left < 0 {
				frames, frame = append(frames, frame), nil
			}
		}
	}
	return line, control, chunks, frames
}

// Of a legal line each stream comes out as it went in, memory blocks a cycle later, frames whole and without a gap, and
// nothing is corrupt, whatever the frames' lengths up to the greatest.
func TestRxDemuxOfALegalLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(2, 40).Draw(t, "most")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		line, control, chunks, frames := legalLine(rng, 1500, most)
		r := demux(t, most, len(line)+3*most, line)
		valid := func(bs []pcs.Block) []pcs.Block {
			return slices.DeleteFunc(slices.Clone(bs), func(b pcs.Block) bool { return !b.Valid })
		}
		require.True(t, slices.Equal(control, valid(r.control)))
		require.True(t, slices.Equal(chunks, valid(r.data)))
		require.NotContains(t, r.corrupt, true)
		require.Equal(t, frames, framesOf(t, r.frame))
		for k, b := range line {
			require.True(t, !r.control[k+1].Valid || r.control[k+1] == b)
			require.True(t, !r.data[k+1].Valid || r.data[k+1] == b)
		}
	})
}

// framesOf cuts the decoder's blocks into frames, each in consecutive cycles: /S/, data, /T/, at most one error block
// before it.
func framesOf(t require.TestingT, blocks []pcs.Block) [][]pcs.Block {
	var frames [][]pcs.Block
	start := -1
	for k, b := range blocks {
		kind := pcs.Classify(b)
		switch {
		case start < 0 && IsIdle(b):
		case start < 0:
			require.Equal(t, pcs.KindS, kind, "cycle %d", k)
			start = k
		case kind == pcs.KindT:
			frames = append(frames, blocks[start:k+1])
			start = -1
		default:
			require.True(
				t, kind == pcs.KindD || b == pcs.ErrorBlock() && pcs.Classify(blocks[k+1]) == pcs.KindT,
				"cycle %d: inside a frame", k,
			)
		}
	}
	require.Negative(t, start, "a frame without an end")
	return frames
}

// Whatever comes over the line, the decoder gets frames in one piece, of MaxFrame blocks at most if they are whole, and
// a whole frame stood in the line just so, but for the blocks between its own, of which none was wrong.
func TestRxDemuxOfADamagedLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(2, 20).Draw(t, "most")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		line, _, _, _ := legalLine(rng, 1000, 25)
		for k := range line {
			switch rng.IntN(100) {
			case 0:
				line[k].Header = uint8(rng.IntN(4))
			case 1:
				line[k].Payload ^= 1 << rng.IntN(64)
			case 2: // a block of another kind, its bits its own
				line[k] = unitBlock(slices.Concat(unitStarts, unitEnds)[rng.IntN(len(unitStarts)+len(unitEnds))], rng.Uint64())
			}
		}
		r := demux(t, most, len(line)+3*most, line)
		at := 0
		for _, f := range framesOf(t, r.frame) {
			if f[len(f)-2] == pcs.ErrorBlock() {
				require.LessOrEqual(t, len(f), most+1)
				continue
			}
			require.LessOrEqual(t, len(f), most)
			k := slices.Index(line[at:], f[0])
			require.GreaterOrEqual(t, k, 0, "the start is in the line, after that of the frame before")
			at += k
			for k, found := at, 0; found < len(f); k++ {
				require.Less(t, k, len(line), "a block that was not in the line")
				if line[k] == f[found] {
					found++
				}
				inside := found > 0 && found < len(f) && k > at
				require.False(t, inside && r.corrupt[k+1], "cycle %d: a wrong block in a frame that is passed on as whole", k)
			}
			at++
		}
	})
}

// A MAC after the decoder takes every frame that fits, and sees a fault in every one that does not.
func TestFramesThatAreTooLongHaveAFault(t *testing.T) {
	const most = 24
	rng := rand.New(rand.NewPCG(4, 4))
	var sent [][]byte
	for range 200 {
		f := make([]byte, 60+rng.IntN(200))
		for i := range f {
			f[i] = byte(rng.Uint32())
		}
		sent = append(sent, f)
	}
	source, framer, encoder := &pcs.FrameSource{Frames: sent}, &pcs.Framer{}, &pcs.Encoder{}
	d := &RxDemux{Types: DefaultTypes, MaxFrame: most}
	decoder, deframer, sink := &pcs.Decoder{}, &pcs.Deframer{}, &pcs.FrameSink{}
	var tooLong []bool // frames as they pass by on the line
	length := 0
	runModules(t, 10_000, func(s *rtl.Scope) {
		for name, m := range map[string]rtl.Module{"source": source, "framer": framer, "encoder": encoder, "demux": d,
			"decoder": decoder, "deframer": deframer, "sink": sink} {
			s.Add(name, m)
		}
		rtl.ConnectStream(source.Output(), framer.Input())
		rtl.Tie(true, &framer.Enable)
		rtl.Connect(&framer.Out, &encoder.In)
		rtl.Connect(&encoder.Out, &d.In)
		rtl.Connect(&d.Frame, &decoder.In)
		rtl.Connect(&d.Next, &decoder.Next)
		rtl.Tie(true, &decoder.Lock)
		rtl.Tie(false, &decoder.HiBER)
		rtl.Connect(&decoder.Out, &deframer.In)
		rtl.Connect(&deframer.Out, &sink.In)
		s.Add("watcher", &watcher{func() {
			switch pcs.Classify(encoder.Out.Get()) {
			case pcs.KindS:
				length = 1
			case pcs.KindD:
				length++
			case pcs.KindT:
				tooLong = append(tooLong, length+1 > most)
			}
		}})
	})
	got := sink.Frames()
	require.Equal(t, len(sent), len(tooLong))
	require.Contains(t, tooLong, true)
	require.Contains(t, tooLong, false)
	require.Equal(t, len(sent), len(got))
	for i, f := range got {
		if tooLong[i] {
			require.NotZero(t, f.Fault, "frame %d", i)
			continue
		}
		require.Zero(t, f.Fault, "frame %d", i)
		require.Equal(t, sent[i], f.Bytes)
	}
}

// A link without frames passes none on.
func TestRxDemuxWithoutFrames(t *testing.T) {
	r := demux(t, 0, 8, blocksOf(t, "s0 n0 d0 t0 s1 t1"))
	require.Equal(t, slices.Repeat([]pcs.Block{pcs.IdleBlock()}, 8), r.frame)
	require.Equal(t, named["n0"], r.control[2])
	require.NotContains(t, r.corrupt, true)
}
