package emit_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/emit"
)

// refused are the rows of docs/verilog.md that say why a unit's Verilog is not written.
var refused = regexp.MustCompile("(?m)^\\| `([a-z0-9_/]+)` \\| (.+) \\|$")

// The record has every unit of the catalogue, and the refusals of docs/verilog.md.
func TestTheRecord(t *testing.T) {
	page, err := os.ReadFile("../../docs/verilog.md")
	require.NoError(t, err)
	said := map[string]string{}
	for _, row := range refused.FindAllStringSubmatch(string(page), -1) {
		said[row[1]] = row[2]
	}
	for _, u := range catalogue.Designs().Units() {
		known, why := emit.Recorded(u.Name)
		require.True(t, known, "units.txt lacks %s", u.Name)
		require.Equal(t, said[u.Name], why, u.Name)
		delete(said, u.Name)
	}
	require.Empty(t, said, "units of docs/verilog.md that are not there")
	known, _ := emit.Recorded("parity/parity")
	require.False(t, known)
}
