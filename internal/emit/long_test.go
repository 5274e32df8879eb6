//go:build soak

package emit_test

// endpointRows has a million frames and more: a frame cycle has some ten rows.
const endpointRows = 10_000_000
