package study

import (
	"math"

	"github.com/goldwire/goldwire/experiment"
	measures "github.com/goldwire/goldwire/workload/measure"
)

// drawnBand is by how much of a load the flows drawn may miss it without a word.
const drawnBand = 0.1

// drawnLoads says where the flows drawn make another load than the one asked for. What several networks have in common
// it says once.
type drawnLoads map[[2]float64]bool

func (said drawnLoads) say(r *experiment.Report, asked, drawn float64, sizes string) {
	if math.Abs(drawn/asked-1) <= drawnBand || said[[2]float64{asked, drawn}] {
		return
	}
	said[[2]float64{asked, drawn}] = true
	why := "More flows come closer."
	if sizes == "pareto" {
		why = "Half of this distribution's mean lies in flows of more than 5 GB, which are rarely drawn; pareto:10000000 " +
			"has none."
	}
	r.Linef("Load %g was asked for, the flows drawn make %.3f. %s", asked, drawn, why)
}

// carriedAt is what a run has seen up to a slot.
type carriedAt struct {
	offered, arrived float64 // bytes of flows that have started, and that are complete
	flows, pending   int     // that have started, and are not complete
}

// carriedSlots is how many slots lie between two of them.
const carriedSlots = 64

// carried finds a run's carried load from its samples, the last one at its end. The first sample stands for its
// beginning.
func carried(samples []carriedAt, slotNanoseconds float64) measures.Carried {
	n := len(samples) - 1
	if n < 4 {
		return measures.Carried{}
	}
	var c measures.Carried
	last, warm := samples[n], samples[n/4]
	c.Messages = last.flows
	ns := float64((n-n/4)*carriedSlots) * slotNanoseconds
	c.Offered, c.Arrived = (last.offered-warm.offered)*8/ns, (last.arrived-warm.arrived)*8/ns
	for q := range c.UnderWay {
		from, to := n*q/4, n*(q+1)/4
		for _, s := range samples[from+1 : to+1] {
			c.UnderWay[q] += float64(s.pending) / float64(to-from)
		}
	}
	return c
}

// mergeCarried puts two runs side by side.
func mergeCarried(a, b measures.Carried) measures.Carried {
	a.Fullest = measures.Place{} // each has its own nodes
	a.Offered, a.Arrived, a.Messages = a.Offered+b.Offered, a.Arrived+b.Arrived, a.Messages+b.Messages
	for q := range a.UnderWay {
		a.UnderWay[q] += b.UnderWay[q]
	}
	return a
}

// saySteady fails a run in which a network does not keep up with its flows.
func saySteady(r *experiment.Report, what string, c measures.Carried) {
	if !c.Steady() {
		r.Failf(
			"not steady: %s. %.1f Gb/s arrive where %.1f are offered, all nodes together; %s. Completion times grow with "+
				"--flows.",
			what, c.Arrived, c.Offered, c.Growth(),
		)
	}
}
