package edm

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// WireDelay is a link's delay in Table 1: PMA, PMD and transceiver at both ends, 19 ns each, and 10 ns of fibre.
var WireDelay = clock.MustTime("48ns")

// MetreDelay is the delay of a metre of fibre. The 10 ns of Table 1 are 2 m.
var MetreDelay = clock.MustTime("5ns")

// TableMetres is the cable of Table 1.
const TableMetres = 2

// CableDelay returns the delay of a link with a cable of that length: Table 1's, with the cable exchanged. It is whole
// picoseconds.
func CableDelay(metres float64) clock.Time {
	cable := clock.Picosecond.Times(int64(math.Round(metres * 5000)))
	return WireDelay.Sub(MetreDelay.Times(TableMetres)).Add(cable)
}

// Config describes a network: nodes around one switch. A zero field has the default named with it.
type Config struct {
	Nodes int // 2 to 512
	// of 25 Gb/s; 1 (the testbed), or 4: one block every 0.64 ns, with pipeline stages that last as long as at one lane
	Lanes  int
	Chunk  int // c: most bytes of a grant, a multiple of 8; 256 (§4.3)
	Active int // X: messages, reads and writes, that a host may have under way to another; 3 (§4.3)
	// ActiveApart counts reads and writes apart: Active of each.
	ActiveApart bool
	Policy      Policy
	// Release is when the ports of a matching are free again: one by one, or all together.
	Release Release
	// how many blocks a circuit outlasts its chunk, see SlackReadWrite, which is the default. -1 for none: the paper's l/B
	Slack int

	// SchedulerRatio is the scheduler's clock frequency over the ports': 1 with one lane, 2 with four, which makes 3.125
	// GHz. The paper's runs at 3 GHz (§4.1).
	SchedulerRatio int

	// Equalise lets hosts wait with the data of a /G/ as long as a memory node takes for a request on top: then the data
	// of reads and writes come equally late after their grants, and circuits need not be kept for the difference.
	Equalise bool

	Mux      Sharing      // how memory and frames share a link
	Up, Down []clock.Time // delays of the links to and from the switch, by node; WireDelay
	Phases   []clock.Time // of the hosts' clocks against the switch's, by node; 0
	Memory   int          // bytes that each node serves; 64 KiB
	Local    int          // bytes of each node's local memory, where responses to its requests go; 64 KiB
	DRAM     clock.Time   // from a request's arrival until its data can be sent; 0
	Timeout  clock.Time   // of reads; 0 for none
	// TimeWrites gives writes the timeout of reads; in the paper only reads have timers (§3.3).
	TimeWrites bool
	Queue      int  // requests that a host's message queue holds; 64
	Batch      int  // bytes up to which a host sends waiting writes to one node as one mega message (§3.1.2); 0 for none
	Frames     int  // greatest frame in blocks that a link carries, 0 if there is no other traffic
	KeepUp     bool // do not disable a link on which an error was seen

	// Mirror gives each host a second interface, to a second switch; everything that it sends goes to both (§3.3, see
	// Merge). MirrorUp and MirrorDown are the delays of the links to and from that switch: the first switch's.
	Mirror               bool
	MirrorUp, MirrorDown []clock.Time
	// FailStop lets a switch that sees a link from a host fail switch itself off. The paper does not have it: see
	// linkUpDies.
	FailStop bool

	// Record keeps every block that leaves on a line, see [Network.Recorded].
	Record bool

	Sim rtl.Config
}

