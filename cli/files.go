package cli

import (
	"fmt"
	"io"

	"github.com/google/renameio/v2"
	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/goldwire/goldwire/clock"
)

// newTable returns a table that prints to w.
func newTable(w io.Writer, header ...any) table.Writer {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.OptionsNoBordersAndSeparators
	t.AppendHeader(header)
	return t
}

// writePlot writes an SVG file, or nothing if it fails.
func writePlot(path string, draw func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer f.Cleanup() //nolint:errcheck // after the rename there is nothing to clean up
	if err := draw(f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.CloseAtomicallyReplace()
}

func nanoseconds(t clock.Time) float64 {
	f, _ := t.In(clock.Nanosecond).Float64()
	return f
}

func round(x float64) float64 { return float64(int64(x*100+0.5)) / 100 }
