//go:build !soak

package catalogue_test

// rows is how many cycles the RTL is compared for.
const rows = 4000
