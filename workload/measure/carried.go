package measure

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/workload"
)

// Carried tells whether a network kept up with the messages that were offered. The time from the first start to the
// last has four quarters; in the first one queues fill.
type Carried struct {
	// payload of the messages that start in the last three quarters, of all nodes together
	Offered  float64    `json:"offered_gbps"`
	Arrived  float64    `json:"arrived_gbps"` // payload of the messages that finish in them
	Messages int        `json:"messages"`     // that start in the whole of the four
	UnderWay [4]float64 `json:"under_way"`    // messages that have started and have not finished, means by quarter
	Fullest  Place      `json:"fullest"`      // where most of the last quarter's are
}

// Place is a node that sends or receives more than three times its share of the messages under way; Share 0: there is
// none.
type Place struct {
	Node     int     `json:"node"`
	Receives bool    `json:"receives"` // payload; otherwise the node sends it
	Share    float64 `json:"share"`
}

// String is "93 % are to node 4", or empty.
func (p Place) String() string {
	switch {
	case p.Share == 0:
		return ""
	case p.Receives:
		return fmt.Sprintf("%.0f %% are to node %d", 100*p.Share, p.Node)
	}
	return fmt.Sprintf("%.0f %% are from node %d", 100*p.Share, p.Node)
}

// backlog is the messages under way at each node.
type backlog []float64

func (b *backlog) add(node int, messages float64) {
	for len(*b) <= node {
		*b = append(*b, 0)
	}
	(*b)[node] += messages
}

// fullest returns the node with the most, if that is more than three times the mean of the nodes.
func (b backlog) fullest(receives bool, nodes int) Place {
	sum, p := 0.0, Place{Receives: receives}
	for i, v := range b {
		sum += v
		if v > b[p.Node] {
			p.Node = i
		}
	}
	if sum == 0 || b[p.Node]*float64(nodes) <= 3*sum {
		return Place{}
	}
	p.Share = b[p.Node] / sum
	return p
}

// busy counts the nodes that send or receive.
func busy(senders, receivers backlog) (nodes int) {
	for i := range max(len(senders), len(receivers)) {
		if i < len(senders) && senders[i] > 0 || i < len(receivers) && receivers[i] > 0 {
			nodes++
		}
	}
	return nodes
}

// NewCarried counts the messages' results. If all start at once nothing is known, and it is 0.
func NewCarried(results []workload.Result) Carried {
	c := Carried{Messages: len(results)}
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for _, r := range results {
		first, last = min(first, r.Start), max(last, r.Start)
	}
	if last <= first {
		return Carried{}
	}
	quarter := float64(last-first) / 4
	warm := float64(first) + quarter
	var senders, receivers backlog
	for _, r := range results {
		if float64(r.Start) >= warm {
			c.Offered += float64(r.Bytes)
		}
		finish := math.Inf(1)
		if r.Finished {
			finish = float64(r.Finish)
			if finish >= warm && r.Finish <= last {
				c.Arrived += float64(r.Bytes)
			}
		}
		for q := range c.UnderWay {
			from := float64(first) + float64(q)*quarter
			share := max(min(finish, from+quarter)-max(float64(r.Start), from), 0) / quarter
			c.UnderWay[q] += share
			if q == len(c.UnderWay)-1 {
				from, to := r.Source, r.Dest
				if r.Type != workload.Write {
					from, to = to, from
				}
				senders.add(from, share)
				receivers.add(to, share)
			}
		}
	}
	nodes := busy(senders, receivers)
	c.Fullest = senders.fullest(false, nodes)
	if p := receivers.fullest(true, nodes); p.Share > c.Fullest.Share {
		c.Fullest = p
	}
	c.Offered *= 8000 / (3 * quarter)
	c.Arrived *= 8000 / (3 * quarter)
	return c
}

// Steady is false if the messages under way grow: from the second quarter to the third and on to the fourth, and in
// all by more than a hundredth of the messages and by more than chance explains. If a share s of the offered messages
// does not arrive, the messages under way grow by half of s times all messages, so the rule finds a network that loses
// more than 2 % of its load.
//
// Chance is three standard deviations of the difference of two numbers that are distributed as Poisson's.
func (c Carried) Steady() bool {
	second, third, fourth := c.UnderWay[1], c.UnderWay[2], c.UnderWay[3]
	return !(second < third && third < fourth && fourth-second > max(float64(c.Messages)/100, 3*math.Sqrt(second+fourth)))
}

// Growth says how the messages under way grow, and at which node if most are at one.
func (c Carried) Growth() string {
	s := fmt.Sprintf("%.0f, %.0f, %.0f and %.0f of %d messages are under way in the quarters of the arrivals",
		c.UnderWay[0], c.UnderWay[1], c.UnderWay[2], c.UnderWay[3], c.Messages)
	if c.Fullest.Share > 0 {
		s += ", of the last ones " + c.Fullest.String()
	}
	return s
}
