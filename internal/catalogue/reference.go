package catalogue

import (
	"embed"
	"fmt"
	"path"
	"strings"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/designs/edm"
	"github.com/goldwire/goldwire/designs/rifl"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/pqueue"
	"github.com/goldwire/goldwire/vectors"
)

// Reference returns the project's own RTL of a unit.
func Reference(u vectors.Unit) ([]byte, error) {
	pkg, _, _ := strings.Cut(u.Name, "/")
	files, ok := map[string]embed.FS{"blocks": blocks.Verilog, "pcs": pcs.Verilog, "pqueue": pqueue.Verilog, "edm": edm.Verilog, "rifl": rifl.Verilog}[pkg]
	if !ok {
		return nil, fmt.Errorf("unit %s: package %s has no RTL", u.Name, pkg)
	}
	return files.ReadFile(path.Join("verilog", u.Module()+".v"))
}
