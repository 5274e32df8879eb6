package study

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/wave"
)

// pcsClaims returns what the paper says of the PCS of 25 Gb/s Ethernet and of the MAC above it, each measured on a
// running loop.
func pcsClaims() []claims.Claim {
	const table1 = "EDM Table 1"
	return []claims.Claim{
		{ID: "edm/table1/pcs/transmit", Source: table1, Printed: "5.12 ns",
			Text:  "A traversal of the transmit PCS (encoder, scrambler) takes 2 cycles of 2.56 ns.",
			Judge: claims.Exactly("5.12", "ns"), Expect: claims.Holds, Measure: traversal(transmitPath)},
		{ID: "edm/table1/pcs/receive", Source: table1, Printed: "5.12 ns",
			Text:  "A traversal of the receive PCS (descrambler, decoder) takes 2 cycles of 2.56 ns.",
			Judge: claims.Exactly("5.12", "ns"), Expect: claims.Holds, Measure: traversal(receivePath)},
		{ID: "edm/table1/raw-ethernet/pcs/transmit", Source: table1, Printed: "7.68 ns",
			Text:  "A traversal of the PCS of the raw Ethernet stack takes 3 cycles of 2.56 ns.",
			Note:  "The paper does not say which stages its 3 cycles are: counted here with the gearbox as the third.",
			Judge: claims.Exactly("7.68", "ns"), Expect: claims.Holds, Measure: traversal(transmitPathWithGearbox)},
		{ID: "edm/table1/raw-ethernet/pcs/receive", Source: table1, Printed: "7.68 ns",
			Text:  "A traversal of the PCS of the raw Ethernet stack takes 3 cycles of 2.56 ns.",
			Note:  "The paper does not say which stages its 3 cycles are: counted here with the gearbox as the third.",
			Judge: claims.Exactly("7.68", "ns"), Expect: claims.Holds, Measure: traversal(receivePathWithGearbox)},
		{ID: "edm/3.2/line-rate", Source: "EDM §3.2", Printed: "66 bits a cycle, 25 GbE",
			Text:  "One 66-bit block a cycle at 390.625 MHz fills a line of 25.78125 Gb/s.",
			Judge: claims.Exactly("25.78125", "Gb/s"), Expect: claims.Holds, Measure: loopLineRate},
		{ID: "edm/2.4/minimum-frame/blocks", Source: "EDM §2.4, §3.2", Printed: "64 B",
			Text:  "A frame of the least length occupies at least 9 blocks, where a memory message of 8 B needs 1 or 2.",
			Note:  "With its preamble it has 72 bytes, exactly 9 blocks of payload; the /T/ needs one more block.",
			Judge: claims.AtLeast("9", "blocks"), Expect: claims.Holds,
			Measure: claims.Of(stream, leastFrames, minimumFrameBlocks)},
		{ID: "edm/2.4/minimum-frame/waste", Source: "EDM §2.4", Printed: "88 %",
			Text:  "A request of 8 B in a frame of the least length wastes 88 % of it.",
			Note:  "Of the 64 bytes from destination address to FCS; preamble and gap would make it 90 %.",
			Judge: claims.Within("88", "0.5", "%"), Expect: claims.Holds,
			Measure: claims.Of(stream, leastFrames, minimumFrameWaste)},
		{ID: "edm/2.4/gap-overhead", Source: "EDM §2.4", Printed: "16 %",
			Text:  "The inter-frame gap costs 16 % at frames of 64 B.",
			Note:  "The gap's share of frame and gap, preamble left out: 12 of 76 bytes.",
			Judge: claims.Within("16", "0.5", "%"), Expect: claims.Holds, Measure: claims.Of(stream, leastFrames, gapOverhead)},
		{ID: "edm/2.4/preemption/mtu", Source: "EDM §2.4", Printed: "120 ns",
			Text:  "A frame of 1500 B holds a link of 100 Gb/s for 120 ns.",
			Note:  "1500 B from destination address to FCS; preamble and gap come on top. One block every 0.64 ns.",
			Judge: claims.Exactly("120", "ns"), Expect: claims.Holds, Measure: frameTime(1500)},
		{ID: "edm/2.4/preemption/jumbo", Source: "EDM §2.4", Printed: "720 ns",
			Text:  "A frame of 9 KB holds a link of 100 Gb/s for 720 ns.",
			Note:  "9000 B from destination address to FCS.",
			Judge: claims.Exactly("720", "ns"), Expect: claims.Holds, Measure: frameTime(9000)},
	}
}

