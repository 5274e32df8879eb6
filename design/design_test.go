package design_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/vectors"
)

// A house reports all its faults at once.
func TestHouseCheck(t *testing.T) {
	good := design.Design{Name: "parity", Title: "one bit"}
	require.NoError(t, design.House{good}.Check())
	foreign := good
	foreign.Claims = []claims.Claim{{ID: "party/width"}}
	foreign.Units = []vectors.Unit{{Name: "party/even"}}
	err := design.House{good, {Name: "Parity", Title: "one bit"}, {Name: "odd", Title: "two\nlines"}, foreign}.Check()
	for _, want := range []string{
		`design "Parity": the name is not of lower-case letters`,
		`design "odd": the title is not one line`,
		`design "parity": the name is used twice`,
		`design "parity": claim "party/width" is not named after it`,
		`design "parity": unit "party/even" is not named after it`,
	} {
		require.ErrorContains(t, err, want)
	}
}
