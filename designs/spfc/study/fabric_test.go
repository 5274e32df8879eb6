package study

import (
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/spfc"
)

func newFabric(t require.TestingT, sc spfc.Scenario) *spfc.Fabric {
	f, err := spfc.NewFabric(&sc)
	require.NoError(t, err)
	return f
}

func figure3a() *spfc.Topology {
	return spfc.SingleSwitch(spfc.BurstSenders, 9*spfc.Microsecond, spfc.Gbps100, 16_000_000)
}
