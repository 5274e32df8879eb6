// Package house is the list of the project's own libraries and designs: one line each.
package house

import (
	blocks "github.com/goldwire/goldwire/blocks/units"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/designs/edm"
	"github.com/goldwire/goldwire/designs/rifl"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/pqueue"
)

// Designs returns them in the order of the report of claims.
func Designs() design.House {
	return design.House{
		blocks.Design(),
		pcs.Design(),
		pqueue.Design(),
		edm.Design(),
		rifl.Design(),
	}
}
