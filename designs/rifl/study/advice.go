package study

import (
	"fmt"
	"sort"
	"strings"

	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/rifl"
)

// sayBuffers prints the sizes of an end's buffers, and, where a configuration is not sound, changes that make it so.
func sayBuffers(r *experiment.Report, cfg rifl.Config) {
	for _, line := range buffers(cfg) {
		r.Linef("%s", line)
	}
}

func buffers(cfg rifl.Config) []string {
	ids := 1 << cfg.S()
	flow, _ := rifl.FlowSize(cfg.Profile, cfg.S())
	kilobytes := func(frames int) float64 { return float64(frames*cfg.FrameBits) / 8 / 1000 }
	lines := []string{fmt.Sprintf(
		"buffers of a lane's end: retransmission %d frames, %.1f KB; flow control %d frames, %.1f KB; the loop is %d frames",
		ids, kilobytes(ids), flow, kilobytes(flow), cfg.Loop(),
	)}
	if err := cfg.Sound(); err != nil {
		return append(lines, fmt.Sprintf("Not sound: %v. %s", err, advice(cfg)))
	}
	if err := cfg.HoldsStalls(); err != nil {
		lines = append(lines, fmt.Sprintf("Not sound if a user stalls: %v.", err))
	}
	return lines
}

// advice names changes of one parameter each that make a configuration sound.
func advice(cfg rifl.Config) string {
	var list []string
	if s := cfg.SizeSoundID(); s > 0 {
		list = append(list, fmt.Sprintf("--ids %d", s))
	}
	if safe := cfg; safe.Profile != rifl.Safe {
		if safe.Profile = rifl.Safe; safe.Sound() == nil {
			list = append(list, "--profile safe")
		}
	}
	// the longest cable in whole metres
	metres := sort.Search(int(cfg.Length)+1, func(m int) bool {
		short := cfg
		short.Length = float64(m)
		return short.Sound() != nil
	}) - 1
	if metres > 0 {
		list = append(list, fmt.Sprintf("--metres %d or less", metres))
	}
	if len(list) == 0 {
		return "No other IDs, rules or cable alone make it sound."
	}
	return "It would be with " + strings.Join(list, ", or with ") + "."
}
