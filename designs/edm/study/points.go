package study

import "github.com/goldwire/goldwire/claims"

// points are the points of §4.3, 144 nodes at 100 Gb/s, and ours. The paper gives no numbers of messages.
var points = []claims.Points{
	{Prefix: "edm/fig8a", Paper: "144 nodes, 64 B", Own: "144 nodes, 64 B, 200,000 messages a load"},
	{Prefix: "edm/fig8a/reactive", Paper: "144 nodes, 64 B", Own: "16 nodes, 60,000 B: nothing reacts at the other"},
	{
		Prefix: "edm/fig8b", Paper: "144 nodes, five applications, load and messages not stated",
		Own: "144 nodes, Hadoop's, 600 messages at load 0.2; --paper has all five, 3,000 each", Takes: "8 min",
	},
	{
		Prefix: "edm/fig8b/mean", Paper: "144 nodes, five applications, load and messages not stated",
		Own: "144 nodes, Hadoop's, 1,000 messages at load 0.1; --paper has all five, 3,000 each", Takes: "4 min",
	},
	{
		Prefix: "edm/fig8b/mean/twice-the-load", Paper: "144 nodes, five applications, load and messages not stated",
		Own: "144 nodes, Hadoop's, 600 messages at load 0.2; --paper has all five, 3,000 each", Takes: "8 min",
	},
}
