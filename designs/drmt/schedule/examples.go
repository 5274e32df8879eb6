package schedule

// Figure2 returns the toy program of Figures 2 and 3, and the limits they are drawn for: one match and two actions a
// cycle, a latency of one cycle everywhere. Every operation takes the numbers at its node.
func Figure2() (*Graph, Limits) {
	g := &Graph{Name: "figure2",
		Nodes: []Node{
			{Name: "A0", Kind: Action, Fields: 2}, {Name: "M1", Kind: Match, KeyBits: 1},
			{Name: "M2", Kind: Match, KeyBits: 1}, {Name: "A1", Kind: Action, Fields: 1},
			{Name: "A2", Kind: Action, Fields: 1},
		},
		Edges: []Edge{{From: 0, To: 1, Delay: AfterAction}, {From: 0, To: 2, Delay: AfterAction},
			{From: 1, To: 3, Delay: AfterMatch, SameTable: true}, {From: 2, To: 4, Delay: AfterMatch, SameTable: true}}}
	return g, Limits{SegmentBits: 1, Segments: 1, Fields: 2, MatchLatency: 1, ActionLatency: 1, IPC: 1}
}

// Figure4 returns the unicast and multicast program of Figure 4b with the limits of Example 3.2: two matches a cycle,
// any number of fields, a match of two cycles, an action of one, IPC 1. Table 0 has no action; M0 takes part as a match
// alone.
func Figure4() (*Graph, Limits) {
	g := &Graph{Name: "figure4",
		Nodes: []Node{
			{Name: "M0", Kind: Match, KeyBits: 80}, {Name: "M1", Kind: Match, KeyBits: 80},
			{Name: "M2", Kind: Match, KeyBits: 80}, {Name: "M3", Kind: Match, KeyBits: 80},
			{Name: "A1", Kind: Action, Fields: 3}, {Name: "A2", Kind: Action, Fields: 1},
			{Name: "A3", Kind: Action, Fields: 1},
		},
		Edges: []Edge{
			{From: 0, To: 4, Delay: AfterMatch},
			{From: 0, To: 5, Delay: AfterMatch},
			{From: 1, To: 4, Delay: AfterMatch, SameTable: true},
			{
				From: 2, To: 5, Delay: AfterMatch, SameTable: true,
			},
			{From: 3, To: 6, Delay: AfterMatch, SameTable: true},
			{From: 5, To: 6, Delay: AfterAction},
		}}
	return g, Limits{SegmentBits: 80, Segments: 2, Fields: 1 << 10, MatchLatency: 2, ActionLatency: 1, IPC: 1}
}
