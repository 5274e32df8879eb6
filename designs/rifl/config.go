package rifl

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/enum"
)

// Profile says whose protocol an endpoint follows where the paper and the published core differ.
type Profile uint8

// The profiles.
const (
	Core  Profile = iota // as the published core behaves: a link partner speaks this
	Paper                // as the paper says, wherever it does
	Safe                 // Core with a sender that never makes a stale frame look new, whichever peer it has
)

var profiles = enum.Texts{"core", "paper", "safe"}

func (p Profile) String() string { return enum.String(p, profiles) }

// MarshalText implements [encoding.TextMarshaler].
func (p Profile) MarshalText() ([]byte, error) { return enum.Marshal(p, profiles) }

// UnmarshalText implements [encoding.TextUnmarshaler]: it reads core, paper or safe.
func (p *Profile) UnmarshalText(text []byte) error { return enum.Unmarshal(p, text, profiles) }

// rules are the points in which profiles differ.
type rules struct {
	tail       func(ids int) int   `state:"none"` // frames of a pass after the retransmitted ones
	skip       int                 // oldest frames that a pass leaves out
	resume     bool                // idles for 2^S frames after an error of our own
	pausedIdle bool                // idles while the far end's user is stalled; else invalid data frames
	startIdles bool                // idles count among the frames before the user's first
	illegal    uint8               // illegal SYNs in a window that lose alignment
	flowDepth  int                 // of the flow-control buffer's memory, in units of 2^S frames
	flowFront  int                 // frames of a queue in front of that memory
	flowOn     func(depth int) int `state:"none"`
	flowOff    func(depth int) int `state:"none"`
}

func (p Profile) rules() rules {
	r := rules{
		tail:   func(ids int) int { return ids/2 + 1 }, // the core counts one frame more than §4.C
		resume: true, pausedIdle: true, startIdles: true, illegal: 2, flowDepth: 2, flowFront: 16,
		flowOn:  func(depth int) int { return 2 * depth / 3 },
		flowOff: func(depth int) int { return depth / 3 },
	}
	switch p {
	case Paper:
		r.tail = func(ids int) int { return ids / 2 }
		r.resume, r.pausedIdle, r.startIdles, r.illegal, r.flowFront = false, false, false, 1, 0
	case Safe:
		// A pass has 2^S-1 frames, so its first is never the frame that a receiver in step expects. Its tail outlasts the
		// round trip that the sizing rule allows, so a needless pass is not followed by another.
		r.tail = func(ids int) int { return ids }
		r.skip = 1
		r.startIdles = false
		// The far end may send for the rest of a pass before it can be paused: up to 3 x 2^S frames less its own 2^S idles,
		// and a round trip of at most 2^S.
		r.flowDepth = 6
		r.flowOn = func(depth int) int { return depth / 2 }
		r.flowOff = func(depth int) int { return depth / 4 }
	}
	return r
}

// Config describes a link.
type Config struct {
	Profile   Profile
	FrameBits int        // F: 128, 256, 512, 1024 or 2048
	Lanes     int        // 1 to 8
	LaneRate  clock.Freq // bits a second of a lane: 25 to 112 Gb/s
	Length    float64    // of the cable in metres: 0 to 500
	IDBits    int        // S; 0 for the core's sizing rule

	// Transceivers is the ns that the two transceivers of a direction take together.
	Transceivers float64
	// LineCycles, if not 0, is D: the delay of the two transceivers and the cable of a direction, in cycles of the
	// transceiver clock. Length and Transceivers then only count for the sizing rule.
	LineCycles int
	// UpBit says how long a receiver has to be aligned until the link is up: 2^UpBit transceiver cycles. 0 is 12, as
	// simulations of the core have it: 9 us at 28 Gb/s. The core itself has 20: 2.4 ms.
	UpBit int
}

// Default is a lane of the paper's prototype (§5): 28 Gb/s, 256 bits a frame, 10 m. The paper does not state the
// transceivers' delay. With 19.2 to 28.3 ns a beat takes 48 transceiver cycles over 10 m, which is the 110 ns of the
// abstract; 25 ns is from that range.
func Default() Config {
	return Config{FrameBits: 256, Lanes: 1, LaneRate: clock.MHz(28_000), Length: 10, Transceivers: 25}
}

// Delay of a cable, and what the core's sizing rule takes for the circuits of one direction.
const (
	NsPerMetre = 3.34
	circuitNs  = 80.0
)

