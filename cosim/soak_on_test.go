//go:build soak

package cosim_test

// soak tells that all cases are run.
const soak = true
