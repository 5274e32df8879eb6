package study

import "github.com/goldwire/goldwire/claims"

// millionFlows is the point of Figures 15 to 17 (§7.1, §7.3).
const millionFlows = "512 nodes, a million flows"

// fairnessPoint is the point of §7.2's fairness.
const fairnessPoint = "512 nodes, 50 to 1,024 flows"

// millionOfFlows are its flows, and paperSizes their sizes, which have no limit (§7.3). A million draws make half of
// the load that is named.
const (
	millionOfFlows = 1_000_000
	paperSizes     = "pareto"
)

// The days on which claims were measured at a million flows, and how; a claim's PaperFigure names its day.
const (
	fig15aRun   = "29 November 2026" // verify --paper 'shoal/fig15a/...'
	fig15bRun   = "28 November 2026" // verify --paper 'shoal/fig15b'
	fig16Run    = "27 November 2026" // verify --paper 'shoal/fig16'
	fairnessRun = "29 November 2026" // verify --paper 'shoal/paper/fairness/*'
	torusRun    = "29 November 2026" // verify --paper 'shoal/7.3/torus/*'

	// run shoal load --nodes 512 --channels 4 --load 1 --sizes pareto --flows 1000000 --seed S, and the same with
	// --channels 2 --cell 128, with --nodes 1024, with --load 0.2, with --failed 0.2, and with --failed 0.4 (one seed)
	tailRun = "29 November 2026"
	oneRun  = tailRun + ", one seed"
)

// points are the points of the figures of §7, where the rack has 512 nodes (§7.1), and ours. Times of longer
// epochs and failed nodes are reckoned from runs of 3 to 13 minutes.
var points = []claims.Points{
	{Prefix: "shoal/fig12/full", Paper: "512 nodes, all of them sending"},
	{Prefix: "shoal/fig12/shape", Paper: "512 nodes", Own: "64 nodes of one channel"},
	{Prefix: "shoal/fig13", Paper: "512 nodes, 130 KB a flow", Own: "64 nodes, 7 KB; shoal/paper/fig13 has the paper's"},
	{Prefix: "shoal/paper", Paper: "512 nodes of four channels"},
	{Prefix: "shoal/paper/fairness", Paper: fairnessPoint, Own: "512 nodes, 50 and 512 flows", Takes: "3 min"},
	{Prefix: "shoal/fig14", Paper: "512 nodes, traffic not stated", Own: "64 nodes, 25 flows of 20 KB beside a load of 1"},
	{
		Prefix: "shoal/7.2/fairness", Paper: fairnessPoint,
		Own: "64 nodes, 100 flows; shoal/paper/fairness has 512 nodes",
	},
	{Prefix: "shoal/fig15a", Paper: millionFlows, Own: "512 nodes, 3,000 flows, three seeds", Takes: "1.5 h"},
	{Prefix: "shoal/fig15b", Paper: millionFlows, Own: "512 nodes, 1,500 flows", Takes: "20 min"},
	{Prefix: "shoal/7.3/torus", Paper: millionFlows, Own: "512 nodes, 1,500 flows", Takes: "20 min"},
	{Prefix: "shoal/7.3/epoch", Paper: millionFlows, Own: "3,000 flows in each run, three seeds", Takes: "3 h"},
	{
		Prefix: "shoal/7.3/failed", Paper: millionFlows, Own: "512 nodes, 3,000 flows in each run, three seeds",
		Takes: "2 h",
	},
	{Prefix: "shoal/fig16", Paper: millionFlows, Own: "512 nodes, 10,000 flows", Takes: "10 min"},
	{Prefix: "shoal/fig17", Paper: millionFlows, Own: "a permutation of the living of 64 nodes"},
	{
		Prefix: "shoal/fig17/rise", Paper: millionFlows, Own: "512 nodes, 3,000 flows in each run, three seeds",
		Takes: "3 h",
	},
	{Prefix: "shoal/fig18a", Paper: "512 nodes, flows not stated", Own: "512 nodes, 500 flows"},
	{Prefix: "shoal/fig18b", Paper: "512 nodes, flows not stated", Own: "512 nodes, 500 flows"},
	{Prefix: "shoal/7.4", Paper: "512 nodes, flows not stated", Own: "512 nodes, 2,000 flows"},
}
