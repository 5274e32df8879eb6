package budgets

import (
	"context"
	_ "embed"
	"fmt"
	"math/big"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/goldwire/goldwire/bench"
	"github.com/goldwire/goldwire/designs/rifl"
	"github.com/goldwire/goldwire/hdl"
)

// riflLinkRTL is the link around the reference RTL.
//
//go:embed verilog/rifl_link.v
var riflLinkRTL string

// riflMainCPP steps the link by frames and times it, the reset and the start aside. Arguments: the frames before the time is taken,
// the frames that are timed, and the distance in frames of the flipped bits among the timed ones (0: none).
const riflMainCPP = `#include "Vrifl_link.h"
#include <ctime>
#include <cstdio>
#include <cstdlib>
static VerilatedContext context;
static Vrifl_link top{&context};
static int phase = 0;
static void cycle() {
    top.clk = 0; top.frame_clk = 0; top.eval();
    top.clk = 1; top.frame_clk = phase == 0; top.eval();
    phase = (phase + 1) & 3;
}
static void frames(long n, long every) {
    for (long i = 1; i <= n; i++) {
        top.flip = every && i % every == 0 ? 1 << 20 : 0;
        cycle();
        top.flip = 0;
        cycle(); cycle(); cycle();
    }
}
int main(int argc, char** argv) {
    top.rst = 1; top.flip = 0;
    for (int i = 0; i < 9; i++) cycle();
    top.rst = 0;
    frames(atol(argv[1]), 0);
    unsigned long long before[2] = {top.delivered_0, top.delivered_1};
    std::clock_t start = std::clock();
    frames(atol(argv[2]), atol(argv[3]));
    double took = double(std::clock() - start) / CLOCKS_PER_SEC;
    printf("%llu %llu %llu %.9f\n", top.delivered_0 - before[0], top.delivered_1 - before[1], (unsigned long long)(top.wrong_0 + top.wrong_1), took);
}
`

const (
	riflWarm   = 5000    // frames until both directions of a link are up and full
	riflFrames = 100_000 // frames of the RTL a round, all lanes together; others are faster and run for longer
	riflEvery  = 2000    // frames from one flipped bit to the next when the recovery is compared
)

// RIFL compares links whose users always have something to send, both ways, with the RTL of the frame path.
var RIFL = bench.Measure{Name: "rifl", Run: riflLinks}

func riflLinks(ctx context.Context) ([]bench.Line, error) {
	const what = "RIFL link, full both ways, against Verilator -O3 on the project's RTL"
	if err := hdl.Verilator.Available(); err != nil {
		return []bench.Line{bench.NotMeasured(what, err)}, nil
	}
	var lines []bench.Line
	for _, lanes := range []int{1, 4} {
		l, err := riflLinkOf(ctx, lanes)
		if err != nil {
			return nil, err
		}
		lines = append(lines, l...)
	}
	return lines, nil
}

