package drmt

import (
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/xbar"
)

// ClusterFault is what a cluster met in a cycle: a key of which only some segments came, or a segment that belongs to no table.
type ClusterFault struct {
	Lane  uint8 `bits:"3"`
	Valid bool
}

// Cluster is a memory cluster (§5.2): tables, each with key segments of its own, that are looked up at the same time. A result leaves on the
// first segment of its table, 17 cycles after the key came.
type Cluster struct {
	Key    [Segments]rtl.In[xbar.Word[Key]]
	Result [Segments]rtl.Out[xbar.Word[Result]]
	Fault  rtl.Out[ClusterFault]

	tables  []clusterTable
	latency int
	pipe    [][Segments]xbar.Word[Result] // results on their way
	at      int
}

type clusterTable struct {
	lanes []int
	table *Table
}

func newCluster(number, latency int, tables []TableConfig) *Cluster {
	c := &Cluster{latency: latency}
	for _, t := range tables {
		if t.Cluster == number {
			c.tables = append(c.tables, clusterTable{t.Lanes, t.Table})
		}
	}
	return c
}

// Reset has nothing on its way.
func (c *Cluster) Reset() {
	c.pipe, c.at = make([][Segments]xbar.Word[Result], c.latency-1), 0
	for i := range c.Result {
		c.Result[i].Set(xbar.Word[Result]{})
	}
	c.Fault.Set(ClusterFault{})
}

// Tick looks the keys of a cycle up.
func (c *Cluster) Tick() {
	oldest := &c.pipe[c.at]
	for i := range oldest {
		c.Result[i].Set(oldest[i])
		oldest[i] = xbar.Word[Result]{}
	}
	fault := ClusterFault{}
	var keys [Segments]xbar.Word[Key]
	valid, taken := 0, 0
	for i := range c.Key {
		if keys[i] = c.Key[i].Get(); keys[i].Valid {
			valid |= 1 << i
		}
	}
	if valid != 0 {
		for i := range c.tables {
			t := &c.tables[i]
			var key [Segments]Key
			lanes := 0
			for k, l := range t.lanes {
				key[k] = keys[l].Data
				lanes |= 1 << l
			}
			taken |= lanes
			switch valid & lanes {
			case lanes:
				oldest[t.lanes[0]] = xbar.Word[Result]{Data: t.table.Lookup(key[:len(t.lanes)]), Valid: true}
			case 0:
			default:
				fault = ClusterFault{uint8(t.lanes[0]), true}
			}
		}
		for l := range Segments {
			if valid&^taken>>l&1 != 0 {
				fault = ClusterFault{uint8(l), true}
			}
		}
	}
	c.Fault.Set(fault)
	if c.at++; c.at == len(c.pipe) {
		c.at = 0
	}
}
