package compile

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// starts reads from a schedule when each node's operations start, counted from the first one. The operations of table t
// are t_MATCH and t_ACTION, a condition's has its name.
func (c *compiler) starts(s *schedule.Schedule) ([]start, error) {
	if len(s.Start) == 0 || len(s.Start) != len(s.Graph.Nodes) {
		return nil, fmt.Errorf(
			"%s: a schedule of %d starts for %d operations", c.program.Name, len(s.Start), len(s.Graph.Nodes),
		)
	}
	if s.Period < 1 || s.Limits.MatchLatency != drmt.MatchLatency {
		return nil, fmt.Errorf(
			"%s: a schedule of period %d for a match latency of %d, the machine's is %d", c.program.Name, s.Period,
			s.Limits.MatchLatency, drmt.MatchLatency,
		)
	}
	first := slices.Min(s.Start)
	times := map[string]int{}
	for i, n := range s.Graph.Nodes {
		times[n.Name] = s.Start[i] - first
	}
	get := func(name string) (int, error) {
		t, ok := times[name]
		if !ok {
			return 0, fmt.Errorf("%s: the schedule has no operation %s", c.program.Name, name)
		}
		return t, nil
	}
	at := make([]start, len(c.operations))
	for x, op := range c.operations {
		act := op.name
		var err error
		if c.flow.nodes[x].Table != nil {
			act += "_ACTION"
		}
		if at[x].act, err = get(act); err != nil {
			return nil, err
		}
		if op.match != nil {
			if at[x].match, err = get(op.name + "_MATCH"); err != nil {
				return nil, err
			}
		}
	}
	return at, nil
}