func riflLinkOf(ctx context.Context, lanes int) ([]bench.Line, error) {
	cfg := rifl.Default()
	cfg.Lanes = lanes
	v, err := buildRIFL(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer v.remove()
	if err := sameRecovery(ctx, v, cfg); err != nil {
		return nil, err
	}

	stepped, err := loadedFrameLink(cfg, 0, false)
	if err != nil {
		return nil, err
	}
	skipping, err := loadedFrameLink(cfg, 1e-7, true)
	if err != nil {
		return nil, err
	}
	modules, err := loadedLink(cfg)
	if err != nil {
		return nil, err
	}
	cycles := riflFrames / lanes
	var rtl, frames, skipped, words bench.Samples // nanoseconds a frame cycle of all lanes and both ends
	timed := func(cycles uint64, f func(uint64)) float64 {
		w := bench.Start()
		f(cycles)
		_, cpu := w.Seconds()
		return cpu * 1e9 / float64(cycles)
	}
	for range bench.Rounds {
		delivered, seconds, err := runRIFL(ctx, v, cycles, 0)
		if err != nil {
			return nil, err
		}
		if want := uint64(cycles * lanes); delivered != [2]uint64{want, want} {
			return nil, fmt.Errorf("RIFL, %d lanes: the RTL delivers %d frames in %d cycles", lanes, delivered, cycles)
		}
		rtl = append(rtl, seconds*1e9/float64(cycles))
		frames = append(frames, timed(uint64(10*cycles), stepped.Run))
		skipped = append(skipped, timed(uint64(20*cycles), skipping.Run))
		words = append(words, timed(uint64(cycles/5), func(n uint64) { _ = modules.Ends[0].Frame.Run(n) }))
	}
	for e := range 2 {
		for _, l := range []*rifl.FrameLink{stepped, skipping} {
			if r := l.Report(e); !r.Lossless() {
				return nil, fmt.Errorf("RIFL, %d lanes: %d frames wrong, %d lost", lanes, r.Wrong, r.Overflow)
			}
		}
		if err := modules.Ends[e].Validator.Err(); err != nil {
			return nil, fmt.Errorf("RIFL, %d lanes: %w", lanes, err)
		}
	}
	name := fmt.Sprintf("RIFL link of %d lanes, full both ways, ", lanes)
	if lanes == 1 {
		name = "RIFL link of a lane, full both ways, "
	}
	const covers = "RTL: meta codec, transmitter, scrambler, code, aligner, receiver; no clock crossing, framer, bonding or flow-control buffer, so it does less"
	speed := func(ns bench.Samples) string {
		return fmt.Sprintf("%.2f million frame cycles a second against %.2f", 1e3/ns.Median(), 1e3/rtl.Median())
	}
	return []bench.Line{
		bench.AtLeast(name+"frame by frame, against Verilator -O3 on the project's RTL", 20, rtl.Over(frames), "times as fast",
			speed(frames)+"; frames by name, no errors, nothing skipped; "+covers),
		bench.Figure(name+"with errors at 1e-7 and clean stretches skipped, against the same", rtl.Over(skipped), "times as fast",
			speed(skipped)+"; the RTL without errors"),
		bench.AtLeast(name+"every module on its clock, every bit, against the same", 3, rtl.Over(words), "times as fast",
			speed(words)+"; generator, framer, crossing, collector and validator included"),
	}, nil
}

func loadedFrameLink(cfg rifl.Config, ber float64, skip bool) (*rifl.FrameLink, error) {
	l, err := rifl.NewFrameLink(rifl.FrameLinkConfig{Config: cfg, BER: [2]float64{ber, ber}, Seed: 1, Skip: skip})
	if err != nil {
		return nil, err
	}
	l.Run(riflWarm)
	return l, nil
}

// loadedLink returns a link of modules that is up and full.
func loadedLink(cfg rifl.Config) (*rifl.Link, error) {
	c := rifl.LinkConfig{Config: cfg}
	for e := range uint64(2) {
		c.Send[e], c.Expect[1-e] = rifl.Packets(e, 1500, 1500), rifl.Packets(e, 1500, 1500)
	}
	l, err := rifl.NewLink(c)
	if err != nil {
		return nil, err
	}
	return l, l.Ends[0].Frame.Run(riflWarm)
}

func buildRIFL(ctx context.Context, cfg rifl.Config) (*verilated, error) {
	files := map[string]string{"rifl_link.v": riflLinkRTL, "main.cpp": riflMainCPP}
	for _, name := range []string{"meta_encoder", "tx_controller", "scrambler", "code_generator", "aligner", "receiver", "meta_decoder"} {
		files["rifl_"+name+".v"] = rifl.Verilog("rifl_" + name)
	}
	// the line has the model's delay less its own register
	delay := cfg.LineTime().In(cfg.LaneRate.Times(1, 64).Period())
	words := int(new(big.Int).Quo(delay.Num(), delay.Denom()).Int64()) - 1
	return verilate(ctx, "rifl_link", files, fmt.Sprintf("-GLANES=%d", cfg.Lanes), fmt.Sprintf("-GS=%d", cfg.S()), fmt.Sprintf("-GWORDS=%d", words))
}

// runRIFL runs the RTL with a bit flipped in one of every frames on the way to end 1, and returns what the users got.
func runRIFL(ctx context.Context, v *verilated, frames, every int) (delivered [2]uint64, seconds float64, err error) {
	out, err := exec.CommandContext(ctx, filepath.Join(v.dir, "build", "rifl_link"), fmt.Sprint(riflWarm), fmt.Sprint(frames), fmt.Sprint(every)).Output()
	if err != nil {
		return delivered, 0, fmt.Errorf("the verilated RIFL link: %w", err)
	}
	var wrong uint64
	if _, err = fmt.Sscan(strings.TrimSpace(string(out)), &delivered[0], &delivered[1], &wrong, &seconds); err == nil && wrong > 0 {
		err = fmt.Errorf("the verilated RIFL link delivers %d frames wrong or out of order", wrong)
	}
	return delivered, seconds, err
}

// sameRecovery holds the RTL to the model: bits flipped one by one cost both the same frames, within one for each.
func sameRecovery(ctx context.Context, v *verilated, cfg rifl.Config) error {
	const flips = 20
	got, _, err := runRIFL(ctx, v, flips*riflEvery+riflEvery/2, riflEvery)
	if err != nil {
		return err
	}
	l, err := rifl.NewFrameLink(rifl.FrameLinkConfig{Config: cfg})
	if err != nil {
		return err
	}
	var bits []uint64
	for i := range uint64(flips) {
		bits = append(bits, (riflWarm+riflEvery*(i+1))*uint64(cfg.FrameBits)+20)
	}
	if err := l.Flip(1, 0, bits...); err != nil {
		return err
	}
	l.Run(riflWarm)
	before := [2]uint64{l.Report(0).Delivered, l.Report(1).Delivered}
	l.Run(flips*riflEvery + riflEvery/2)
	for e := range 2 {
		want := l.Report(e).Delivered - before[e]
		if off := int64(got[e]) - int64(want); off < -flips*int64(cfg.Lanes) || off > flips*int64(cfg.Lanes) {
			return fmt.Errorf("RIFL, %d lanes: with %d bits flipped the RTL's end %d gets %d frames, the model's %d", cfg.Lanes, flips, e, got[e], want)
		}
	}
	return nil
}
