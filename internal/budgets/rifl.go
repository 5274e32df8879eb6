package budgets

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/goldwire/goldwire/design/bench"
	"github.com/goldwire/goldwire/designs/rifl"
	"github.com/goldwire/goldwire/internal/hdl"
)

const (
	riflWarm   = 5000    // frames until both directions of a link are up and full
	riflFrames = 200_000 // frames of the RTL a round, all lanes together; others are faster and run for longer
	// of a round: the processor's clock may change from one moment to the next, and all shall see the same of it
	riflTurns = 5
	riflEvery = 2000 // frames from one flipped bit to the next when the recovery is compared
)

// RIFL compares links whose users always have something to send, both ways, with the RTL of the whole link.
var RIFL = bench.Measure{Name: "rifl", Run: riflLinks}

func riflLinks(ctx context.Context) ([]bench.Line, error) {
	const what = "RIFL link, full both ways, against Verilator -O3 on RTL of the whole link"
	if err := hdl.Verilator.Available(); err != nil {
		return []bench.Line{bench.NotMeasured(what, err)}, nil
	}
	lanes := []int{1, 4}
	built, errs := make([]*verilated, len(lanes)), make([]error, len(lanes))
	var wg sync.WaitGroup // each compiler works for ten seconds and more
	for k, n := range lanes {
		wg.Go(func() { built[k], errs[k] = buildRIFL(ctx, riflOf(n), fastest) })
	}
	wg.Wait()
	for _, v := range built {
		if v != nil {
			defer v.remove()
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var lines []bench.Line
	for k, v := range built {
		l, err := riflLinkOf(ctx, v, riflOf(lanes[k]))
		if err != nil {
			return nil, err
		}
		lines = append(lines, l...)
	}
	return lines, nil
}

func riflOf(lanes int) rifl.Config {
	cfg := rifl.Default()
	cfg.Lanes = lanes
	return cfg
}

func riflLinkOf(ctx context.Context, v *verilated, cfg rifl.Config) ([]bench.Line, error) {
	if err := sameRecovery(ctx, v, cfg); err != nil {
		return nil, err
	}
	lanes := cfg.Lanes
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
	whole, err := startRIFL(ctx, v, 0)
	if err != nil {
		return nil, err
	}
	defer whole.stop()
	cycles := riflFrames / lanes / riflTurns
	var rtl, frames, skipped, words bench.Samples // nanoseconds a frame cycle of all lanes and both ends
	for range bench.Rounds {
		var ofRTL, ofFrames, ofSkipped, ofWords float64
		for range riflTurns {
			seconds, err := whole.step(cycles)
			if err != nil {
				return nil, err
			}
			ofRTL += seconds * 1e9 / float64(cycles)
			ofFrames += nsOf(10*cycles, stepped.Run)
			ofSkipped += nsOf(20*cycles, skipping.Run)
			ofWords += nsOf(2*cycles, func(n uint64) { _ = modules.Ends[0].Frame.Run(n) })
		}
		rtl, frames = append(rtl, ofRTL/riflTurns), append(frames, ofFrames/riflTurns)
		skipped, words = append(skipped, ofSkipped/riflTurns), append(words, ofWords/riflTurns)
	}
	arrived, err := whole.arrived()
	if err != nil {
		return nil, err
	}
	for e, a := range arrived {
		ran := uint64(bench.Rounds * riflTurns * cycles)
		if got := a.flits(lanes * cfg.PayloadBytes()); got < ran {
			return nil, fmt.Errorf("RIFL, %d lanes: end %d of the RTL is not full: %d flits in %d cycles", lanes, e, got, ran)
		}
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
	const same = "RTL: both endpoints from user to line and back, on four clocks, with crossing, compensation and flow " +
		"control; generator and validator in C++, the same packets"
	speed := func(ns bench.Samples) string {
		return fmt.Sprintf("%.2f million frame cycles a second against %.2f", 1e3/ns.Median(), 1e3/rtl.Median())
	}
	return []bench.Line{
		bench.AtLeast(name+"frame by frame, against Verilator -O3 on RTL of the whole link", 20,
			rtl.Over(frames), "times as fast",
			speed(frames)+"; frames by name, without their bits, no errors, nothing skipped; "+same),
		bench.Figure(name+"with errors at 1e-7 and clean stretches skipped, against the same",
			rtl.Over(skipped), "times as fast",
			speed(skipped)+"; the RTL without errors"),
		bench.AtLeast(name+"every module on its clock, every bit, against the same", 3, rtl.Over(words), "times as fast",
			speed(words)+"; the same boxes as the RTL, edge by edge alike, and beats are stamped as well"),
	}, nil
}

// nsOf returns the processor's nanoseconds a frame cycle of a run of the given number of them.
func nsOf(cycles int, run func(uint64)) float64 {
	w := bench.Start()
	run(uint64(cycles))
	_, cpu := w.Seconds()
	return cpu * 1e9 / float64(cycles)
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
	l, err := fullLink(cfg)
	if err != nil {
		return nil, err
	}
	return l, l.Ends[0].Frame.Run(riflWarm)
}

// sameRecovery holds the RTL to the models while single bits are flipped. The link of modules has to deliver as many
// beats and bytes as the RTL. The link of frames has to deliver as many flits, give or take one for each flip.
func sameRecovery(ctx context.Context, v *verilated, cfg rifl.Config) error {
	const flips, cycles = 20, 20*riflEvery + riflEvery/2
	got, err := runRIFL(ctx, v, cycles, riflEvery)
	if err != nil {
		return err
	}
	whole, err := runRIFL(ctx, v, cycles, 0)
	if err != nil {
		return err
	}
	if got[1].Beats+flips > whole[1].Beats {
		return fmt.Errorf("RIFL, %d lanes: %d flipped bits cost the RTL's end 1 nothing: %d beats, without them %d",
			cfg.Lanes, flips, got[1].Beats, whole[1].Beats)
	}
	var bits []uint64 // of the line's words, as rifl_link.cpp flips them
	for i := range uint64(flips) {
		bits = append(bits, (riflWarm+riflEvery*(i+1))*uint64(cfg.FrameBits)+20)
	}
	modules, err := fullLink(cfg)
	if err != nil {
		return err
	}
	if err := modules.Ends[1].Lanes[0].Line.Flip(bits...); err != nil {
		return err
	}
	if err := modules.Ends[0].Frame.Run(riflWarm + cycles); err != nil {
		return err
	}
	frames, err := rifl.NewFrameLink(rifl.FrameLinkConfig{Config: cfg})
	if err != nil {
		return err
	}
	if err := frames.Flip(1, 0, bits...); err != nil {
		return err
	}
	frames.Run(riflWarm + cycles)
	for e, end := range modules.Ends {
		if err := end.Validator.Err(); err != nil {
			return fmt.Errorf("RIFL, %d lanes, end %d: %w", cfg.Lanes, e, err)
		}
		if want := (riflArrived{uint64(end.Validator.Beats()), end.Validator.Bytes()}); got[e] != want {
			return fmt.Errorf("RIFL, %d lanes: with %d bits flipped the RTL's end %d gets %v, the model's %v", cfg.Lanes,
				flips, e, got[e], want)
		}
		flits, want := int64(got[e].flits(cfg.Lanes*cfg.PayloadBytes())), int64(frames.Report(e).Delivered)/int64(cfg.Lanes)
		if off := flits - want; off < -flips || off > flips {
			return fmt.Errorf(
				"RIFL, %d lanes: with %d bits flipped the RTL's end %d gets %d flits, that of the link of frames %d",
				cfg.Lanes, flips, e, flits, want,
			)
		}
	}
	return nil
}
