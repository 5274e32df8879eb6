package workload

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
)

//go:generate go run ./internal/gencaptures generated ../testdata/captures/generated.pcap

const (
	// MinFrameSize is the shortest frame, minFrameSize of IEEE Std 802.3, 4A.4.2: 64 bytes from destination address to
	// FCS.
	MinFrameSize = 64
	// MaxFrameSize is the longest frame that Generate makes: a payload of 9000 bytes, the jumbo frame that network cards
	// agree on, with header and FCS. The standard itself stops at 2000 (IEEE Std 802.3, 3.2.7).
	MaxFrameSize = 9000 + HeaderLen + FCSLen

	// EtherType is the type of every generated frame: Local Experimental EtherType 1 of IEEE Std 802, 9.2.3.
	EtherType = 0x88b5

	typeAt     = 12 // byte of a frame at which its type starts
	sequenceAt = HeaderLen
	prbsAt     = sequenceAt + 4
)

// The addresses of every generated frame. The 0x02 in the first byte marks them as locally administered, individual
// (IEEE Std 802, 8.2.2): they belong to no maker of hardware.
var (
	destination = [6]byte{0x02, 0x00, 0x00, 0x00, 0x00, 0x01}
	source      = [6]byte{0x02, 0x00, 0x00, 0x00, 0x00, 0x02}
)

// Generate makes one frame for each of sizes, all offered at time 0. A size counts bytes as IEEE Std 802.3 does, from
// destination address to FCS, so a frame has [FCSLen] bytes fewer; one below [MinFrameSize] or above [MaxFrameSize] is
// an error. A frame holds
//
//	bytes    0-5   6-11  12-13      14-17            18-
//	         to    from  EtherType  sequence number  PRBS31
//
// The sequence number is big-endian and counts from 0. The PRBS31 of IEEE Std 802.3, 49.2.8 runs on from frame to
// frame, the first bit of a byte being its lowest as on the wire, from a state drawn from rng. It checks itself: in
// each frame every bit after the first 31 is the inverse of the XOR of the bits 28 and 31 before it.
func Generate(rng *rand.Rand, sizes []int) ([]Frame, error) {
	prbs := prbs31(1 + rng.Uint32N(1<<31-1)) // all states but 0, which never leaves itself
	frames := make([]Frame, len(sizes))
	for i, size := range sizes {
		if size < MinFrameSize || size > MaxFrameSize {
			return nil, fmt.Errorf("frame %d: size %d with FCS, want %d to %d", i, size, MinFrameSize, MaxFrameSize)
		}
		b := make([]byte, size-FCSLen)
		copy(b, destination[:])
		copy(b[len(destination):], source[:])
		binary.BigEndian.PutUint16(b[typeAt:], EtherType)
		binary.BigEndian.PutUint32(b[sequenceAt:], uint32(i))
		for j := prbsAt; j < len(b); j++ {
			b[j] = prbs.next()
		}
		frames[i].Bytes = b
	}
	return frames, nil
}

// prbs31 is the state of the generator 1 + x^28 + x^31: the last 31 bits, the newest lowest.
type prbs31 uint32

// next gives eight bits of the inverted sequence, the earliest lowest. No tap is nearer than 28 bits, so all eight come
// from the state at once; they are made with the earliest highest, as the state keeps them.
func (s *prbs31) next() byte {
	t := byte(*s>>20 ^ *s>>23)
	*s = *s<<8&(1<<31-1) | prbs31(t)
	return ^bits.Reverse8(t)
}

// EverySize lists the sizes from first to at most last in steps of step. It panics if step is not positive.
func EverySize(first, last, step int) []int {
	if step < 1 {
		panic(fmt.Sprintf("workload: step %d between sizes, want at least 1", step))
	}
	var sizes []int
	for size := first; size <= last; size += step {
		sizes = append(sizes, size)
	}
	return sizes
}

// UniformSizes draws n sizes, each from first to last inclusive with the same probability. It panics if last is below
// first.
func UniformSizes(rng *rand.Rand, n, first, last int) []int {
	sizes := make([]int, n)
	for i := range sizes {
		sizes[i] = first + rng.IntN(last-first+1)
	}
	return sizes
}

// imix is one round of the simple Internet mix: IP packets of 40, 576 and 1500 bytes as 7:4:1, each with the 18 bytes
// of an Ethernet header and FCS, and the shortest padded to the minimum.
var imix = [12]int{64, 64, 64, 64, 64, 64, 64, 594, 594, 594, 594, 1518}

// IMIXSizes lists n sizes of the simple Internet mix: 64, 594 and 1518 bytes as 7:4:1. The ratio is exact in every
// twelve sizes from the first on; rng draws only their order.
func IMIXSizes(rng *rand.Rand, n int) []int {
	sizes := make([]int, n)
	for round := sizes; len(round) > 0; {
		order := imix
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		round = round[copy(round, order[:]):]
	}
	return sizes
}
