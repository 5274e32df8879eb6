package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/design/designtest"
)

// The model's parameters come out of it: a frame passes just those boxes, as often as the table says, and nothing
// between them costs a cycle.
func TestGivenFiguresAreWhatFramesMeet(t *testing.T) {
	recorded := map[string]claims.Verdict{}
	for _, c := range ethernetClaims() {
		recorded[c.ID] = c.Expect
	}
	var given []claims.Claim
	for _, c := range countedOnFrames() {
		if recorded[c.ID] == claims.Given {
			require.Equal(t, claims.Holds, c.Expect, c.ID)
			given = append(given, c)
		}
	}
	require.Len(t, given, 8+6+4, "protocol stacks, wires, boxes of the switch")
	designtest.CheckClaims(t.Context(), t, 1, given)
}