// maxLineCycles bounds what a line holds.
const maxLineCycles = 1 << 16

// maxIDBits is the width of the verification code, which the ID shares.
const maxIDBits = 12

// RoundTrip returns the round trip time in ns that the core reckons with: Eq. 2 to 4 with 80 ns of circuits each way.
func (c Config) RoundTrip() float64 { return 2 * (circuitNs + NsPerMetre*c.Length) }

// FrameNs returns how long a frame is on a lane.
func (c Config) FrameNs() float64 {
	hz, _ := c.LaneRate.Hz().Float64()
	return float64(c.FrameBits) / hz * 1e9
}

// SizeID returns the core's S: ceil(log2(32 + the frames of a round trip)).
func (c Config) SizeID() int {
	return bits.Len(uint(31 + int(math.Round(c.RoundTrip()/c.FrameNs()))))
}

// S returns the bits of the frame ID.
func (c Config) S() int {
	if c.IDBits != 0 {
		return c.IDBits
	}
	return c.SizeID()
}

// Check reports the first thing that is wrong.
func (c Config) Check() error {
	switch {
	case c.FrameBits < 128 || c.FrameBits > 2048 || bits.OnesCount(uint(c.FrameBits)) != 1:
		return fmt.Errorf("frame of %d bits, want 128, 256, 512, 1024 or 2048", c.FrameBits)
	case c.Lanes < 1 || c.Lanes > 8:
		return fmt.Errorf("%d lanes, want 1 to 8", c.Lanes)
	case c.LaneRate == clock.Freq{}:
		return fmt.Errorf("the lane rate is missing")
	case c.Profile > Safe:
		return fmt.Errorf("profile %d, want core, paper or safe", c.Profile)
	case !(c.Length >= 0 && c.Length <= 500):
		return fmt.Errorf("cable of %v m, want 0 to 500", c.Length)
	}
	if c.LineCycles < 0 || c.LineCycles > maxLineCycles {
		return fmt.Errorf("a line of %d cycles, want 1 to %d, or 0 to have it from its length", c.LineCycles, maxLineCycles)
	}
	if c.UpBit < 0 || c.UpBit > 24 {
		return fmt.Errorf("a link that is up after 2^%d cycles, want 2^1 to 2^24, or 0 for 2^12", c.UpBit)
	}
	if !(c.Transceivers >= 0 && c.Transceivers <= 1e6) {
		return fmt.Errorf("transceivers of %v ns, want 0 to a million", c.Transceivers)
	}
	if hz, _ := c.LaneRate.Hz().Float64(); hz < 25e9 || hz > 112e9 {
		return fmt.Errorf("lane rate %v, want 25 to 112 Gb/s", c.LaneRate)
	}
	// the verifier looks back over 16 frames of the ID space, and a pass has to hold them and the frames after them
	if s := c.S(); s < 5 || s > maxIDBits {
		return fmt.Errorf("frame IDs of %d bits, want 5 to %d", s, maxIDBits)
	}
	return nil
}

// Words returns R, the 64-bit words of a frame.
func (c Config) Words() int { return c.FrameBits / 64 }

// PayloadBytes returns the user bytes of a frame.
func (c Config) PayloadBytes() int { return c.FrameBits/8 - 2 }

// A link is up when one bit of the published core's counter is 1. In hardware it is coreUpBit, in simulations of the
// core simulatedUpBit.
const (
	coreUpBit      = 20
	simulatedUpBit = 12
)

// upBit returns the bit that says that a link is up.
func (c Config) upBit() int {
	if c.UpBit == 0 {
		return simulatedUpBit
	}
	return c.UpBit
}

// Settle returns the frame cycles after which both ends of a link without errors are up and the user may send, if
// words begin where the receivers expect them.
func (c Config) Settle() uint64 {
	const alignment = 2 * alignWindow
	return uint64((1<<c.upBit())/c.Words() + alignment + 2*c.Loop() + 3<<c.S())
}

// WordTime returns the period of the transceiver clock.
func (c Config) WordTime() clock.Time { return c.LaneRate.Times(1, 64).Period() }

// LineTime returns the delay of transceivers and cable in one direction.
func (c Config) LineTime() clock.Time {
	if c.LineCycles != 0 {
		return c.WordTime().Times(int64(c.LineCycles))
	}
	return clock.MustTime(fmt.Sprintf("%.6fns", c.Transceivers+NsPerMetre*c.Length))
}
