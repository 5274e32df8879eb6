package designtest

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/blocks/units"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/vectors/property"
)

// A property's modules without RTL have the Verilog of their source, and a bug can be planted in it.
func TestPropertiesOfEmittedModules(t *testing.T) {
	u, err := units.Units().Find("blocks/arbiter")
	require.NoError(t, err)
	u.RTL = ""
	p := property.Load(fstest.MapFS{"properties/one.sv": {}}, nil, property.Property{
		Name: "blocks/one", Doc: "one grant at most", Emitted: []string{"blocks_arbiter"}})
	list := emitted(t, design.Design{Name: "blocks", Units: vectors.Catalogue{u}, Properties: p})
	_, rtl := list[0].Source()
	require.Contains(t, rtl["blocks_arbiter.v"], "\nmodule blocks_arbiter (\n")
	_, err = list[0].Plant(vectors.Bug{Kind: "another clock edge", Edits: []string{"posedge", "negedge"}})
	require.NoError(t, err)
}
