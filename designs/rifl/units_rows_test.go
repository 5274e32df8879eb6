//go:build !soak

package rifl_test

import "goldwire/internal/hdl"

// rows is how many cycles the RTL is compared for, simulators are those that do.
const rows = 2500

var simulators = []hdl.Simulator{hdl.Icarus}