// block100G is the block clock of a 100 Gb/s link taken as one lane: four blocks in the time of one at 25 Gb/s.
var block100G = clock.Block25G.Times(4, 1)

// testFrames makes n frames of size bytes, FCS included.
func testFrames(n, size int) [][]byte {
	frames := make([][]byte, n)
	for i := range frames {
		frames[i] = make([]byte, size-pcs.FCSBytes)
		for j := range frames[i] {
			frames[i][j] = byte(i + j)
		}
	}
	return frames
}

// path is a pair of points in the loop: where a word of a frame's start goes in, and where it comes out.
type path struct {
	name    string
	shows   []string                            // signals of the loop on the way, for a picture
	in, out func(l *pcs.Loop, d *lineTaps) bool // shows a /S/
}

// lineTaps recognises starts of frames where they are scrambled, with a descrambler of its own at each tap.
type lineTaps struct{ scrambler, gearbox, received startTap }

// startTap is a descrambler at a place of the line.
type startTap struct{ state uint64 }

// start descrambles a block and tells whether it has a /S/ in lane 0 or 4.
func (t *startTap) start(b pcs.Block) bool {
	if !b.Valid {
		return false
	}
	b.Payload, t.state = pcs.Descramble(b.Payload, t.state)
	return pcs.Classify(b) == pcs.KindS
}

func lineBlock(w pcs.Line) pcs.Block {
	return pcs.Block{Payload: w.Lo>>2 | uint64(w.Hi)<<62, Header: uint8(w.Lo & 3), Valid: w.Valid}
}

func hasStart(x pcs.XGMII) bool {
	_, k := pcs.Encode(x)
	return x.Valid && k == pcs.KindS
}

var (
	transmitSignals = []string{"tx.framer.out", "tx.encoder.out", "tx.scrambler.out"}
	receiveSignals  = []string{"rx.gearbox.out", "rx.descrambler.out", "rx.decoder.out"}

	transmitPath = path{"encoder in to scrambler out", transmitSignals,
		func(l *pcs.Loop, _ *lineTaps) bool { return hasStart(l.Framer.Out.Get()) },
		func(l *pcs.Loop, d *lineTaps) bool { return d.scrambler.start(l.Tx.Scrambler.Out.Get()) }}
	transmitPathWithGearbox = path{"encoder in to gearbox out", append(slices.Clone(transmitSignals), "tx.gearbox.out"),
		transmitPath.in,
		func(l *pcs.Loop, d *lineTaps) bool { return d.gearbox.start(lineBlock(l.Tx.Gearbox.Out.Get())) }}
	receivePath = path{"descrambler in to decoder out", receiveSignals,
		func(l *pcs.Loop, d *lineTaps) bool { return d.received.start(l.Rx.Gearbox.Out.Get()) },
		func(l *pcs.Loop, _ *lineTaps) bool { return hasStart(l.Rx.Decoder.Out.Get()) }}
	receivePathWithGearbox = path{"gearbox in to decoder out", append([]string{"line.channel.out"}, receiveSignals...),
		func(l *pcs.Loop, d *lineTaps) bool { return d.gearbox.start(lineBlock(l.Channel.Out.Get())) },
		receivePath.out}
)

