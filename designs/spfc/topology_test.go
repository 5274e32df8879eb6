package spfc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func routed(t *testing.T, top *Topology) (wiring, [][][]uint8) {
	t.Helper()
	w := top.wire()
	r, err := top.routes(w)
	require.NoError(t, err)
	return w, r
}

// names of the nodes on a flow's way.
func way(t *testing.T, top *Topology, from, to int, flow uint32) []string {
	t.Helper()
	w, r := routed(t, top)
	names := []string{top.NodeName(from)}
	node := w.peers[from][0].node
	for node != to {
		names = append(names, top.NodeName(node))
		require.Less(t, len(names), 10, "no end: %v", names)
		node = w.peers[node][top.pick(r, node, to, flow)].node
	}
	return append(names, top.NodeName(to))
}

func TestClosOfEightPods(t *testing.T) {
	top := Clos(8)
	require.Equal(t, 512, top.Hosts)
	require.Len(t, top.Names, 8*(2+4)+4)
	w, r := routed(t, top)
	for s, name := range top.Names {
		ports, up := len(w.peers[top.Hosts+s]), 0
		for _, p := range w.peers[top.Hosts+s] {
			if p.node >= top.Hosts {
				up++
			}
		}
		switch name[0] {
		case 'T':
			require.Equal(t, []int{18, 2}, []int{ports, up}, name)
		case 'L':
			require.Equal(t, []int{8, 8}, []int{ports, up}, name)
		case 'S':
			require.Equal(t, []int{16, 16}, []int{ports, up}, name)
		}
		for h := range top.Hosts {
			n := len(r[s][h])
			want := map[byte][]int{'T': {1, 2}, 'L': {1, 4}, 'S': {2, 2}}[name[0]]
			require.Contains(t, want, n, "%s to H%d", name, h)
		}
	}
	require.Len(t, way(t, top, 0, 511, 1), 7, "six links: a base RTT of 24 us")
	require.Len(t, way(t, top, 0, 20, 1), 5)
	require.Equal(t, []string{"H0", "T0", "H1"}, way(t, top, 0, 1, 5))
}

// ECMP spreads flows over all ways evenly, and the choice of a leaf is independent of the choice of a spine.
func TestECMPSpreads(t *testing.T) {
	top := Clos(8)
	w, r := routed(t, top)
	counts := map[[2]int]int{}
	const flows = 8000
	for f := range flows {

		tor := w.peers[0][0].node
		up := top.pick(r, tor, 511, uint32(f))
		leaf := w.peers[tor][up].node
		counts[[2]int{up, top.pick(r, leaf, 511, uint32(f))}]++
	}
	require.Len(t, counts, 8)
	for k, n := range counts {
		require.InDelta(t, flows/8, n, 5*30, "%v", k) // sqrt(8000/8*7/8) = 30
	}
}

// Figure 17a: the ways between T0 and T3 that make the circle of buffers.
func TestDeadlockPodGoesDownAndUpAgain(t *testing.T) {
	top := DeadlockPod()
	seen := map[string]bool{}
	for f := range 50 {
		names := way(t, top, 0, 63, uint32(f))
		require.Len(t, names, 7)
		seen[names[1]+names[2]+names[3]+names[4]+names[5]] = true
		back := way(t, top, 63, 0, uint32(f))
		seen[back[1]+back[2]+back[3]+back[4]+back[5]] = true
	}
	require.Equal(t, map[string]bool{"T0L0T1L1T3": true, "T0L0T2L1T3": true, "T3L1T1L0T0": true, "T3L1T2L0T0": true}, seen)
}

func TestUnreachableHost(t *testing.T) {
	top := SingleSwitch(2, Microsecond, Gbps100, 1_000_000)
	top.Links = top.Links[:3]
	_, err := top.routes(top.wire())
	require.EqualError(t, err, "single switch: no way from S to H3")
}

// By hand: 66 packets of 1,048 B on Figure 3a are 5,533.44 ns at the host, 9 us, one packet of 83.84 ns more, 1 us.
func TestAlone(t *testing.T) {
	top := SingleSwitch(30, 9*Microsecond, Gbps100, 16_000_000)
	w, r := routed(t, top)
	require.Equal(t, 5533_440+9_000_000+83_840+1_000_000*Time(1), top.alone(w, r, 0, 30, 0, 65, 1048, 1048))
	// a last packet of 148 B is 11.84 ns at the host, comes while the one before leaves (83.84 ns), and leaves after it
	require.Equal(t, 10*83_840+9_000_000+83_840+11_840+1_000_000*Time(1), top.alone(w, r, 0, 30, 0, 10, 1048, 148))
	require.Equal(t, 2*11_840+10_000_000*Time(1), top.alone(w, r, 0, 30, 0, 0, 1048, 148))
}

// In a triangle of switches the way over the third one is no shortest one.
func TestOnlyShortestWays(t *testing.T) {
	top := &Topology{Name: "triangle", Hosts: 3, Names: []string{"A", "B", "C"}}
	for _, ab := range [][2]int{{0, 3}, {1, 4}, {2, 5}, {3, 4}, {4, 5}, {5, 3}} {
		top.Links = append(top.Links, TopologyLink{ab[0], ab[1], Gbps100, Microsecond})
	}
	_, r := routed(t, top)
	require.Equal(t, [][][]uint8{{{0}, {1}, {2}}, {{1}, {0}, {2}}, {{2}, {1}, {0}}}, r)
}
