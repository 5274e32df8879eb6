package study

import "github.com/goldwire/goldwire/claims"

// The points of Figure 17b.
const (
	thousandRuns = "Figure 17a, 1,000 runs of 10 ms"
	fiveRuns     = "the same, five runs of 10 ms"
)

// fabricRun is the day on which the fabric of 8 pods and Figure 17a's pod for 10 ms were measured: verify --paper
// 'spfc/table3/...' 'spfc/fig15/...' 'spfc/fig16/...' 'spfc/fig18/...'
const fabricRun = "29 November 2026"

// points are the points of the simulations of §VII, and ours. Section III's and Figure 3a's are the paper's: 30
// senders, 100 Gb/s, 16 MB.
var points = []claims.Points{
	{Prefix: "spfc/fig13", Paper: "Figure 3a, loads 0.4 and 0.2", Own: "the same, 20 runs of 50 ms, 40 of P0"},
	{Prefix: "spfc/fig14a", Paper: "Figure 3a, loads of bursts, runs not stated", Own: "the same, 20 runs of 50 ms"},
	{Prefix: "spfc/fig14b", Paper: "Figure 3a, loads of bursts, runs not stated", Own: "the same, 20 runs of 50 ms"},
	{Prefix: "spfc/fig15", Paper: "8 pods of 64 hosts", Own: "one pod of 64 hosts, three runs of 2 ms", Takes: "20 min"},
	{Prefix: "spfc/fig16", Paper: "8 pods of 64 hosts", Own: "one pod of 64 hosts, three runs of 2 ms", Takes: "20 min"},
	{Prefix: "spfc/table3", Paper: "8 pods of 64 hosts", Own: "one pod of 64 hosts, three runs of 2 ms, five of a cell",
		Takes: "20 min"},
	{Prefix: "spfc/fig17/dcqcn", Paper: thousandRuns, Own: fiveRuns, Takes: "20 min"},
	{Prefix: "spfc/fig17/timely", Paper: thousandRuns, Own: fiveRuns, Takes: "20 min"},
	{Prefix: "spfc/fig18", Paper: "Figure 17a, runs of 10 ms", Own: "the same, three runs of 2 ms", Takes: "15 min"},
}
