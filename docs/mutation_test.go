package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/house"
	"github.com/goldwire/goldwire/vectors"
)

// The table of mutants has a row for each module with reference RTL, which says what its campaign found, and names each mutant that is open.
// A module that has none yet is named.
func TestTheMutantsTable(t *testing.T) {
	text, err := os.ReadFile("mutation.md")
	require.NoError(t, err)
	page := string(text)
	_, rest, _ := strings.Cut(page, "\nNot looked at yet: ")
	line, _, _ := strings.Cut(rest, ".\n")
	notYet := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' })
	rows, open, missing := 0, 0, 0
	for _, u := range house.Designs().Units() {
		if u.RTL == "" {
			continue
		}
		// a design's folder lies at the root or in designs
		paths, err := filepath.Glob(filepath.Join("..", "*", "testdata", "golden", u.CampaignFile()))
		require.NoError(t, err)
		deeper, err := filepath.Glob(filepath.Join("..", "*", "*", "testdata", "golden", u.CampaignFile()))
		require.NoError(t, err)
		paths = append(paths, deeper...)
		if len(paths) == 0 {
			missing++
			if !slices.Contains(notYet, "`"+u.Name+"`") {
				t.Errorf("%s has RTL, and mutation.md neither has a row for it nor says that its mutants were not looked at yet: run goldwire mutants %s --record . at the root",
					u.Name, u.Name)
			}
			continue
		}
		rows++
		c, err := vectors.ReadCampaign(paths[0], u)
		require.NoError(t, err)
		m := c.Mutants
		row := fmt.Sprintf("| `%s` | %d | %d | %d | %d | %d | %d |\n", u.Name, m.Of, m.Killed, m.Equal, len(m.Open), c.Cycles, m.Directed)
		if !strings.Contains(page, "\n"+row) {
			t.Errorf("mutation.md does not say of %s what %s says, want the row\n%s", u.Name, paths[0], row)
		}
		for _, x := range m.Open {
			open++
			if line := fmt.Sprintf("- `%s`: `%s`: %s\n", u.Name, x.Mutant, x.Reason); !strings.Contains(page, "\n"+line) {
				t.Errorf("mutation.md does not name an open mutant, want the line\n%s", line)
			}
		}
	}
	require.NotZero(t, rows)
	require.Len(t, notYet, missing, "modules of which the page says that they were not looked at")
	require.Equal(t, rows, strings.Count(page, "\n| `"), "rows for modules that there are")
	require.Equal(t, open, strings.Count(page, "\n- `"), "mutants that are open")
}
