package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/internal/output"
	"github.com/goldwire/goldwire/internal/program"
	"github.com/goldwire/goldwire/internal/report"
)

// pageName is where a page goes without --out.
func pageName() string { return program.Name() + ".html" }

func newReport(house design.House) *cobra.Command {
	var from, against, out, title string
	var runs []string
	var seed uint64
	borrowed := map[string]*string{}
	cmd := &cobra.Command{
		Use:   "report [PATTERN...]",
		Short: "Write one HTML page of claims, bars, plots and tables",
		Long: `Measure the papers' claims, as verify does, and write one HTML page of them that needs nothing else: what the
papers print beside what the models do, where the time goes, curves, and how each figure was counted.

With --from the page is made of a file that verify --json wrote, and nothing is measured; with --against it says what
has changed since another such file. A pattern selects claims by the elements of their ids. The exit code is 1 if a
claim is not as recorded or an experiment's check failed; the page is written all the same.

With --run the page has experiments too, with their tables and charts and, where an experiment can follow messages,
their ways.`,
		Example: "  goldwire verify --json > today.json; goldwire report --from today.json\n" +
			"  goldwire report edm/table1 --out table1.html\n" +
			"  goldwire report --from today.json --against yesterday.json --run \"edm latency\" --run \"rifl latency\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkPaths(map[string]string{"--out": out},
				map[string]string{"--from": from, "--against": against}); err != nil {
				return err
			}
			if from != "" && len(runs) == 0 && cmd.Flags().Changed("seed") {
				return errors.New("--seed: does nothing beside --from: the file's claims were measured")
			}
			if against != "" && from == "" && len(runs) > 0 && len(args) == 0 {
				return errors.New("--against: it compares claims, and with --run alone the page has none: add --from or a pattern")
			}
			page := &report.Page{Title: title}
			planned, err := planRuns(house, runs)
			if err != nil {
				return err
			}
			for _, d := range house {
				page.Designs = append(page.Designs, report.Design{Name: d.Name, Title: d.Title, Paper: d.Paper})
			}
			if against != "" {
				if page.Against, err = readDocument(cmd.Context(), "--against", against, args); err != nil {
					return err
				}
			}
			if from != "" {
				page.Claims, err = readDocument(cmd.Context(), "--from", from, args)
			} else if len(runs) == 0 || len(args) > 0 {
				page.Claims, err = verified(cmd, house, directories(house, borrowed), seed, args)
			}
			if err != nil {
				return err
			}
			for _, r := range planned {
				x, err := r.run(cmd, seed)
				if err != nil {
					return fmt.Errorf("--run %q: %w", r.text, err)
				}
				page.Experiments = append(page.Experiments, x)
			}
			if err := output.Write(out, page.Write); err != nil {
				return err
			}
			return summarise(cmd.OutOrStdout(), out, page)
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "a `file` that verify --json wrote, instead of measuring")
	cmd.Flags().StringVar(&against, "against", "", "a `file` that verify --json wrote earlier: what has changed since")
	cmd.Flags().
		StringArrayVar(&runs, "run", nil,
			"an `experiment` to show as well, with its flags: \"edm latency --type write\"; may be repeated; without a "+
				"pattern and --from, instead of claims")
	cmd.Flags().StringVar(&out, "out", pageName(), "the page")
	cmd.Flags().StringVar(&title, "title", "What the papers claim, and what the models do", "the page's title")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the stimuli")
	addBorrowed(cmd, house, borrowed)
	return cmd
}

// verified measures claims for a page.
func verified(
	cmd *cobra.Command, house design.House, directories map[string]string, seed uint64, patterns []string,
) (*claims.Document, error) {
	r, err := verification{directories: directories, seed: seed}.verify(cmd, house, patterns)
	if err != nil {
		return nil, err
	}
	return r.Document(), nil
}

// readDocument reads what verify --json wrote, and keeps the claims that patterns select. An error names the flag and
// the file.
func readDocument(ctx context.Context, flag, path string, patterns []string) (*claims.Document, error) {
	f, err := input.OpenContext(ctx, path, input.MostCapture) // claims.ReadDocument has a bound of its own
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	defer f.Close()
	d, err := claims.ReadDocument(f)
	if err == nil && d.Paper {
		err = errors.New("figures at the papers' points (verify --paper), which a page does not show")
	}
	if err == nil {
		d, err = d.Filter(patterns...)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, path, err)
	}
	return d, nil
}
