package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/plural"
	"github.com/goldwire/goldwire/internal/program"
	"github.com/goldwire/goldwire/internal/report"
	"github.com/goldwire/goldwire/internal/suggest"
)

// followedOnPage is how many messages of a point a page shows.
const followedOnPage = 40

// plannedRun is an experiment that a page shall show.
type plannedRun struct {
	text   string // as it was given
	of     experiment.Experiment
	params *experiment.Params
}

// planRuns reads what --run names: a design, its experiment, its flags, with spaces between them. All are read before
// any runs.
func planRuns(house design.House, texts []string) (planned []plannedRun, err error) {
	for _, text := range texts {
		r := plannedRun{text: text}
		words := strings.Fields(text)
		var names []string
		for _, d := range house {
			for _, e := range d.Experiments {
				name := d.Name + " " + e.Info().Name
				names = append(names, name)
				if len(words) >= 2 && name == words[0]+" "+words[1] {
					r.of = e
				}
			}
		}
		if r.of == nil {
			return nil, fmt.Errorf(
				"--run %s: no such experiment, near it are %s", suggest.Quote(text),
				strings.Join(suggest.Names(text, names), ", "),
			)
		}
		if r.params, err = paramsOf(r.of, words[2:]); err != nil {
			return nil, fmt.Errorf("--run %s: %w", suggest.Quote(text), err)
		}
		planned = append(planned, r)
	}
	return planned, nil
}

// paramsOf sets the parameters of an experiment by its flags and arguments. Runs that name files to write are refused:
// the page has the same.
func paramsOf(e experiment.Experiment, words []string) (*experiment.Params, error) {
	params := e.Params()
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.Usage = func() {}
	var arguments []*experiment.Field
	for _, p := range params.Fields {
		switch {
		case p.Arg != "":
			arguments = append(arguments, p)
		case p.File != "out":
			if f := flags.VarPF(flagValue{p}, p.Flag, "", ""); p.IsBool() {
				f.NoOptDefVal = "true"
			}
		}
	}
	if err := flags.Parse(words); err != nil {
		return nil, flagError(nil, err)
	}
	if flags.NArg() > len(arguments) {
		return nil, fmt.Errorf("want %d arguments, got %s too", len(arguments), suggest.Quote(flags.Arg(len(arguments))))
	}
	for i, word := range flags.Args() {
		if err := arguments[i].Set(word); err != nil {
			return nil, fmt.Errorf("%s: %w", arguments[i].Arg, err)
		}
	}
	if p := params.Missing(); p != nil {
		return nil, fmt.Errorf("%s is missing: %s", cmp.Or(p.Arg, "--"+p.Flag), p.Help)
	}
	return params, nil
}

// run runs the experiment.
func (r *plannedRun) run(cmd *cobra.Command, seed uint64) (report.Experiment, error) {
	x := report.Experiment{Command: fmt.Sprintf("%s run %s --seed %d", program.Name(), r.text, seed), Info: r.of.Info()}
	opt := experiment.Options{Seed: seed}
	if x.Info.Journeys {
		opt.Journeys = followedOnPage
	}
	bar := newProgress(cmd.ErrOrStderr(), 1000, x.Info.Name)
	opt.Progress = func(share float64) { bar.at(int(1000*share), 0) }
	var err error
	x.Outcome, err = r.of.Run(experiment.WithMemo(cmd.Context()), r.params, opt)
	bar.finish()
	if err == nil && x.Outcome.Interrupted {
		err = fmt.Errorf("%w: %d of %d points are finished", errInterrupted, len(x.Outcome.Points), x.Outcome.Asked)
	}
	return x, err
}

// summarise says what the page has, and whether a check failed.
func summarise(w io.Writer, path string, page *report.Page) error {
	var parts []string
	failed := false
	if page.Claims != nil {
		parts = append(
			parts,
			fmt.Sprintf(
				"%s, %d not as recorded", plural.Of(page.Claims.Summary.Claims, "claim"), page.Claims.Summary.Unexpected,
			),
		)
		failed = !page.Claims.OK
	}
	if n := len(page.Experiments); n > 0 {
		bad := 0
		for _, x := range page.Experiments {
			bad += min(1, len(x.Outcome.Report.Failed))
		}
		parts = append(parts, fmt.Sprintf("%s, %d failed", plural.Of(n, "experiment"), bad))
		failed = failed || bad > 0
	}
	fmt.Fprintf(w, "%s: %s\n", path, strings.Join(parts, "; "))
	if failed {
		return errFailed
	}
	return nil
}
