package study

import (
	"context"
	"errors"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// BuildSpaced is [Build] with the least period that the program can be compiled for, or with one that is as long as the
// accesses of a packet to one array are apart: then one processor takes a packet only when the one before it has made
// its last access. If no period is so long, it is the least, and packets come in some periods only. A packet a cycle is
// for programs that work on each array once.
func BuildSpaced(ctx context.Context, p Program, ipc int, seed uint64) (*schedule.Schedule, *compile.Result, error) {
	s, c, err := Build(ctx, p, ipc, 0, seed)
	for errors.Is(err, compile.ErrPeriod) && s.Period < drmt.MaxPeriod {
		s, c, err = Build(ctx, p, ipc, min(s.Period+max(s.Period/4, 1), drmt.MaxPeriod), seed)
	}
	for err == nil && s.Period < c.Spacing && c.Spacing <= drmt.MaxPeriod {
		longer, other, fault := Build(ctx, p, ipc, c.Spacing, seed)
		if fault != nil {
			break
		}
		s, c = longer, other
	}
	return s, c, err
}
