package packetnet

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// walk follows a packet from port to port, and returns the ports.
func walk(t *testing.T, f *fabric, from, to int, path int32) []int {
	k := &packet{from: int16(from), to: int16(to), path: path, port: int32(from)}
	ports := []int{from}
	for range 64 {
		if int(f.to[k.port]) < f.n {
			require.EqualValues(t, to, f.to[k.port])
			return ports
		}
		p := f.egress(k)
		// a switch sends by its own ports alone: the cable's other direction starts at it too
		require.Equal(t, f.to[k.port], f.to[f.back[p]])
		k.port = int32(p)
		ports = append(ports, p)
	}
	require.Fail(t, "the packet does not arrive")
	return nil
}

func join(t *testing.T, c Config) *fabric {
	require.NoError(t, c.check())
	f, err := newFabric(c, nil)
	require.NoError(t, err)
	for p := range f.to {
		require.EqualValues(t, p, f.back[f.back[p]])
		if p < f.n {
			require.EqualValues(t, p, f.to[f.back[p]])
		}
	}
	return f
}

func closConfig(nodes, ports int) Config {
	c := DefaultConfig(NDP)
	c.Topology, c.Nodes, c.Ports, c.Spray = Clos, nodes, ports, true
	return c
}

// §5 of Shoal: 512 nodes need 24 switches of 64 ports; and others that can be drawn on paper. Each switch has as many
// ports as it should.
func TestSwitchesOfAClos(t *testing.T) {
	for _, c := range []struct{ nodes, ports, switches int }{{512, 64, 24}, {8, 4, 6}, {8, 8, 3},
		{64, 16, 12}, {128, 16, 24}} {
		cfg := closConfig(c.nodes, c.ports)
		got, err := cfg.Switches()
		require.NoError(t, err)
		require.Equal(t, c.switches, got)
		f := join(t, cfg)
		ports := make([]int, got)
		for p := range f.to {
			if to := int(f.to[p]); to >= f.n {
				ports[to-f.n]++ // links that end there
			}
		}
		for _, n := range ports {
			require.Equal(t, c.ports, n)
		}
	}
	_, err := closConfig(96, 16).Switches()
	require.EqualError(
		t, err,
		"ndp: clos: 96 nodes on switches of 16 ports, want an even number of leaves with half the ports to nodes that "+
			"divides the ports",
	)
}

// Every path leads to its node, over two links at one leaf and over four otherwise, and paths differ in the spine or
// in the link down.
func TestPathsOfAClos(t *testing.T) {
	f := join(t, closConfig(16, 8)) // four leaves, two spines, two links between each two of them
	for from := range 16 {
		for to := range 16 {
			if from == to {
				continue
			}
			seen := map[string]bool{}
			for path := range int32(8) { // four uplinks, two links down from their spine
				ports := walk(t, f, from, to, path)
				if from/4 == to/4 {
					require.Len(t, ports, 2)
				} else {
					require.Len(t, ports, 4)
				}
				seen[fmt.Sprint(ports)] = true
			}
			if from/4 == to/4 {
				require.Len(t, seen, 1)
			} else {
				require.Len(t, seen, 8)
			}
		}
	}
}

// A pair keeps its path; a node that sprays takes each of its paths once before any for the second time.
func TestChoiceOfPaths(t *testing.T) {
	cfg := closConfig(16, 8)
	f := join(t, cfg)
	for range 3 {
		seen := map[int32]bool{}
		for range 8 {
			seen[f.topology.path(&packet{from: 3, to: 9})] = true
		}
		require.Len(t, seen, 8)
	}
	cfg.Spray = false
	f = join(t, cfg)
	counts := make([]int, 8)
	for from := range int16(16) {
		for to := range int16(16) {
			p := f.topology.path(&packet{from: from, to: to})
			require.Equal(t, p, f.topology.path(&packet{from: from, to: to}))
			counts[p]++
		}
	}
	for _, n := range counts { // 256 pairs on 8 paths: 32 on average, standard deviation 5.3
		require.InDelta(t, 32, n, 4*5.3)
	}
	other := cfg
	other.Seed++
	g := join(t, other)
	same := 0
	for from := range int16(16) {
		for to := range int16(16) {
			if f.topology.path(&packet{from: from, to: to}) == g.topology.path(&packet{from: from, to: to}) {
				same++
			}
		}
	}
	require.Less(t, same, 80) // 32 on average
}

// Packets of a torus take a shortest way, as a search through its links finds it, along x, then y, then z.
func TestWaysOfATorus(t *testing.T) {
	for _, side := range []int{2, 3, 4} {
		cfg := DefaultConfig(R2C2)
		cfg.Side, cfg.Nodes = side, side*side*side
		f := join(t, cfg)
		for from := range cfg.Nodes {
			far := make([]int, cfg.Nodes) // by breadth first
			for i := range far {
				far[i] = -1
			}
			far[from] = 0
			queue := []int{from}
			for len(queue) > 0 {
				at := queue[0]
				queue = queue[1:]
				for d := 1; d <= 6; d++ {
					to := int(f.to[f.n+at*7+d]) - f.n
					if far[to] < 0 {
						far[to] = far[at] + 1
						queue = append(queue, to)
					}
				}
			}
			for to := range cfg.Nodes {
				if to == from {
					continue
				}
				ports := walk(t, f, from, to, 0)
				require.Len(t, ports, far[to]+2) // into the router, and out of one
				dimension := 0
				for _, p := range ports[1 : len(ports)-1] {
					d := ((p-f.n)%7 - 1) / 2
					require.GreaterOrEqual(t, d, dimension)
					dimension = d
				}
				course := torus{side, f.n}.course(nil, from, to)
				require.Len(t, course, far[to])
				for i, p := range course {
					require.EqualValues(t, ports[i+1], p)
				}
			}
		}
	}
}

// With uniform traffic of even sides each link carries the same: N (N-1) pairs over a mean distance of 3 side/4 ×
// N/(N-1), on 6 N links.
func TestTorusIsUniform(t *testing.T) {
	const side = 4
	g := torus{side, 64}
	on := make([]int, 64+64*7)
	for from := range 64 {
		for to := range 64 {
			for _, p := range g.course(nil, from, to) {
				on[p]++
			}
		}
	}
	for i := range 64 {
		for d := 1; d <= 6; d++ {
			require.Equal(t, 64*64*3*side/4/(6*64), on[g.port(i, d)])
		}
	}
}
