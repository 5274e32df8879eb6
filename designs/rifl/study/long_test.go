//go:build soak

package study

// soaking says that tests may take minutes.
const soaking = true
