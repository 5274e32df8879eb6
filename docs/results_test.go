package docs_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/tb"
)

// The counts of README.md and docs/results.md are the counts of the claims on record. With GOLDWIRE_UPDATE=1 both are
// written.
func TestTheCounts(t *testing.T) {
	const head = "| design | claims | hold | deviate | given | not modelled |\n|---|---|---|---|---|---|\n"
	table := head
	counts := func(list []design.Design) map[claims.Verdict]int {
		n := map[claims.Verdict]int{}
		for _, d := range list {
			for _, c := range d.Claims {
				n[c.Expect]++
			}
		}
		return n
	}
	row := func(name string, n map[claims.Verdict]int) {
		sum := n[claims.Holds] + n[claims.Deviates] + n[claims.Given] + n[claims.NotModelled]
		if sum > 0 {
			table += fmt.Sprintf(
				"| %s | %d | %d | %d | %d | %d |\n", name, sum, n[claims.Holds], n[claims.Deviates], n[claims.Given],
				n[claims.NotModelled],
			)
		}
	}
	designs := catalogue.Designs()
	for _, d := range designs {
		row(d.Name, counts([]design.Design{d}))
	}
	all := counts(designs)
	row("all", all)
	require.NotZero(t, all[claims.Deviates])
	sentence := fmt.Sprintf(
		"Of %d claims %d hold, %d deviate, %d are given (parameters taken from the papers) and %d are not modelled;",
		all[claims.Holds]+all[claims.Deviates]+all[claims.Given]+all[claims.NotModelled], all[claims.Holds],
		all[claims.Deviates], all[claims.Given], all[claims.NotModelled],
	)
	holdTo(t, "../README.md", regexp.MustCompile(`Of \d+ claims \d+ hold, .*? not modelled;`), sentence)
	elsewhere := 0
	for _, d := range designs {
		for _, c := range d.Claims {
			if c.OwnPoint != "" {
				elsewhere++
			}
		}
	}
	holdTo(t, "../README.md", regexp.MustCompile(`\d+ are measured at a smaller or other point`),
		fmt.Sprintf("%d are measured at a smaller or other point", elsewhere))
	holdTo(t, "results.md", regexp.MustCompile(`(?s)`+regexp.QuoteMeta(head)+`.*?\n\n`), table+"\n")
}

// holdTo compares the part of a page that a pattern finds, or writes it.
func holdTo(t *testing.T, page string, part *regexp.Regexp, want string) {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	at := part.FindIndex(text)
	require.NotNil(t, at, "%s has no %s", page, part)
	if tb.Updating() {
		require.NoError(t, os.WriteFile(page, slices.Replace(text, at[0], at[1], []byte(want)...), 0o644))
		return
	}
	require.Equal(t, want, string(text[at[0]:at[1]]), "%s: run GOLDWIRE_UPDATE=1 go test ./docs -run TestTheCounts", page)
}

// Each claim that README.md and docs/results.md show as a deviation is one on record.
func TestTheSurprisesAreOnRecord(t *testing.T) {
	expect := map[string]claims.Verdict{}
	for _, d := range catalogue.Designs() {
		for _, c := range d.Claims {
			expect[c.ID] = c.Expect
		}
	}
	for page, pattern := range map[string]string{"../README.md": "(?m)^\\| `([^`]+/[^`]+)` \\|",
		"results.md": `(?m)^    goldwire verify (\S+) --verbose$`} {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		shown := regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1)
		require.Len(t, shown, 3, page)
		for _, id := range shown {
			require.Equal(t, claims.Deviates, expect[id[1]], "%s: %s", page, id[1])
		}
	}
}

// README.md is a front door: at most 150 lines.
func TestTheFrontDoor(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	require.LessOrEqual(t, strings.Count(string(text), "\n"), 150)
}