// Slack, in blocks. The paper's l/B counts data alone; but grants and requests share the links and are not scheduled. A
// host sends the blocks of a request in one piece, so a chunk may be late by all but one of them; a memory node answers
// a longer request later. With the longest request that there is, these keep a late chunk from meeting the next one in
// the switch.
//
// For reads and writes one block is enough for that: no data met in 400 random networks with it. But an egress that has
// a grant or a request to send as well then never catches up. With one block, data waits for up to 72 blocks in the
// switch and reads at a load of 0.9 take 1.32 times as long as alone; with two, at most 8 blocks and 1.15 times. It is
// the other way round where every node asks and answers, since there the circuits are the bottleneck: 1.40 times with
// one block, 2.1 with two. A scheduler that lengthens a circuit only for control blocks that are queued for its port
// would have to know the hosts' control blocks half a round trip before they are sent: a chunk is shorter than the
// round trip, so its circuit has ended by then.
const (
	SlackReadWrite = 2 // RREQ: 2 blocks
	SlackRMW       = 8 // RMWREQ: 5 blocks, late by 4 at the sender and by 3 at the memory node
)

// Check gives fields that are zero their defaults and reports the first field that no network can have.
func (c *Config) Check() error {
	set := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	set(&c.Lanes, 1)
	set(&c.Chunk, 256)
	set(&c.Active, 3)
	set(&c.Slack, SlackReadWrite)
	set(&c.Memory, 64<<10)
	set(&c.Local, 64<<10)
	set(&c.Queue, 64)
	set(&c.SchedulerRatio, min(c.Lanes, 2))
	every := func(p *[]clock.Time, v clock.Time) {
		if *p == nil {
			*p = make([]clock.Time, c.Nodes)
			for i := range *p {
				(*p)[i] = v
			}
		}
	}
	switch {
	case c.Nodes < 2 || c.Nodes > 512:
		return fmt.Errorf("%d nodes, want 2 to 512", c.Nodes)
	case c.Lanes != 1 && c.Lanes != 4:
		return fmt.Errorf("%d lanes, want 1 (25 Gb/s) or 4 (100 Gb/s)", c.Lanes)
	case c.Chunk < 8 || c.Chunk%8 != 0 || c.Chunk > MaxBytes:
		return fmt.Errorf("chunk of %d bytes, want a multiple of 8 up to %d", c.Chunk, MaxBytes)
	case c.Active < 1 || c.Active > 128:
		return fmt.Errorf("%d active messages a pair, want 1 to 128", c.Active)
	case c.Memory < 8 || c.Memory%8 != 0 || c.Local < 8 || c.Local%8 != 0:
		return fmt.Errorf("memories of %d and %d bytes, want multiples of 8", c.Memory, c.Local)
	case c.SchedulerRatio > 2*c.Lanes:
		return fmt.Errorf(
			"a scheduler %d times as fast as the ports, want at most %d: a request has to be there before it is granted",
			c.SchedulerRatio, 2*c.Lanes,
		)
	case c.SchedulerRatio < 1 || c.Slack < -1 || c.Queue < 1 || c.Frames < 0 || c.Batch < 0 || c.Batch > MaxBytes:
		return fmt.Errorf(
			"scheduler ratio %d, slack %d, queue %d, frames of %d blocks, batches of %d bytes: want positive numbers, batches "+
				"of at most %d",
			c.SchedulerRatio, c.Slack, c.Queue, c.Frames, c.Batch, MaxBytes,
		)
	}
	every(&c.Up, WireDelay)
	every(&c.Down, WireDelay)
	every(&c.Phases, clock.Time{})
	if c.MirrorUp == nil {
		c.MirrorUp = c.Up
	}
	if c.MirrorDown == nil {
		c.MirrorDown = c.Down
	}
	for _, n := range [][]clock.Time{c.Up, c.Down, c.Phases, c.MirrorUp, c.MirrorDown} {
		if len(n) != c.Nodes {
			return fmt.Errorf("%d delays or phases for %d nodes", len(n), c.Nodes)
		}
	}
	return nil
}

// stages is how many further cycles n stages of Table 1 take at this rate.
func (c *Config) stages(n int) int { return n * (c.Lanes - 1) }

// BlockClock returns the clock of the blocks.
func (c *Config) BlockClock() clock.Freq { return clock.Block25G.Times(int64(max(c.Lanes, 1)), 1) }
