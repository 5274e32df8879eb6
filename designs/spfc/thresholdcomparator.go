package spfc

import (
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// PoolConfig is what an operator sets of a pool, in cells: 19 bits are 32 MB.
type PoolConfig struct {
	Pool   uint32 `bits:"19"`
	Static uint32 `bits:"19"` // threshold of ST
	Shift  uint8  `bits:"4"`  // alpha = 2^Shift, two's complement: -8 to 7
	Fixed  bool   // ST in place of DT
}

// PoolQuery asks for one ingress queue.
type PoolQuery struct {
	Shared uint32 `bits:"19"` // used of the pool, by all
	Used   uint32 `bits:"19"` // used of the pool, by the queue
	Add    uint8  // cells that a packet would add to that
	Victim bool   // by the circuit, or pinned
}

// PoolVerdict is the answer. Its comparisons do not know of reserve and headroom.
type PoolVerdict struct {
	Threshold uint32 `bits:"26"`
	Fits      bool   // the packet is within the threshold and the pool
	Over      bool   // PAUSE: the queue is not empty, and at its threshold or in a full pool
	// RESUME: the queue is by the offset below its threshold and the pool has the offset free, or the queue is empty;
	// never with Over
	Clear bool
}

// ThresholdComparator decides by the threshold of an ingress queue: DT (Eq. 1), ST, or the pool for a victim (Eq. 4).
// Latency 1 cycle.
type ThresholdComparator struct {
	Config rtl.In[PoolConfig]
	Query  rtl.In[PoolQuery]
	Offset rtl.In[uint8] // of RESUME, in cells
	Out    rtl.Out[PoolVerdict]

	cut uint8 // cellBits less the unit's parameter bits: 0 at the default width
}

// cellBits is the width of a count of cells.
const cellBits = 19

// NewThresholdComparator returns a comparator of counts of 1 to 19 bits: of the inputs as many low bits count. The
// zero value has 19.
func NewThresholdComparator(bits int) (*ThresholdComparator, error) {
	if bits < 1 || bits > cellBits {
		return nil, fmt.Errorf("threshold comparator of counts of %d bits, want 1 to %d", bits, cellBits)
	}
	return &ThresholdComparator{cut: uint8(cellBits - bits)}, nil
}

// Tick compares.
func (t *ThresholdComparator) Tick() {
	c, q := t.Config.Get(), t.Query.Get()
	most := uint32(1)<<(cellBits-t.cut) - 1
	c.Pool, c.Static, q.Shared, q.Used = c.Pool&most, c.Static&most, q.Shared&most, q.Used&most
	pool := poolThreshold{pool: int64(c.Pool), static: int64(c.Static), shift: int(int8(c.Shift<<4) >> 4),
		resumeOffset: int64(t.Offset.Get())}
	if c.Fixed {
		pool.policy = ST
	}
	shared := min(q.Shared, c.Pool) // a pool that was made smaller is full
	threshold := pool.of(int64(shared), q.Victim)
	used, add := int64(q.Used), int64(q.Add)
	t.Out.Set(PoolVerdict{Threshold: uint32(threshold), Fits: pool.fits(threshold, int64(shared), used, used+add),
		Over: pool.over(threshold, int64(shared), used), Clear: pool.clear(threshold, int64(shared), used)})
}
