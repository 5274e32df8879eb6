//go:build soak

package rifl

// soaking says that tests may take minutes.
const soaking = true
