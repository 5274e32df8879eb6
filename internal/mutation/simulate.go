package mutation

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// campaign runs rows through all mutants that are alive.
type campaign struct {
	unit    vectors.Unit
	fields  []vectors.Field
	valid   []int // of an output: the column that says when it counts, -1 for always
	clocks  int   // how many columns are clocks
	lanes   *lanes
	running bool // the reset is over
	rows    int
	killed  map[int]int // by mutant: the row that shows it
	diff    []uint64    // lanes that part in a row
	part    []uint64    // of a field
	settled *uint64     // the row whose inputs all nets follow, nil for none
	err     error
}

// newCampaign puts the lanes into reset. A mutant has two lanes, and so has the reference, which is mutant 0.
func newCampaign(u vectors.Unit, fields []vectors.Field, n *netlist, mutants []int, seed uint64) (*campaign, error) {
	c := &campaign{unit: u, fields: fields, clocks: len(u.Clocks), killed: map[int]int{}}
	byName := map[string]int{}
	for i, f := range fields {
		byName[f.Name] = i
		if !f.Clock && len(n.ports[f.Name]) != f.Width {
			return nil, fmt.Errorf("unit %s: port %s of the reference RTL has %d bits, want %d", u.Name, f.Name,
				len(n.ports[f.Name]), f.Width)
		}
	}
	for _, f := range fields {
		column := -1
		if f.Valid != "" {
			column = byName[f.Valid]
		}
		c.valid = append(c.valid, column)
	}
	pairs := []int{0, 0}
	for _, m := range mutants {
		pairs = append(pairs, m, m)
	}
	c.use(newLanes(n, pairs, seed))
	return c, nil
}

func (c *campaign) use(l *lanes) {
	c.settled = nil
	c.lanes, c.diff, c.part = l, make([]uint64, l.words), make([]uint64, l.words)
}

// drive gives the inputs of a row.
func (c *campaign) drive(row []uint64) {
	for i, f := range c.fields {
		if f.Dir == rtl.Input && !f.Clock {
			c.lanes.input(f.Name, row[i])
		}
	}
}

// reset is what a testbench does before its first row, whose inputs it drives meanwhile. Before other rows it does
// nothing.
func (c *campaign) reset(row []uint64) {
	if c.running {
		return
	}
	c.running = true
	all := uint64(1)<<max(1, c.clocks) - 1
	for _, port := range resetPorts(c.unit) {
		c.lanes.input(port, 1)
	}
	c.drive(row)
	for range vectors.ResetCycles {
		c.lanes.settle()
		c.lanes.edge(all)
	}
	for _, port := range resetPorts(c.unit) {
		c.lanes.input(port, 0)
	}
}

// row runs a row, which holds the model's outputs too, and marks the mutants whose outputs differ as killed.
func (c *campaign) row(row []uint64) {
	if c.err != nil {
		return
	}
	c.settle(row)
	clear(c.diff)
	for i, f := range c.fields {
		if f.Dir != rtl.Output || c.valid[i] >= 0 && row[c.valid[i]] == 0 {
			continue
		}
		clear(c.part)
		c.lanes.differ(f.Name, row[i], c.part)
		if c.part[0]&3 != 0 {
			c.err = fmt.Errorf("unit %s: the reference RTL itself parts from the model in row %d at %s",
				c.unit.Name, c.rows, f.Name)
			return
		}
		for w, x := range c.part {
			c.diff[w] |= x
		}
	}
	each(c.diff, func(lane int) {
		if lane >= len(c.lanes.mutants) {
			return
		}
		if m := c.lanes.mutants[lane]; !c.dead(m) {
			c.killed[m] = c.rows
		}
	})
	clocks := uint64(1)
	if c.clocks > 0 {
		clocks = 0
		for i := range c.clocks {
			clocks |= row[i] << i
		}
	}
	c.lanes.edge(clocks)
	c.settled = nil
	c.rows++
}

// settle computes all nets from the registers and a row's inputs, once a row.
func (c *campaign) settle(row []uint64) {
	if c.settled == &row[0] {
		return
	}
	c.reset(row)
	c.drive(row)
	c.lanes.settle()
	c.settled = &row[0]
}

func (c *campaign) dead(mutant int) bool {
	_, killed := c.killed[mutant]
	return killed
}

// alive returns the mutants that no row has shown.
func (c *campaign) alive() (list []int) {
	for lane := 2; lane < len(c.lanes.mutants); lane += 2 {
		if m := c.lanes.mutants[lane]; !c.dead(m) {
			list = append(list, m)
		}
	}
	return list
}

// pack leaves out the dead if it saves words.
func (c *campaign) pack() {
	keep := []int{0, 1}
	for lane := 2; lane < len(c.lanes.mutants); lane++ {
		if m := c.lanes.mutants[lane]; !c.dead(m) {
			keep = append(keep, lane)
		}
	}
	if (len(keep)+63)/64 < c.lanes.words {
		c.use(c.lanes.keep(keep))
	}
}

// answer fills in the outputs of a row as the reference has them on its inputs.
func (c *campaign) answer(row []uint64) {
	c.settle(row)
	for i, f := range c.fields {
		if f.Dir == rtl.Output {
			row[i] = c.lanes.output(f.Name)
		}
	}
}

// state returns where a mutant is after a row, in the first of its two lanes or in the second.
func (c *campaign) state(mutant, second int, last []uint64) *state {
	lane := slices.Index(c.lanes.mutants, mutant) + second
	return &state{c.lanes.registers(second), c.lanes.registers(lane), last, uint64(lane & 1)}
}
