package study

import (
	"context"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// BuildSpaced is [Build] with the least period, or with one that is as long as the accesses of a packet to one array are apart: then one processor
// takes a packet only when the one before it has made its last access. A packet a cycle is for programs that work on each array once.
func BuildSpaced(ctx context.Context, p Program, ipc int, seed uint64) (*schedule.Schedule, *compile.Result, error) {
	s, c, err := Build(ctx, p, ipc, 0, seed)
	for err == nil && s.Period < c.Spacing && c.Spacing <= drmt.MaxPeriod {
		s, c, err = Build(ctx, p, ipc, c.Spacing, seed)
	}
	return s, c, err
}
