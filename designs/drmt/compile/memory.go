package compile

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/xbar"
)

// memory packs the tables into clusters, the largest first, each where it fits first or else in parts, and gives them
// their segments.
func (l *linker) memory(have drmt.Blocks) error {
	var order []int
	for x := range l.operations {
		if l.operations[x].match != nil {
			order = append(order, x)
		}
	}
	size := func(x int) int {
		b := l.operations[x].match.blocks()
		return b.SRAM*have.TCAM + b.TCAM*have.SRAM // in parts of a cluster
	}
	slices.SortStableFunc(order, func(a, b int) int { return size(b) - size(a) })
	room := l.newSegments(order)
	placed := make([]placement, len(l.operations))
	homes := map[int]int{} // by array: its cluster + 1
	for _, x := range order {
		m := l.operations[x].match
		need, width := m.blocks(), segmentsOf(m.keyBytes)
		c := 0
		if a := m.table.Array; a > 0 && homes[a] > 0 { // another access to an array goes where the array is
			c = homes[a] - 1
			placed[x] = placement{clusters: []int{c}, sizes: []int{m.table.Size}, width: width}
			continue
		}
		for c < l.image.Clusters && (!room.has(c, x, width) || !l.result.Memory[c].Add(need).Within(have)) {
			c++
		}
		at := placement{clusters: []int{c}, sizes: []int{m.table.Size}, width: width}
		if c == l.image.Clusters {
			var ok bool
			if at, ok = l.split(x, have, room); !ok || m.table.Array > 0 {
				return &roomError{
					fmt.Errorf(
						"%s: table %s needs %v and %d key segments; %d clusters do not have them left, neither one nor several together",
						l.program.Name, m.table.Name, need, room.most(x, width), l.image.Clusters,
					),
				}
			}
		}
		at.width = width
		if len(at.clusters) > 1 {
			at.width = max(width, len(at.clusters))
		}
		for i, c := range at.clusters {
			room.take(c, x, at.width)
			l.result.Memory[c] = l.result.Memory[c].Add(m.blocksOf(at.sizes[i]))
		}
		placed[x] = at
		if m.table.Array > 0 {
			homes[m.table.Array] = at.clusters[0] + 1
		}
	}
	// Theorem 5.1: an edge from the cycle in which a key leaves to the cluster where it goes. In each cycle the processors
	// stand at different cycles of the period, so keys that do not meet here do not meet in the crossbar. One processor
	// alone sends keys of one cycle of the period at a time: then each has a side of the cluster of its own.
	shape := xbar.Shape{
		Kind: xbar.Segment, Inputs: l.period, Outputs: l.image.Clusters * room.sides(), Segments: drmt.Segments,
		Multicast: true,
	}
	slices.Sort(order)
	var demands []xbar.Demand
	for _, x := range order {
		d := xbar.Demand{
			Name: l.operations[x].match.table.Name, From: l.class(l.at[x].match), Width: placed[x].width,
		}
		for _, c := range placed[x].clusters {
			d.To = append(d.To, c*room.sides()+room.side(x))
		}
		demands = append(demands, d)
	}
	transfers, err := shape.Route(demands)
	if err != nil {
		return fmt.Errorf("%s: key crossbar, by cycle of the period and cluster: %w", l.program.Name, err)
	}
	l.lanes, l.back = make([][]int, len(l.operations)), make([][]uint8, len(l.operations))
	for i, x := range order {
		for range demands[i].Width {
			l.lanes[x] = append(l.lanes[x], transfers[0].From.Segment)
			transfers = transfers[1:]
		}
		m, at := l.operations[x].match, placed[x]
		tables, err := l.parts(m, at.sizes)
		if err != nil {
			return err
		}
		for k, table := range tables {
			l.image.Tables = append(
				l.image.Tables,
				drmt.TableConfig{Name: m.table.Name, Cluster: at.clusters[k], Class: l.class(l.at[x].match),
					Lanes: l.lanes[x][:segmentsOf(m.keyBytes)], Result: l.lanes[x][k], HitOnly: k < len(tables)-1, Table: table},
			)
		}
		for _, lane := range l.lanes[x][:len(tables)] {
			l.back[x] = append(l.back[x], uint8(lane))
		}
	}
	return nil
}

// roomError says that the clusters have no room.
type roomError struct{ error }

// placement is where a table lies: the clusters of its parts, how many entries each part has, and the segments it
// takes.
type placement struct {
	clusters, sizes []int
	width           int
}

// split spreads a table that fits no cluster over as few as it can. The key goes to all parts at once. Each part's
// result comes back on a segment of its own, so that a table of more parts than key segments takes more segments.
func (l *linker) split(x int, have drmt.Blocks, segments *segments) (placement, bool) {
	m := l.operations[x].match
	for parts := 2; parts <= drmt.Segments; parts++ {
		at := placement{width: max(segmentsOf(m.keyBytes), parts)}
		var order []int
		room := make([]int, l.image.Clusters)
		for c := range room {
			if segments.has(c, x, at.width) {
				used := l.result.Memory[c]
				room[c] = drmt.EntriesIn(
					drmt.Blocks{SRAM: have.SRAM - used.SRAM, TCAM: have.TCAM - used.TCAM}, m.kind(), 8*m.keyBytes, 8*m.data,
				)
				order = append(order, c)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return room[b] - room[a] })
		left := m.table.Size
		for _, c := range order[:min(parts, len(order))] {
			if n := min(left, room[c]); n > 0 {
				at.clusters, at.sizes = append(at.clusters, c), append(at.sizes, n)
				left -= n
			}
		}
		if left == 0 {
			return at, true
		}
	}
	return placement{}, false
}
