package schedule

import (
	"math/rand/v2"
	"testing"
)

// The search with ejection on a random graph of Figure 6's recipe, a length too short to be found: 20,000 placements.
func BenchmarkEjection(b *testing.B) {
	g := RandomGraph(Figure6, rand.New(rand.NewPCG(1, 1)))
	m := newModel(g, DRMT(1))
	p := newBins(m, false, false).enough()
	b.ReportAllocs()
	for range b.N {
		e := newEjector(m, p, m.critical+1, rand.New(rand.NewPCG(2, 2)))
		e.run(b.Context(), 20000)
	}
}
