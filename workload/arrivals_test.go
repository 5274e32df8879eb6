package workload

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Rules for the messages of every configuration.
func TestGenerateMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(2, 20).Draw(t, "nodes")
		cfg := Config{
			Nodes:     nodes,
			Pattern:   Pattern(rapid.IntRange(0, 2).Draw(t, "pattern")),
			Sizes:     Fixed(64),
			ReadShare: 0.5,
			Messages:  rapid.IntRange(1, 200).Draw(t, "messages"),
			Interval:  rapid.SampledFrom([]float64{0, 0.5, 5120, 1e9}).Draw(t, "interval"),
			Seed:      rapid.Uint64().Draw(t, "seed"),
		}
		compute, memory := nodeRange(0, nodes/2), nodeRange(nodes/2, nodes)
		if rapid.Bool().Draw(t, "all nodes are both") {
			compute, memory = nodeRange(0, nodes), nodeRange(0, nodes)
			cfg.Compute, cfg.Memory = compute, memory
		}
		messages, err := GenerateMessages(cfg)
		require.NoError(t, err)
		require.Len(t, messages, cfg.Messages)
		dests := map[int][]int{} // by source
		for i, m := range messages {
			require.EqualValues(t, i, m.ID)
			require.Contains(t, compute, m.Source)
			require.Contains(t, memory, m.Dest)
			require.NotEqual(t, m.Source, m.Dest)
			require.Equal(t, 64, m.Bytes)
			require.GreaterOrEqual(t, m.Start, int64(0))
			require.True(t, i == 0 || m.Start >= messages[i-1].Start)
			if !slices.Contains(dests[m.Source], m.Dest) {
				dests[m.Source] = append(dests[m.Source], m.Dest)
			}
		}
		switch cfg.Pattern {
		case Permutation:
			taken := map[int]bool{}
			for _, of := range dests {
				require.Len(t, of, 1)
				require.False(t, taken[of[0]])
				taken[of[0]] = true
			}
		case Incast:
			for _, of := range dests {
				require.Equal(t, memory[:1], of)
			}
		}
		again, err := GenerateMessages(cfg)
		require.NoError(t, err)
		require.Equal(t, messages, again)
	})
}

// The gaps of each sender are exponential with the mean asked for: mean, deviation and the share beyond the mean.
func TestArrivalsArePoisson(t *testing.T) {
	const interval, n = 20_000.0, 100_000
	messages, err := GenerateMessages(Config{Nodes: 8, Sizes: Fixed(1), Messages: 4 * n, Interval: interval, Seed: 5})
	require.NoError(t, err)
	last := map[int]int64{}
	gaps := map[int][]float64{}
	for _, m := range messages {
		gaps[m.Source] = append(gaps[m.Source], float64(m.Start-last[m.Source]))
		last[m.Source] = m.Start
	}
	require.Len(t, gaps, 4)
	for node, of := range gaps {
		require.InDelta(t, n, len(of), 5*math.Sqrt(4*n*0.25*0.75), "node %d", node)
		var sum, squares, beyond float64
		for _, gap := range of {
			sum += gap
			squares += gap * gap
			if gap > interval {
				beyond++
			}
		}
		count := float64(len(of))
		mean := sum / count
		require.InEpsilon(t, interval, mean, 5/math.Sqrt(n))
		require.InEpsilon(t, 2*interval*interval, squares/count, 5*math.Sqrt(5/count)) // E[x⁴]/E[x²]² - 1 = 5
		require.InDelta(t, 1/math.E, beyond/count, 5*0.5/math.Sqrt(n))
	}
}

func TestArrivalsAreUniformOverPairs(t *testing.T) {
	const n = 90_000
	messages, err := GenerateMessages(Config{
		Nodes: 10, Compute: []int{0, 1, 2}, Memory: []int{2, 7, 8, 9}, Sizes: Fixed(1), ReadShare: 0.25, Messages: n,
		Interval: 1, Seed: 6,
	})
	require.NoError(t, err)
	count, reads := map[[2]int]int{}, 0
	for _, m := range messages {
		count[[2]int{m.Source, m.Dest}]++
		if m.Type == Read {
			reads++
		}
	}
	require.Len(t, count, 4+4+3) // node 2 does not ask itself
	for pair, got := range count {
		want := n / 3. / 4
		if pair[0] == 2 {
			want = n / 3. / 3
		}
		require.InDelta(t, want, got, 5*math.Sqrt(want), "%v", pair)
	}
	require.InDelta(t, n/4, reads, 5*math.Sqrt(n*3./16))
}

