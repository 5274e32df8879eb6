package emit

import (
	_ "embed"
	"strings"
)

//go:embed units.txt
var units string

// Recorded says of a unit of the catalogue, without looking at its source, whether its Verilog is written, and if not,
// why. It knows nothing of other units. TestCatalogue, one of the long tests, writes each anew and compares.
func Recorded(unit string) (known bool, refusal string) {
	for line := range strings.Lines(units) {
		name, why, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if name == unit {
			return true, why
		}
	}
	return false, ""
}
