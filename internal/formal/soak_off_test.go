//go:build !soak

package formal_test

const soak = false
