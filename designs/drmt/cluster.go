package drmt

import (
	"math/bits"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/xbar"
)

// ClusterFault is what a cluster met in a cycle: a key of which only some segments came, or a segment that belongs to
// no table.
type ClusterFault struct {
	Lane  uint8 `bits:"3"`
	Valid bool
}

// Cluster is a memory cluster (§5.2): tables that are looked up at the same time, each with key segments that no other
// table has in the same cycle. A result leaves 17 cycles after the key came. The part of a split table sends hits only,
// unless it is the last.
type Cluster struct {
	Key    [Segments]rtl.In[xbar.Word[Key]]
	Result [Segments]rtl.Out[xbar.Word[Result]]
	Fault  rtl.Out[ClusterFault]

	tables  []clusterTable
	asked   [][]int // by cycle of the period: the tables whose keys may come in it
	lanes   []uint8 // by cycle of the period: their segments
	phase   int
	latency int
	pipe    []resultSet // results on their way, by the cycle in which they leave
	at      int
	driven  uint8 // segments whose result stood there after the last edge
}

// resultSet has the results that leave in one cycle.
type resultSet struct {
	valid   uint8 // by segment
	results [Segments]Result
}

type clusterTable struct {
	lanes   []int
	mask    uint8 // of lanes
	result  int   // segment
	hitOnly bool
	table   *Table
}

// newCluster returns a cluster of a machine whose processors take packets at these cycles of the period.
func newCluster(number, latency int, tables []TableConfig, offset []int, period int) *Cluster {
	c := &Cluster{latency: latency, asked: make([][]int, period), lanes: make([]uint8, period)}
	type elements struct{ values, counts []uint64 }
	arrays := map[int]*elements{} // each machine has its own
	for _, t := range tables {
		if t.Cluster != number {
			continue
		}
		switch a := t.Table.array; t.Table.Kind {
		case Elements:
			if arrays[a.ID] == nil {
				n := a.Size * a.perElement
				arrays[a.ID] = &elements{make([]uint64, n), make([]uint64, n)}
				copy(arrays[a.ID].values, a.Start)
				a.fill(arrays[a.ID].values)
			}
			t.Table = t.Table.with(arrays[a.ID].values, arrays[a.ID].counts)
		case Computed:
			t.Table = t.Table.with(nil, nil)
		}
		x := clusterTable{lanes: t.Lanes, result: t.Result, hitOnly: t.HitOnly, table: t.Table}
		for _, l := range t.Lanes {
			x.mask |= 1 << l
		}
		for _, o := range offset {
			at := (o + t.Class + keyGeneration + CrossbarStages) % period
			c.asked[at] = append(c.asked[at], len(c.tables))
			c.lanes[at] |= x.mask
		}
		c.tables = append(c.tables, x)
	}
	return c
}

// Reset has nothing on its way.
func (c *Cluster) Reset() {
	c.pipe, c.at, c.driven, c.phase = make([]resultSet, c.latency-1), 0, 0, 0
	for i := range c.Result {
		c.Result[i].Set(xbar.Word[Result]{})
	}
	c.Fault.Set(ClusterFault{})
}

// Tick looks the keys of a cycle up.
func (c *Cluster) Tick() {
	set := &c.pipe[c.at]
	c.emit(set)
	var came uint8
	for i := range c.Key {
		if c.Key[i].Get().Valid {
			came |= 1 << i
		}
	}
	fault := ClusterFault{}
	if came != 0 {
		fault = c.lookup(came, set)
	}
	c.Fault.Set(fault)
	if c.at++; c.at == len(c.pipe) {
		c.at = 0
	}
	if c.phase++; c.phase == len(c.asked) {
		c.phase = 0
	}
}

// emit sends the results that are due, and empties their set.
func (c *Cluster) emit(set *resultSet) {
	for l := c.driven &^ set.valid; l != 0; l &= l - 1 {
		c.Result[bits.TrailingZeros8(l)].Set(xbar.Word[Result]{})
	}
	for l := set.valid; l != 0; l &= l - 1 {
		i := bits.TrailingZeros8(l)
		c.Result[i].Set(xbar.Word[Result]{Data: set.results[i], Valid: true})
	}
	c.driven, set.valid = set.valid, 0
}

// lookup puts the results for the keys that came on some segments into a set.
func (c *Cluster) lookup(came uint8, set *resultSet) (fault ClusterFault) {
	for _, i := range c.asked[c.phase] {
		t := &c.tables[i]
		switch came & t.mask {
		case t.mask:
			var key [Segments]Key
			for k, l := range t.lanes {
				key[k] = c.Key[l].Get().Data
			}
			if r, hit := t.table.search(key[:len(t.lanes)]); hit || !t.hitOnly {
				set.valid |= 1 << t.result
				set.results[t.result] = r
			}
		case 0:
		default:
			fault = ClusterFault{uint8(t.lanes[0]), true}
		}
	}
	if stray := came &^ c.lanes[c.phase]; stray != 0 {
		fault = ClusterFault{uint8(bits.Len8(stray) - 1), true}
	}
	return fault
}
