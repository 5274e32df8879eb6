//go:build soak

package edm

import "testing"

// Longer runs of the short tests.
func TestInvariantsAtLength(t *testing.T) { checkInvariants(t, 400) }
