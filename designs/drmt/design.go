package drmt

import "github.com/goldwire/goldwire/design"

// Design is what this package offers to the command.
func Design() design.Design {
	return design.Design{
		Name: "drmt", Title: "Disaggregated programmable switching: processors, memory clusters, crossbars", Paper: "Chole et al., SIGCOMM 2017",
		Units: Units(),
	}
}
