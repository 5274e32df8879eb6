package rack

import (
	"context"
	"fmt"
	"math/big"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/pcs"

	"github.com/goldwire/goldwire/designs/edm"
	"github.com/goldwire/goldwire/designs/rifl"
)

// EDM over RIFL. EDM's grants assume that a block takes the same time on a link whenever it is sent, and RIFL's does
// not: a pass of retransmissions keeps blocks back. A play-out buffer behind each RIFL receiver hands every block on a
// fixed time after it was sent, a little more than a clean link's latency and a pass, so that EDM sees a longer cable
// without errors:
//
//	66-bit block            beats of 32 bytes                             66-bit block
//	EDM ──▶ bits in order ──▶ RIFL, 28 Gb/s ═══ errors ═══ RIFL ──▶ play-out ──▶ EDM
//	25.78 Gb/s                frames of 30 bytes                     fixed delay
//
// A lane of 28 Gb/s carries 26.25 Gb/s of payload, and so catches up with a pass by 1.8 %.

// lanesParams are what the flags of the experiment lanes set.
type lanesParams struct {
	lanesPoint
	BERs []float64 `flag:"ber" each:"BER" min:"0" max:"1e-6" help:"bit errors of the lines, a bit"`
}

// lanesPoint is EDM over RIFL lanes at a bit error rate.
type lanesPoint struct {
	BER      float64 `flag:"-" json:"ber"`
	Nodes    int     `flag:"nodes" min:"3" max:"64" help:"nodes around one switch" json:"nodes"`
	Metres   float64 `flag:"metres" min:"0" max:"100" unit:"m" help:"cable of each link" json:"metres"`
	Passes   int     `flag:"passes" min:"1" max:"8" help:"passes of retransmissions that play-out hides" json:"passes"`
	Load     float64 `flag:"load" min:"0.01" max:"0.9" help:"payload as a share of the busiest link's rate" json:"load"`
	Messages int     `flag:"messages" min:"100" max:"20000" help:"reads and writes of 1,024 bytes" json:"messages"`
}

// lanesResult is what the two made of each other.
type lanesResult struct {
	Clean    float64 `json:"clean_ns"`   // of a block on a link without errors
	Pass     float64 `json:"pass_ns"`    // that a bit error adds at most, with the passes that it costs
	Playout  float64 `json:"playout_ns"` // the fixed time of a block
	Blocks   uint64  `json:"blocks"`     // that crossed the lines, equal and in order
	Flips    uint64  `json:"flips"`      // bit errors on the lines
	Worst    float64 `json:"worst_ns"`   // that a block took
	Late     uint64  `json:"late"`       // blocks that took longer than the play-out's time
	Messages int     `json:"messages"`
	Finished int     `json:"finished"`
	Mean     float64 `json:"mean_ns"`       // of messages, over RIFL
	Plain    float64 `json:"mean_plain_ns"` // of the same messages over the cable alone
}

