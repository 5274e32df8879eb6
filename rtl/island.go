package rtl

import "slices"

// Island is a part of a design that can be run ahead of the others for a window.
type Island struct {
	Modules []string // their paths, in the order of adding
	Clocks  []*Clock
}

// Islands returns the islands of an elaborated simulation, in the order of their first modules; one if it has no delay
// that is long enough to cut it.
func (s *Sim) Islands() []Island {
	s.mustBe(running, "Islands")
	var islands []Island
	for _, nodes := range s.engine.Islands() {
		var i Island
		for _, n := range nodes {
			i.Modules = append(i.Modules, n.Path)
			if c := s.clocks[n.Clock]; !slices.Contains(i.Clocks, c) {
				i.Clocks = append(i.Clocks, c)
			}
		}
		islands = append(islands, i)
	}
	return islands
}
