package xbar

import "github.com/goldwire/goldwire/design"

// Design is what this package offers to the command.
func Design() design.Design {
	return design.Design{Name: "xbar", Title: "Crossbars and their segment indices", Units: Units(), Properties: properties()}
}