// traversal counts edges from each /S/ at the start of the path to the same at its end.
func traversal(p path) claims.Measure {
	return func(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
		l, err := pcs.NewLoop(pcs.LoopConfig{Seed: run.Seed})
		if err != nil {
			return m, err
		}
		if err := l.WaitForLock(); err != nil {
			return m, err
		}
		const shown = 6 // cycles: the way's blocks, and some before
		recorder, err := wave.NewRecorder(l.Sim, l.Clock, shown, p.shows...)
		if err != nil {
			return m, err
		}
		var picture *wave.Recording
		var taps lineTaps
		var entered, took []uint64
		l.Sim.Observe(onInstant(func() {
			now := l.Clock.Cycle()
			if p.in(l, &taps) {
				entered = append(entered, now)
			}
			if p.out(l, &taps) && len(took) < len(entered) {
				took = append(took, now-entered[len(took)])
				if picture == nil && err == nil {
					picture, err = recorder.Recording()
				}
			}
		}))
		const frames = 200
		if err := l.SendAll(ctx, testFrames(frames, 64)); err != nil {
			return m, err
		}
		if err != nil {
			return m, err
		}
		if len(took) != frames {
			return m, fmt.Errorf("%d of %d frame starts passed", len(took), frames)
		}
		for _, n := range took {
			if n != took[0] {
				return m, fmt.Errorf("frame starts took %d and %d cycles", took[0], n)
			}
		}
		elapsed := l.Sim.Schedule().Time(0, entered[0]+took[0]).Sub(l.Sim.Schedule().Time(0, entered[0]))
		picture.Title = fmt.Sprintf(
			"edges %d to %d: a frame's start goes in after edge %d and is out after edge %d", picture.First,
			entered[0]+took[0], entered[0], entered[0]+took[0],
		)
		picture.Stretch = 3 // room for 16 digits
		var drawn bytes.Buffer
		if err := picture.WriteJSON(&drawn); err != nil {
			return m, err
		}
		return claims.Measurement{
			Exact: elapsed.In(clock.Nanosecond), Unit: "ns", Wave: drawn.Bytes(),
			Detail: fmt.Sprintf("%s: %d edges for each of %d frame starts, the first from edge %d to %d",
				p.name, took[0], frames, entered[0], entered[0]+took[0]),
		}, nil
	}
}

type onInstant func()

func (o onInstant) Observe(rtl.Edges) { o() }

// loopLineRate counts the bits on the line between two edges.
func loopLineRate(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
	l, err := pcs.NewLoop(pcs.LoopConfig{Seed: run.Seed})
	if err != nil {
		return m, err
	}
	if err := l.WaitForLock(); err != nil {
		return m, err
	}
	bits := int64(0)
	from, start := l.Clock.Time(), l.Clock.Cycle()
	l.Sim.Observe(onInstant(func() {
		if l.Tx.Gearbox.Out.Get().Valid {
			bits += pcs.BlockBits
		}
	}))
	if err := l.SendAll(ctx, testFrames(1000, 64)); err != nil {
		return m, err
	}
	seconds := l.Clock.Time().Sub(from).Seconds()
	rate := new(big.Rat).Quo(new(big.Rat).SetInt64(bits), seconds)
	return claims.Measurement{
		Exact: rate.Quo(rate, big.NewRat(1e9, 1)), Unit: "Gb/s",
		Detail: fmt.Sprintf("%d bits on the line from edge %d to %d", bits, start, l.Clock.Cycle()),
	}, nil
}

// frameStream is a steady stream of equal frames back to back.
type frameStream struct {
	Rate  clock.Freq // of blocks
	Bytes int        // of a frame, FCS included
}

// charCount counts the characters of a stream, from the first /S/ to the last.
type charCount struct {
	frames                  int
	preamble, data, gap     int        // bytes; the /T/ is part of the gap
	blocksLeast, blocksMost int        // of a frame, from the one with its /S/ to the one with its /T/
	dataTime                clock.Time // of the latest frame: from its first byte after the preamble to its /T/
}