var lanes = experiment.Define(experiment.Spec[lanesParams, lanesPoint, *lanesResult]{
	Name: "lanes", Short: "EDM's 66-bit blocks over RIFL lanes, bit by bit",
	Long: `Run an EDM network whose links are RIFL lanes. Every register of both is simulated: EDM's hosts and switch
block by block, RIFL's endpoints and lines bit by bit, with bit errors on the lines. A play-out buffer behind each
receiver hands every block on a fixed time after it was sent, so that EDM's grants hold while RIFL retransmits. The
command compares each block that arrives with the block sent, and its time with the play-out's. A late block, or a
message that does not finish, makes the exit code 1; a violated invariant of EDM ends the run.`,
	Examples: []string{"lanes", "lanes --ber 1e-7 --passes 2", "lanes --nodes 4 --metres 30 --ber 0"},
	Defaults: lanesParams{
		lanesPoint: lanesPoint{Nodes: 16, Metres: edm.TableMetres, Passes: 1, Load: 0.4, Messages: 2000},
		BERs:       []float64{0, 1e-8},
	},
	Run: runLanes,
	Report: func(p *lanesParams, done []experiment.Result[lanesPoint, *lanesResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		r.Linef("EDM at 25 Gb/s among %d nodes, %g m, over RIFL lanes of 28 Gb/s. %d messages, load %g.\n",
			p.Nodes, p.Metres, p.Messages, p.Load)
		t := &experiment.Table{Name: "lanes", Columns: experiment.Columns(
			"Bit errors", "%g", "Flips", "", "Blocks", "", "Worst ns", "%.1f", "Play-out ns", "%.1f", "Late", "",
			"Mean ns", "%.0f", "Cable's", "%.0f",
		)}
		for _, d := range done {
			v := d.Value
			t.Row(d.Point.BER, v.Flips, v.Blocks, v.Worst, v.Playout, v.Late, v.Mean, v.Plain)
			if v.Late > 0 {
				r.Failf("bit errors %g: %d blocks came after their play-out; --passes %d hides more",
					d.Point.BER, v.Late, d.Point.Passes+1)
			}
			if v.Finished < v.Messages {
				n := v.Messages - v.Finished
				r.Failf("bit errors %g: %d of %d messages did not finish", d.Point.BER, n, v.Messages)
			}
		}
		r.Table(t)
		v := done[0].Value
		r.Linef("\nA block takes %.1f ns over a clean lane; a bit error adds up to %.1f. Mean: of\n"+
			"the messages' times; Cable's: of the same messages over the cable alone.", v.Clean, v.Pass)
		return r, nil
	},
})

func runLanes(ctx context.Context, run *experiment.Run, q lanesPoint) (*lanesResult, error) {
	links := Links{Nodes: q.Nodes, Gbps: laneGbps, Metres: q.Metres}
	w := Workload{Sizes: "fixed:1024", Reads: 0.5, Messages: q.Messages}
	messages, err := w.list(links, q.Load, run.Seed)
	if err != nil {
		return nil, err
	}
	lane := links.lanes()
	lane.LaneRate = rifl.Default().LaneRate
	r := &lanesResult{Messages: q.Messages}
	if err := r.plan(ctx, lane, q.Passes); err != nil {
		return nil, err
	}

	var network *edm.Network
	mean := func(wire clock.Time, record bool) (float64, error) {
		c := links.config(run.Seed)
		for i := range q.Nodes {
			c.Up[i], c.Down[i] = wire, wire
		}
		c.Record = record
		x, err := edm.Run(ctx, c, messages, edm.Options{Limit: ranOut, Prepare: func(n *edm.Network) { network = n }})
		if err != nil {
			return 0, err
		}
		if x.Monitor.Count > 0 {
			return 0, fmt.Errorf("edm: %d violations, the first: %s", x.Monitor.Count, x.Monitor.Violations[0])
		}
		sum := 0.0
		r.Finished = 0
		for _, m := range x.Messages {
			if m.Finished {
				r.Finished++
				sum += float64(m.Latency()) / 1000
			}
		}
		return sum / float64(max(r.Finished, 1)), nil
	}
	if r.Plain, err = mean(edm.CableDelay(q.Metres), false); err != nil {
		return nil, err
	}
	if r.Mean, err = mean(clock.Picosecond.Times(int64(r.Playout*1000)), true); err != nil {
		return nil, err
	}
	for i := range q.Nodes {
		up, down := network.Recorded(i)
		cfg := rifl.LinkConfig{Config: lane, BER: [2]float64{q.BER, q.BER}, Seed: run.Seed<<16 + uint64(i)}
		x, err := carryBlocks(ctx, cfg, up, down)
		if err != nil {
			return nil, fmt.Errorf("node %d: %w", i, err)
		}
		run.Progress(uint64(i+1), uint64(q.Nodes))
		r.Blocks += uint64(len(up) + len(down))
		r.Flips += x.flips
		for _, ns := range x.late {
			r.Worst = max(r.Worst, ns)
			if ns > r.Playout {
				r.Late++
			}
		}
	}
	return r, nil
}

// plan measures what a block takes over a clean lane, and what a pass adds, and chooses the play-out's time.
func (r *lanesResult) plan(ctx context.Context, lane rifl.Config, passes int) error {
	idle := make([]pcs.Block, 4000)
	worst := func(flips ...uint64) (ns float64, err error) {
		x, err := carryBlocks(ctx, rifl.LinkConfig{Config: lane}, idle, idle, flips...)
		if err != nil {
			return 0, err
		}
		for _, l := range x.late {
			ns = max(ns, l)
		}
		return ns, nil
	}
	var err error
	if r.Clean, err = worst(); err != nil {
		return err
	}
	frame := uint64(lane.FrameBits)
	// a flip of the sync header, of the payload, of a bit that the scrambler carries into the next frame
	for place := range uint64(8) {
		hit, err := worst((lane.Settle()+300+5*place)*frame + place*frame/8)
		if err != nil {
			return err
		}
		r.Pass = max(r.Pass, hit-r.Clean)
	}
	const margin = 8 // frames: a pass may begin at another phase
	r.Playout = r.Clean + float64(passes)*(r.Pass+margin*lane.FrameNs())
	return nil
}

// lanesCrossing is what happened to the blocks of a link's two directions.
type lanesCrossing struct {
	late  []float64 // ns that each block took, from its edge at the sender
	flips uint64
}

// carryBlocks sends blocks over a lane in both directions, one a cycle of 25G Ethernet's block clock, from the moment
// on in which both ends are up. Each beat that arrives is compared with the one sent.
func carryBlocks(
	ctx context.Context, cfg rifl.LinkConfig, up, down []pcs.Block, flips ...uint64,
) (*lanesCrossing, error) {
	start := cfg.Settle()
	ratio := new(big.Rat).Quo(clock.Block25G.Period().Seconds(), cfg.WordTime().Times(int64(cfg.Words())).Seconds())
	stream := func(b []pcs.Block) rifl.Stream {
		return &blockStream{blocks: b, start: start, num: ratio.Num().Uint64(), den: ratio.Denom().Uint64()}
	}
	cfg.Send = [2]rifl.Stream{stream(up), stream(down)}
	cfg.Expect = [2]rifl.Stream{stream(down), stream(up)}
	l, err := rifl.NewLink(cfg)
	if err != nil {
		return nil, err
	}
	if err := l.Ends[1].Lanes[0].Line.Flip(flips...); err != nil {
		return nil, err
	}
	beats := func(blocks []pcs.Block) int { return (pcs.BlockBits*len(blocks) + beatBits - 1) / beatBits }
	limit := 2*start + uint64(2*len(up)+2*len(down))
	for cycle := uint64(0); ; cycle += 1024 {
		if err := l.Ends[0].Frame.Run(1024); err != nil {
			return nil, err
		}
		if err := l.Err(); err != nil {
			return nil, err
		}
		if l.Ends[1].Validator.Beats() == beats(up) && l.Ends[0].Validator.Beats() == beats(down) {
			break
		}
		if cycle > limit {
			n := l.Ends[1].Validator.Beats()
			return nil, fmt.Errorf("%d of %d beats arrived in %d frame cycles", n, beats(up), cycle)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	x := &lanesCrossing{}
	block, frame := nanoseconds(clock.Block25G.Period()), cfg.FrameNs()
	for end, blocks := range [2][]pcs.Block{down, up} {
		arrived := l.Ends[end].Validator.Arrived()
		for j := range blocks {
			at := arrived[(pcs.BlockBits*(j+1)-1)/beatBits] // of its last bit
			x.late = append(x.late, float64(at-start)*frame-float64(j)*block)
		}
		x.flips += l.Ends[end].Lanes[0].Line.Flips()
	}
	return x, nil
}

// beatBits is a beat of RIFL's user.
const beatBits = 256

// blockStream is blocks as one string of bits, sync header first, in beats of 32 bytes. Block j is there num/den of a
// frame cycle after the one before.
type blockStream struct {
	blocks   []pcs.Block
	start    uint64
	num, den uint64
	at       int // beats so far
}

// Next implements [rifl.Stream].
func (s *blockStream) Next(data []uint64, width int) (rifl.BeatControl, uint64) {
	first, end := s.at*beatBits, len(s.blocks)*pcs.BlockBits
	if first >= end {
		return rifl.BeatControl{}, 0
	}
	s.at++
	n := min(beatBits, end-first)
	clear(data)
	for bit := first; bit < first+n; {
		block, within := bit/pcs.BlockBits, bit%pcs.BlockBits
		b := &s.blocks[block]
		v, left := uint64(b.Header)&3>>within, 2-within
		if within >= 2 {
			v, left = b.Payload>>(within-2), pcs.BlockBits-within
		}
		to := bit - first
		left = min(left, 64-to%64, first+n-bit)
		data[to/64] |= v & (1<<left - 1) << (to % 64)
		bit += left
	}
	last := uint64(first+n-1) / pcs.BlockBits // the block that fills the beat
	ready := s.start + ((last+1)*s.num+s.den-1)/s.den
	return rifl.BeatControl{Bytes: uint16((n + 7) / 8), Last: first+n == end, Valid: true}, ready
}
