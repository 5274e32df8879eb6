//go:build !soak

package schedule_test

const soak = false
