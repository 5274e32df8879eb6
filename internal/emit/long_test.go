//go:build soak

package emit_test

// endpointRows is a million frames and more: a frame cycle has some nine rows.
const (
	endpointRows = 10_000_000
	soaking      = true
)
