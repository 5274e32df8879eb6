package study_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/designs/drmt/study"
)

// The units are tested in package drmt; here are the tests that stand on them.
func TestDesign(t *testing.T) {
	d := study.Design()
	require.NoError(t, design.House{d}.Check())
	require.NotEmpty(t, d.Units)
}
