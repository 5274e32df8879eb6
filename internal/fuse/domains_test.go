package fuse

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// register is an output of a clock that modules of other clocks read.
type register struct {
	clock, bytes int
	readers      []int
}

// island has a module a clock, with a register for each that is wanted.
func island(rates []float64, registers []register) *domains {
	d := &domains{rates: rates}
	for clock := range rates {
		b := &box{clock: clock, ports: map[string]string{}}
		d.boxes = append(d.boxes, &domainBox{box: b, readers: map[string][]*domainBox{}, sizes: map[string]int{}})
	}
	for i, r := range registers {
		b, port := d.boxes[r.clock], fmt.Sprint("Out", i)
		b.order, b.ports[port], b.sizes[port] = append(b.order, port), "Out", r.bytes
		for _, reader := range r.readers {
			b.readers[port] = append(b.readers[port], d.boxes[reader])
		}
	}
	return d
}

// Of clocks that read each other, the one comes first that has to set aside less for the later ones: fewer bytes an
// edge, fewer edges a second, or fewer calls. Where each order costs the same, the first one stays.
func TestRankKinds(t *testing.T) {
	for name, c := range map[string]struct {
		rates     []float64
		registers []register
		kinds     [][]int
		want      [][]int
	}{
		"no clock":  {},
		"one clock": {[]float64{100}, []register{{0, 8, []int{0}}}, [][]int{{0}}, [][]int{{0}}},
		"one kind": {[]float64{100, 100}, []register{{0, 8, []int{1}}, {1, 80, []int{0}}}, [][]int{{0, 1}},
			[][]int{{0, 1}}},
		"nobody reads": {[]float64{1, 2, 3}, nil, [][]int{{0}, {1}, {2}}, [][]int{{0}, {1}, {2}}},
		"as dear": {[]float64{100, 100}, []register{{0, 8, []int{1}}, {1, 8, []int{0}}}, [][]int{{0}, {1}},
			[][]int{{0}, {1}}},
		"reader first": {[]float64{1, 100}, []register{{0, 8, []int{1}}}, [][]int{{0}, {1}}, [][]int{{1}, {0}}},
		"fewer bytes": {[]float64{100, 100}, []register{{0, 16, []int{1}}, {1, 8, []int{0}}}, [][]int{{0}, {1}},
			[][]int{{1}, {0}}},
		"read by itself, too": {[]float64{100, 100}, []register{{0, 16, []int{0, 1}}, {1, 8, []int{0}}}, [][]int{{0}, {1}},
			[][]int{{1}, {0}}},
		"fewer edges": {[]float64{300, 100}, []register{{0, 8, []int{1}}, {1, 16, []int{0}}}, [][]int{{0}, {1}},
			[][]int{{1}, {0}}},
		"fewer bytes a second": {[]float64{100, 110}, []register{{0, 80, []int{1}}, {1, 8, []int{0}}}, [][]int{{0}, {1}},
			[][]int{{1}, {0}}},
		"fewer calls": {[]float64{100, 100, 100}, []register{{0, 8, []int{2}}, {1, 8, []int{2}}, {2, 40, []int{0, 1}}},
			[][]int{{0}, {1}, {2}}, [][]int{{2}, {0}, {1}}},
		"as many, as dear": {[]float64{100, 100, 100}, []register{{0, 8, []int{2}}, {1, 8, []int{2}}, {2, 48, []int{0, 1}}},
			[][]int{{0}, {1}, {2}}, [][]int{{0}, {1}, {2}}},
		"all clocks of a kind": {[]float64{100, 100, 150}, []register{{0, 8, []int{2}}, {1, 8, []int{2}}, {2, 8, []int{0}}},
			[][]int{{0, 1}, {2}}, [][]int{{2}, {0, 1}}},
		"a chain, readers last": {[]float64{1, 1, 1, 1}, []register{{0, 8, []int{1}}, {1, 8, []int{2}}, {2, 8, []int{3}}},
			[][]int{{0}, {1}, {2}, {3}}, [][]int{{3}, {2}, {1}, {0}}},
		"a chain, in two passes": {[]float64{1, 1, 1, 1, 1},
			[]register{{0, 8, []int{1}}, {1, 8, []int{2}}, {2, 8, []int{3}}, {3, 8, []int{4}}},
			[][]int{{0}, {2}, {4}, {3}, {1}}, [][]int{{4}, {3}, {2}, {1}, {0}}},
	} {
		require.Equal(t, c.want, island(c.rates, c.registers).rankKinds(c.kinds), name)
	}
}
