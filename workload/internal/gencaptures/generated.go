package main

import (
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/workload"
)

// generated makes the frames of generated.pcap.
func generated() ([]workload.Frame, error) {
	rng := rand.New(rand.NewPCG(0x88b5, 1))
	sizes := slices.Concat(
		// Every size around the minimum, so that every terminate position of a 64b/66b line comes up nine times over.
		workload.EverySize(64, 136, 1),
		// The ends of the ranges that standards and hardware set: basic, tagged and envelope frames of IEEE Std 802.3,
		// 3.2.7, powers of two, jumbo frames; and a byte to either side.
		[]int{1517, 1518, 1519, 1522, 2000, 2047, 2048, 2049, 4096, 8999, 9000, 9018},
		workload.IMIXSizes(rng, 60),
		// 149 is odd, so the steps go through all positions in a block of eight bytes.
		workload.EverySize(64, 9000, 149),
	)
	return workload.Generate(rng, sizes)
}
