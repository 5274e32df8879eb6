//go:build soak

package edm

import "testing"

// Longer runs of what the tests try in short.
func TestInvariantsAtLength(t *testing.T) { checkInvariants(t, 400) }
