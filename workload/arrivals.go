package workload

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Pattern says which nodes ask which memory nodes.
type Pattern uint8

// The patterns.
const (
	AllToAll    Pattern = iota // each message to a memory node drawn anew
	Permutation                // each compute node to one memory node of its own, drawn once
	Incast                     // the first Senders compute nodes to the first memory node
)

var patterns = [...]string{"all-to-all", "permutation", "incast"}

// String returns the pattern's name.
func (p Pattern) String() string {
	if int(p) < len(patterns) {
		return patterns[p]
	}
	return fmt.Sprintf("Pattern(%d)", uint8(p))
}

// ParsePattern is the inverse of String.
func ParsePattern(s string) (Pattern, error) {
	if i := slices.Index(patterns[:], s); i >= 0 {
		return Pattern(i), nil
	}
	return 0, fmt.Errorf("pattern %q, want all-to-all, permutation or incast", s)
}

// MarshalText implements [encoding.TextMarshaler].
func (p Pattern) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (p *Pattern) UnmarshalText(text []byte) error {
	v, err := ParsePattern(string(text))
	if err == nil {
		*p = v
	}
	return err
}

// Config describes messages for [GenerateMessages].
type Config struct {
	Nodes   int
	Compute []int // nodes that ask; nil: the first half
	Memory  []int // nodes that answer; nil: the second half
	Pattern Pattern
	Senders int // of Incast; 0: all compute nodes

	Sizes     Sizes
	ReadShare float64 // of reads among all messages, 0 to 1; the others are writes
	Messages  int

	// Interval is the mean time in picoseconds between the messages of one sender, each a Poisson process of its own. At
	// 0 all messages start at time 0 and the senders take turns.
	Interval float64
	Seed     uint64
}

// maxDuration is how long a run may last on average, in picoseconds: to here a float64 counts them one by one.
const maxDuration = 1 << 53

// GenerateMessages makes the messages of cfg, sorted by start and numbered from 0 in this order. A node is never asked
// by itself.
//
// Times, pairs, types and sizes are drawn from separate streams of the seed, so that the same messages come at every
// load.
func GenerateMessages(cfg Config) ([]Message, error) {
	senders, pick, err := cfg.pairs(rand.New(rand.NewPCG(cfg.Seed, 1)))
	if err != nil {
		return nil, err
	}
	times := rand.New(rand.NewPCG(cfg.Seed, 0))
	types := rand.New(rand.NewPCG(cfg.Seed, 2))
	sizes := rand.New(rand.NewPCG(cfg.Seed, 3))
	// Poisson processes together are one of the summed rate, whose events fall on each alike.
	interval := cfg.Interval / float64(len(senders))
	if interval*float64(cfg.Messages) > maxDuration {
		return nil, fmt.Errorf("%d messages of %d senders every %g ps, want a run of at most 2^53 ps", cfg.Messages,
			len(senders), cfg.Interval)
	}
	now := 0.0
	messages := make([]Message, cfg.Messages)
	for i := range messages {
		sender := i % len(senders)
		if interval > 0 {
			now += float64(times.ExpFloat64() * interval) // rounded here, so that no machine fuses it with the sum
			sender = times.IntN(len(senders))
		}
		m := Message{ID: uint64(i), Type: Write, Source: senders[sender], Dest: pick(sender),
			Bytes: cfg.Sizes.Draw(sizes), Start: int64(now)}
		if types.Float64() < cfg.ReadShare {
			m.Type = Read
		}
		messages[i] = m
	}
	return messages, nil
}

// pairs checks cfg. It returns the sending nodes, and a function that picks a destination for senders[sender].
func (cfg *Config) pairs(rng *rand.Rand) (senders []int, pick func(sender int) int, err error) {
	if cfg.Nodes < 2 {
		return nil, nil, fmt.Errorf("%d nodes, want at least 2", cfg.Nodes)
	}
	compute, memory := cfg.Compute, cfg.Memory
	if compute == nil {
		compute = nodeRange(0, cfg.Nodes/2)
	}
	if memory == nil {
		memory = nodeRange(cfg.Nodes/2, cfg.Nodes)
	}
	switch {
	case cfg.Sizes == nil:
		return nil, nil, errors.New("no sizes of messages")
	case cfg.Messages < 1:
		return nil, nil, fmt.Errorf("%d messages, want at least 1", cfg.Messages)
	case !(cfg.ReadShare >= 0 && cfg.ReadShare <= 1): // NaN is neither
		return nil, nil, fmt.Errorf("share of reads %g, want 0 to 1", cfg.ReadShare)
	case !(cfg.Interval >= 0):
		return nil, nil, fmt.Errorf("interval %g ps, want at least 0", cfg.Interval)
	}
	if err := cfg.checkNodes("compute", compute); err != nil {
		return nil, nil, err
	}
	if err := cfg.checkNodes("memory", memory); err != nil {
		return nil, nil, err
	}
	if len(memory) == 1 && cfg.Pattern != Incast && slices.Contains(compute, memory[0]) {
		return nil, nil, fmt.Errorf("node %d is a compute node and the only memory node, want another for it to ask",
			memory[0])
	}

	switch cfg.Pattern {
	case AllToAll:
		return compute, func(sender int) int {
			for {
				if dest := memory[rng.IntN(len(memory))]; dest != compute[sender] {
					return dest
				}
			}
		}, nil

	case Permutation:
		if len(memory) < len(compute) {
			return nil, nil, fmt.Errorf("permutation of %d compute nodes on %d memory nodes, want as many",
				len(compute), len(memory))
		}
		dests := slices.Clone(memory)
		for ok := false; !ok; { // some three times when all nodes are both
			rng.Shuffle(len(dests), func(i, j int) { dests[i], dests[j] = dests[j], dests[i] })
			ok = true
			for i, node := range compute {
				ok = ok && dests[i] != node
			}
		}
		return compute, func(sender int) int { return dests[sender] }, nil

	case Incast:
		dest := memory[0]
		senders = slices.DeleteFunc(slices.Clone(compute), func(node int) bool { return node == dest })
		k := cfg.Senders
		if k == 0 {
			k = len(senders)
		}
		if k < 1 || k > len(senders) {
			return nil, nil, fmt.Errorf("incast of %d senders on node %d, want 1 to %d", k, dest, len(senders))
		}
		return senders[:k], func(int) int { return dest }, nil
	}
	return nil, nil, fmt.Errorf("pattern %v, want all-to-all, permutation or incast", cfg.Pattern)
}

// nodeRange lists the nodes from first to before end.
func nodeRange(first, end int) []int {
	nodes := make([]int, end-first)
	for i := range nodes {
		nodes[i] = first + i
	}
	return nodes
}

func (cfg *Config) checkNodes(kind string, nodes []int) error {
	if len(nodes) == 0 {
		return fmt.Errorf("no %s node, want at least one", kind)
	}
	seen := make(map[int]bool, len(nodes))
	for _, node := range nodes {
		if node < 0 || node >= cfg.Nodes {
			return fmt.Errorf("%s node %d, want 0 to %d", kind, node, cfg.Nodes-1)
		}
		if seen[node] {
			return fmt.Errorf("%s node %d is there twice", kind, node)
		}
		seen[node] = true
	}
	return nil
}
