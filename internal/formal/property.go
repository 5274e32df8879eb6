package formal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/goldwire/goldwire/vectors/property"
)

// AskProperty asks whether a property of the project's own RTL holds.
func AskProperty(ctx context.Context, p property.Property, opt Options) (*Answer, error) {
	dir, err := os.MkdirTemp("", "goldwire-property-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	harness, rtl := p.Source()
	for _, m := range p.Emitted {
		if rtl[m+".v"] == "" {
			return nil, fmt.Errorf("property %s: the Verilog of %s is yet to be made of its source", p.Name, m)
		}
	}
	q := Question{
		Harness: harness, Top: "proof", Params: p.Params, Connect: p.Connect, Show: append([]string{"rst"}, p.Show...),
		Lead: 1, Registers: p.Registers, Hold: p.Hold, Refute: p.Planted(),
	}
	for _, name := range sorted(rtl) {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(rtl[name]), 0o644); err != nil {
			return nil, err
		}
		q.Files = append(q.Files, file)
	}
	if opt.Engine == "" || opt.Engine == Auto {
		opt.Engine = p.Engine
	}
	a, err := Ask(ctx, q, opt)
	if err != nil {
		return nil, fmt.Errorf("property %s: %w", p.Name, err)
	}
	return a, nil
}
