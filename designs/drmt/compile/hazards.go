package compile

import (
	"fmt"

	"github.com/goldwire/goldwire/designs/drmt"
)

// start is when a node's operations start: Match is meaningless without a match, Act is the start of its action or
// condition.
type start struct{ match, act int }

// hazards checks each two nodes of a path for the cycles that the hardware needs between them: a reader of a field
// reads when all writes before it are done and none after it is. A program whose graph has all its dependencies passes.
//
// The header vector is written at the edge after an action's start and read by key generation at a match's start, by
// ALUs at the edge after the action's start.
func (c *compiler) hazards(at []start) error {
	reach := c.flow.reaches()
	for x := range c.operations {
		for y := range c.operations {
			if !reach[x][y] {
				continue
			}
			a, b := &c.operations[x], &c.operations[y]
			fault := func(what, field string, need int, first, second int) error {
				return fmt.Errorf(
					"%s: %s at cycle %d %s %s, %s at cycle %d comes too early: want %d cycles or more", c.program.Name,
					a.name, first, what, field, b.name, second, need,
				)
			}
			if b.match != nil {
				if f, ok := c.common(a.writes, b.match.keys); ok && at[y].match-at[x].act < drmt.ActionLatency {
					return fault("writes", f, drmt.ActionLatency, at[x].act, at[y].match)
				}
			}
			if f, ok := c.common(a.writes, b.reads); ok && at[y].act-at[x].act < 1 {
				return fault("writes", f, 1, at[x].act, at[y].act)
			}
			if f, ok := c.common(a.writes, b.writes); ok && at[y].act-at[x].act < 1 {
				return fault("writes", f, 1, at[x].act, at[y].act)
			}
			if f, ok := c.common(a.reads, b.writes); ok && at[y].act < at[x].act {
				return fault("reads", f, 0, at[x].act, at[y].act)
			}
			if a.match != nil {
				if f, ok := c.common(a.match.keys, b.writes); ok && at[y].act < at[x].match-1 {
					return fault("matches", f, 0, at[x].match, at[y].act)
				}
			}
		}
	}
	return nil
}

// common returns a field of the header vector that two sets share; egress_port and egress_spec are one.
func (c *compiler) common(a, b map[int]bool) (name string, ok bool) {
	for f := range c.program.Fields {
		if a[f] && b[f] {
			return c.program.Fields[f].Name, true
		}
	}
	if e := c.fields.egress; e >= 0 {
		s := c.program.Standard.EgressSpec
		if a[e] && b[s] || a[s] && b[e] {
			return c.program.Fields[e].Name, true
		}
	}
	return "", false
}
