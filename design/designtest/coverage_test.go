package designtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors"
)

func TestMissedBitsAreNamed(t *testing.T) {
	c := vectors.Coverage{
		Missing:  []string{"a never rises", "b[1] never moves"},
		Machines: []vectors.MachineCoverage{{Probe: "state", Missing: []string{"IDLE → DATA"}}},
	}
	require.Equal(t, []string{"a never rises", "b[1] never moves", "state IDLE → DATA"}, missed(c))
	c.Missing = []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}
	require.Equal(t, []string{"1", "2", "3", "4", "5", "6", "7", "8", "2 more"}, missed(c))
}
