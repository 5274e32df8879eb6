package pqueue

import (
	"github.com/goldwire/goldwire/design"
)

// Design is what this package offers to the command.
func Design() design.Design {
	return design.Design{Name: "pqueue", Title: "Ordered lists and matchings", Units: Units(), Properties: properties()}
}
