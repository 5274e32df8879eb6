package docs_test

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/tb"
	"github.com/goldwire/goldwire/vectors"
)

// What mutation.md says of each module with reference RTL is what the records say: the table, the open mutants by
// reason, and each open mutant with its reason. A module without a record is named. With GOLDWIRE_UPDATE=1 the page is
// rewritten.
func TestTheMutantsTable(t *testing.T) {
	files := map[string]string{} // of records, by name
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".mutants.json") &&
			strings.HasSuffix(filepath.Dir(path), filepath.Join("testdata", "golden")) {
			files[d.Name()] = path
		}
		return err
	}))
	var table, list strings.Builder
	var missing []string
	var sum vectors.Mutants
	reasons, modules := map[string]int{}, map[string]map[string]bool{}
	for _, u := range catalogue.Designs().Units() {
		if u.RTL == "" {
			continue
		}
		path, ok := files[u.CampaignFile()]
		if !ok {
			missing = append(missing, "`"+u.Name+"`")
			continue
		}
		c, err := vectors.ReadCampaign(path, u)
		require.NoError(t, err)
		m := c.Mutants
		fmt.Fprintf(
			&table,
			"| `%s` | %d | %d | %d | %d | %d | %d |\n",
			u.Name,
			m.Of,
			m.Killed,
			m.Equal,
			len(m.Open),
			c.Cycles,
			m.Directed,
		)
		sum.Of, sum.Killed, sum.Equal = sum.Of+m.Of, sum.Killed+m.Killed, sum.Equal+m.Equal
		for _, x := range m.Open {
			require.NotEmpty(t, x.Reason, "%s: %s", u.Name, x.Mutant)
			reason := number.ReplaceAllString(x.Reason, "N")
			if reasons[reason]++; modules[reason] == nil {
				modules[reason] = map[string]bool{}
			}
			modules[reason]["`"+u.Name+"`"] = true
			sum.Open = append(sum.Open, x)
			fmt.Fprintf(&list, "- `%s`: `%s`: %s\n", u.Name, x.Mutant, x.Reason)
		}
	}
	require.NotZero(t, sum.Of)
	fmt.Fprintf(
		&table, "\nIn all %d mutants: %d killed, %d proved equal, %d open.\n", sum.Of, sum.Killed, sum.Equal,
		len(sum.Open),
	)
	if len(missing) > 0 {
		fmt.Fprintf(&table, "Not looked at yet: %s.\n", strings.Join(missing, ", "))
	}
	byCount := slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
		return cmp.Or(cmp.Compare(reasons[b], reasons[a]), cmp.Compare(a, b))
	})
	table.WriteString("\n| why a mutant is open | mutants | modules |\n|---|---|---|\n")
	for _, reason := range byCount {
		fmt.Fprintf(
			&table, "| %s | %d | %s |\n", reason, reasons[reason],
			strings.Join(slices.Sorted(maps.Keys(modules[reason])), ", "),
		)
	}
	const file, tableFrom, tableTo, listFrom = "mutation.md", "| module | mutants | killed | proved equal | open | " +
		"cycles | of them added |\n|---|---|---|---|---|---|---|\n",
		"\n## What bounds the campaigns\n", "\nOpen are:\n\n"
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(page), tableFrom)
	require.True(t, ok, "%s: want the heading of a table, %s", file, tableFrom)
	_, rest, ok = strings.Cut(rest, tableTo)
	require.True(t, ok, "%s: want after the table %q", file, tableTo)
	between, _, ok := strings.Cut(rest, listFrom)
	require.True(t, ok, "%s: want before the open mutants %q", file, listFrom)
	want := before + tableFrom + table.String() + tableTo + between + listFrom + list.String()
	if tb.Updating() {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
		return
	}
	require.Equal(
		t, want, string(page),
		"the records say other than %s: run GOLDWIRE_UPDATE=1 go test ./docs -run TestTheMutantsTable", file,
	)
}

// number is the part that differs between reasons of one kind: seconds, cycles, counts.
var number = regexp.MustCompile(`[0-9][0-9hms.]*`)
