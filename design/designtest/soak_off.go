//go:build !soak

package designtest

// soak tells whether the long campaigns are to run.
const soak = false
