package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/goldwire/goldwire/internal/emit"
	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/vectors/property"
)

// A report's words for the two kinds of reference.
const (
	handWritten = "hand-written RTL"
	emitted     = "Verilog emitted from the model, which cannot find an error that both share"
)

// referenceHelp explains which RTL a module is compared with.
const referenceHelp = `The reference of a module is its RTL written by hand. A module without such RTL is given the
Verilog of its own Go source, as goldwire verilog writes it; the report says so, since that text cannot find an error
that it shares with the model.`

// references gives RTL to modules that have none.
type references struct{ source string }

func (r *references) flags(f *pflag.FlagSet) {
	f.StringVar(&r.source, "source", ".", "the Go module with the source of modules that have no RTL written by hand")
}

// of returns a unit with reference RTL, and the kind of the reference.
func (r *references) of(ctx context.Context, u vectors.Unit) (vectors.Unit, string, error) {
	with, made, err := emit.Reference(ctx, r.source, u)
	if made {
		return with, emitted, err
	}
	return with, handWritten, err
}

// complete gives a property the modules that it wants emitted, and returns the kind of its RTL.
func (r *references) complete(
	ctx context.Context, p property.Property, units vectors.Catalogue,
) (property.Property, string, error) {
	p, err := formal.Complete(ctx, r.source, p, units)
	switch {
	case err != nil:
		return p, "", err
	case len(p.Emitted) == 0:
		return p, handWritten, nil
	case len(p.Modules) == 0:
		return p, emitted, nil
	}
	return p, strings.Join(p.Emitted, ", ") + ": " + emitted, nil
}

// printReferences says which references stand behind the rows of a report: a line for each kind.
func printReferences(w io.Writer, what string, names, kinds []string) {
	var met []string
	for _, kind := range kinds {
		if slices.Contains(met, kind) {
			continue
		}
		met = append(met, kind)
		var of []string
		for i, k := range kinds {
			if k == kind {
				of = append(of, names[i])
			}
		}
		if len(of) == len(kinds) {
			fmt.Fprintf(w, "%s: %s\n", what, kind)
		} else {
			fmt.Fprintf(w, "%s of %s: %s\n", what, strings.Join(of, ", "), kind)
		}
	}
}