var stream = experiment.Inner("stream", "Characters of a stream of frames on an XGMII", countChars)

func countChars(ctx context.Context, run *experiment.Run, q frameStream) (charCount, error) {
	l, err := pcs.NewLoop(pcs.LoopConfig{Clock: q.Rate, Seed: run.Seed})
	if err != nil {
		return charCount{}, err
	}
	var c, whole charCount
	inFrame, lane, word, startWord := false, 0, 0, 0
	var firstByte clock.Time
	// a lane is an eighth of the cycle that its word stands on the XGMII
	now := func(lane int) clock.Time {
		period := l.Clock.Freq().Period().Seconds()
		return l.Clock.Time().Add(clock.Seconds(period.Mul(period, big.NewRat(int64(lane), 8))))
	}
	blocks := 0
	l.Sim.Observe(onInstant(func() {
		x := l.Framer.Out.Get()
		if !x.Valid {
			return
		}
		for i := range 8 {
			char, ctrl := x.Lane(i)
			switch {
			case ctrl && char == pcs.CharStart:
				if c.frames > 0 { // up to here frames and gaps are whole
					c.blocksLeast, c.blocksMost = whole.blocksLeast, whole.blocksMost
					whole = c
				}
				c.frames++
				inFrame, lane, startWord = true, 0, word
			case ctrl && char == pcs.CharTerm:
				c.dataTime = now(i).Sub(firstByte)
				inFrame = false
				blocks = word - startWord + 1
				if c.frames == 1 {
					whole.blocksLeast = blocks
				}
				whole.blocksLeast, whole.blocksMost = min(whole.blocksLeast, blocks), max(whole.blocksMost, blocks)
			}
			switch {
			case c.frames == 0:
			case !inFrame:
				c.gap++
			case lane < pcs.PreambleBytes:
				c.preamble++
			default:
				if lane == pcs.PreambleBytes {
					firstByte = now(i)
				}
				c.data++
			}
			lane++
		}
		word++
	}))
	if err := l.SendAll(ctx, testFrames(401, q.Bytes)); err != nil {
		return charCount{}, err
	}
	whole.dataTime = c.dataTime
	if whole.frames != 400 {
		return charCount{}, fmt.Errorf("%d whole frames on the XGMII, want 400", whole.frames)
	}
	return whole, nil
}

func percent(num, den int) *big.Rat { return big.NewRat(100*int64(num), int64(den)) }

// leastFrames is a stream of frames of the least length.
var leastFrames = frameStream{clock.Block25G, 64}

func minimumFrameBlocks(c charCount) claims.Measurement {
	return claims.Count(
		c.blocksLeast, "blocks", "from the block with the /S/ to that with the /T/, %d frames of 64 B: %d to %d blocks",
		c.frames, c.blocksLeast, c.blocksMost,
	)
}

func minimumFrameWaste(c charCount) claims.Measurement {
	const request = 8 // bytes: an RREQ's address (EDM §2.4)
	return claims.Exact(
		percent(c.data-request*c.frames, c.data), "%", "%d frames carry %d bytes on the XGMII, %d of them requests",
		c.frames, c.data, request*c.frames,
	)
}

func gapOverhead(c charCount) claims.Measurement {
	return claims.Exact(percent(c.gap, c.gap+c.data), "%", "%d bytes of gap and %d of frames, back to back on the XGMII",
		c.gap, c.data).
		With(claims.Row{Label: "with the preamble counted", Exact: percent(c.gap, c.gap+c.data+c.preamble)})
}

// frameTime measures how long the bytes of a frame take at 100 Gb/s.
func frameTime(size int) claims.Measure {
	return claims.Of(stream, frameStream{block100G, size}, func(c charCount) claims.Measurement {
		return claims.Nanoseconds(
			c.dataTime, "from the lane of the first byte to that of the /T/ on the XGMII, blocks at %v", block100G,
		)
	})
}
