//go:build soak

package emit_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/catalogue"
)

// Each unit has the cells and flip-flops of the page's table.
func TestGatesOfAllUnits(t *testing.T) {
	wantYosysOfThePage(t)
	rows := gateRows(t)
	page, err := os.ReadFile(gatesPage)
	require.NoError(t, err)
	text := string(page)
	for _, u := range catalogue.Designs().Units() {
		t.Run(u.Name, func(t *testing.T) {
			row := gatesOf(t, u)
			t.Log(row)
			if os.Getenv("GOLDWIRE_UPDATE") != "" {
				text = strings.Replace(text, rows[u.Name], row, 1)
				return
			}
			require.Equal(t, rows[u.Name], row)
		})
	}
	if text != string(page) {
		require.NoError(t, os.WriteFile(gatesPage, []byte(text), 0o644))
	}
}
