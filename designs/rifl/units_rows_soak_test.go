//go:build soak

package rifl_test

import "goldwire/internal/hdl"

const rows = 40_000

var simulators = hdl.Simulators()
