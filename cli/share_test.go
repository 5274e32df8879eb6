//go:build !soak

package cli_test

// shareOfValues is one in how many hostile values each parameter is given.
const shareOfValues = 5
