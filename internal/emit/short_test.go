//go:build !soak

package emit_test

// endpointRows is some 3,000 frames: a row is an instant at which a clock of the endpoint rises.
const (
	endpointRows = 30_000
	soaking      = false
)
