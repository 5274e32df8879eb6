package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/output"
	"github.com/goldwire/goldwire/internal/suggest"
)

func newVerify(house design.House) *cobra.Command {
	var asJSON, verbose, paper bool
	var markdown, state string
	var only []string
	var seed uint64
	borrowed := map[string]*string{}
	cmd := &cobra.Command{
		Use:   "verify [PATTERN...]",
		Short: "Measure the papers' claims on running models",
		Long: `Measure the papers' claims on running models and compare each verdict with the recorded one.

A verdict is "holds", "deviates" (the reason is printed), "given" (a parameter of the model, taken from the paper) or
"not modelled". The last line counts them. The exit code is 1 if any differs from what is recorded. A pattern selects
claims by the elements of their ids, --only by the verdict on record. A figure that depends on its point (nodes, load,
flows, runs) says with --verbose which one the paper has, and ours if it is another: --only smaller lists these.
--paper measures those at the paper's point that can be, and no others: minutes to hours each, which --verbose says.
With --state FILE a verification that was stopped goes on with the runs that had ended. Verdicts on record are of our
points, so that another one at the paper's is not a failure.

Claims about data that carries no licence and so is not part of the project are "not modelled" until a flag, or the
environment variable of the same name, says where that data lies.`,
		Example: "  goldwire verify\n  goldwire verify edm/table1 --verbose\n  goldwire verify --only deviates\n" +
			"  goldwire verify --markdown claims.md",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkPaths(map[string]string{"--markdown": markdown}, map[string]string{"--state": state}); err != nil {
				return err
			}
			if state != "" && !paper {
				return errors.New("--state: want --paper with it")
			}
			x := verification{directories: directories(house, borrowed), seed: seed, only: only, paper: paper, state: state}
			report, err := x.verify(cmd, house, args)
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			if asJSON {
				err = report.WriteJSON(out)
			} else {
				err = report.WriteText(out, claims.Layout{Width: width(out), Colour: inColour(out), Verbose: verbose})
			}
			if err == nil && markdown != "" {
				err = writeMarkdown(markdown, report)
			}
			if err == nil && !report.OK() {
				err = errFailed
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().
		StringSliceVar(&only, "only", nil,
			"claims with this `verdict` on record: holds, deviates, given, not-modelled; or smaller: not at the paper's own "+
				"point; several with commas")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "say for each claim how it was counted")
	cmd.Flags().StringVar(&markdown, "markdown", "", "also write a report to this file")
	cmd.Flags().BoolVar(&paper, "paper", false, "measure claims at the paper's own point where that is larger; hours")
	cmd.Flags().StringVar(&state, "state", "", "with --paper: keep results in this `file`, and go on with them")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the stimuli")
	addBorrowed(cmd, house, borrowed)
	return cmd
}

// verification says which claims to measure, and how.
type verification struct {
	directories map[string]string // of borrowed data, by flag
	seed        uint64
	only        []string // verdicts on record; nil for all
	paper       bool     // at the paper's points
	state       string   // a file for the results at the paper's points; may be empty
}

// verify measures the claims that match a pattern, all without patterns.
func (x verification) verify(cmd *cobra.Command, house design.House, patterns []string) (*claims.Report, error) {
	set, err := house.Claims(x.directories)
	if err != nil {
		return nil, err
	}
	if set, err = set.Filter(patterns...); err != nil {
		return nil, err
	}
	if set, err = onRecord(set, x.only); err != nil {
		return nil, err
	}
	opt, ctx := claims.Options{Seed: x.seed, Paper: x.paper}, experiment.WithMemo(cmd.Context())
	if x.paper {
		if set, err = atPaper(set); err != nil {
			return nil, err
		}
	}
	if x.state != "" {
		state, err := openPaperState(x.state, x.seed)
		if err != nil {
			return nil, err
		}
		opt.Known, opt.Ended = state.known, state.ended
		ctx = experiment.WithRecords(cmd.Context(), experiment.Records{Known: state.runs, Keep: state.ran})
		report, err := measureClaims(ctx, cmd, set, opt)
		return report, errors.Join(err, state.close())
	}
	return measureClaims(ctx, cmd, set, opt)
}

func measureClaims(
	ctx context.Context, cmd *cobra.Command, set *claims.Set, opt claims.Options,
) (*claims.Report, error) {
	bar := newProgress(cmd.ErrOrStderr(), set.Len(), "claims")
	defer bar.finish()
	opt.Progress = func(done, _ int, _ string) { bar.at(done, 0) }
	return claims.Verify(ctx, set, opt)
}

// onRecord returns the claims that have one of the verdicts on record, or that are measured at another point than the
// paper's ("smaller"); all if none is named.
func onRecord(set *claims.Set, verdicts []string) (*claims.Set, error) {
	known := map[string]claims.Verdict{
		"holds": claims.Holds, "deviates": claims.Deviates, "given": claims.Given, "not-modelled": claims.NotModelled,
	}
	wanted := map[claims.Verdict]bool{}
	smaller := false
	for _, name := range verdicts {
		if name == "smaller" {
			smaller = true
			continue
		}
		v, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("--only %s: want holds, deviates, given, not-modelled or smaller", suggest.Quote(name))
		}
		wanted[v] = true
	}
	if len(wanted) == 0 && !smaller {
		return set, nil
	}
	var kept []claims.Claim
	for c := range set.All() {
		if wanted[c.Expect] || smaller && c.OwnPoint != "" {
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 {
		return nil, fmt.Errorf("--only %s: none of %d claims is on record so", strings.Join(verdicts, ","), set.Len())
	}
	return claims.NewSet(kept)
}

// addBorrowed adds the flags that say where borrowed data lies.
func addBorrowed(cmd *cobra.Command, house design.House, borrowed map[string]*string) {
	for _, d := range house {
		for _, b := range d.Borrowed {
			borrowed[b.Flag] = cmd.Flags().String(b.Flag, "", fmt.Sprintf("`directory` with %s (or %s)", b.Help, b.Variable()))
		}
	}
}

// directories says where borrowed data lies: as a flag has it, or the environment.
func directories(house design.House, flags map[string]*string) map[string]string {
	all := map[string]string{}
	for _, d := range house {
		for _, b := range d.Borrowed {
			if all[b.Flag] = *flags[b.Flag]; all[b.Flag] == "" {
				all[b.Flag] = os.Getenv(b.Variable())
			}
		}
	}
	return all
}

func writeMarkdown(path string, report *claims.Report) error {
	return output.Write(path, func(w io.Writer) error { return report.WriteMarkdown(w, claims.Layout{Verbose: true}) })
}