// Another load, or another share of reads, leaves all else as it is.
func TestArrivalsDrawFromSeparateStreams(t *testing.T) {
	cfg := Config{Nodes: 16, Sizes: sizeTables[0], ReadShare: 0.5, Messages: 500, Interval: 1000, Seed: 7}
	slow, mixed := cfg, cfg
	slow.Interval *= 2
	mixed.ReadShare = 0.9
	want, err := GenerateMessages(cfg)
	require.NoError(t, err)
	gotSlow, err := GenerateMessages(slow)
	require.NoError(t, err)
	gotMixed, err := GenerateMessages(mixed)
	require.NoError(t, err)
	types := 0
	for i, m := range want {
		require.InDelta(t, 2*m.Start, gotSlow[i].Start, 2)
		gotSlow[i].Start = m.Start
		if gotMixed[i].Type != m.Type {
			types++
			require.Equal(t, Read, gotMixed[i].Type)
		}
		gotMixed[i].Type = m.Type
	}
	require.Equal(t, want, gotSlow)
	require.Equal(t, want, gotMixed)
	require.NotZero(t, types)
}

func TestIncastAtOnce(t *testing.T) {
	messages, err := GenerateMessages(Config{Nodes: 10, Pattern: Incast, Senders: 3, Sizes: Fixed(1000), Messages: 3})
	require.NoError(t, err)
	require.Equal(t, []Message{
		{ID: 0, Type: Write, Source: 0, Dest: 5, Bytes: 1000},
		{ID: 1, Type: Write, Source: 1, Dest: 5, Bytes: 1000},
		{ID: 2, Type: Write, Source: 2, Dest: 5, Bytes: 1000},
	}, messages)
}

func TestGenerateMessagesErrors(t *testing.T) {
	good := Config{Nodes: 4, Sizes: Fixed(1), Messages: 1}
	for want, change := range map[string]func(*Config){
		"1 nodes, want at least 2":           func(c *Config) { c.Nodes = 1 },
		"no sizes of messages":               func(c *Config) { c.Sizes = nil },
		"0 messages, want at least 1":        func(c *Config) { c.Messages = 0 },
		"share of reads 1.5, want 0 to 1":    func(c *Config) { c.ReadShare = 1.5 },
		"share of reads NaN, want 0 to 1":    func(c *Config) { c.ReadShare = math.NaN() },
		"interval -1 ps, want at least 0":    func(c *Config) { c.Interval = -1 },
		"no compute node, want at least one": func(c *Config) { c.Compute = []int{} },
		"memory node 4, want 0 to 3":         func(c *Config) { c.Memory = []int{3, 4} },
		"memory node -1, want 0 to 3":        func(c *Config) { c.Memory = []int{-1} },
		"compute node 1 is there twice":      func(c *Config) { c.Compute = []int{1, 0, 1} },
		"incast of 3 senders on node 2, want 1 to 2": func(c *Config) {
			c.Pattern, c.Senders = Incast, 3
		},
		"permutation of 3 compute nodes on 2 memory nodes, want as many": func(c *Config) {
			c.Pattern, c.Compute = Permutation, []int{0, 1, 2}
		},
		"node 2 is a compute node and the only memory node, want another for it to ask": func(c *Config) {
			c.Compute, c.Memory = []int{0, 2}, []int{2}
		},
		"pattern Pattern(3), want all-to-all, permutation or incast":           func(c *Config) { c.Pattern = 3 },
		"1 messages of 2 senders every +Inf ps, want a run of at most 2^53 ps": func(c *Config) { c.Interval = math.Inf(1) },
	} {
		cfg := good
		change(&cfg)
		_, err := GenerateMessages(cfg)
		require.EqualError(t, err, want)
	}
}

func TestParsePattern(t *testing.T) {
	for p := AllToAll; p <= Incast; p++ {
		got, err := ParsePattern(p.String())
		require.NoError(t, err)
		require.Equal(t, p, got)
	}
	_, err := ParsePattern("ring")
	require.EqualError(t, err, `pattern "ring", want all-to-all, permutation or incast`)
}
