package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/google/renameio/v2"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/designs/edm"
	"github.com/goldwire/goldwire/plots"
)

// matching is `goldwire run matching`.
type matching struct {
	ports     []int
	densities []string
	sizes     string
	cycles    uint64
	seed      uint64
	plot      string
	json      bool
}

func newMatching() *cobra.Command {
	var o matching
	cmd := &cobra.Command{
		Use:   "matching",
		Short: "Count the iterations in which EDM's scheduler forms maximal matchings",
		Long: `Run EDM's central scheduler (§3.1.2) clock edge by clock edge and let it form one matching after another, each of a fresh
random demand with all circuits released at once. Count iterations, and cycles from the edge of the first request to that of
the last accept, beside plain PIM and iSLIP on the same demands and beside log2 N. PIM and iSLIP are no modules: their cycles
are 3 an iteration. Every matching is checked to be one, and maximal.

A density is the share of all pairs that is demanded; "one" is one message a source, for a random destination. Sizes are
priorities: "independent" draws each message's by itself, "equal" leaves the order to age, and with "source" every
destination prefers the same source, for which no matching with priorities has an answer but an iteration a pair.`,
		Example: `  goldwire run matching
  goldwire run matching --ports 2,16,144,512 --density 0.1,0.5,1,one --plot iterations.svg
  goldwire run matching --ports 64 --sizes source --cycles 100000 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.IntSliceVar(&o.ports, "ports", []int{2, 16, 144, 512}, "ports of the scheduler, 1 to 1024; several with commas")
	f.StringSliceVar(&o.densities, "density", []string{"0.5"}, "share of all pairs demanded, above 0 up to 1, or one; several with commas")
	f.StringVar(&o.sizes, "sizes", "independent", "independent, equal or source: what the messages' sizes have in common")
	f.Uint64Var(&o.cycles, "cycles", 1_000_000, "cycles of the scheduler for each number of ports and density, at least")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the demands")
	f.StringVar(&o.plot, "plot", "", "plot iterations against ports to this SVG file")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

// matchingPoint is one number of ports with one density, as --json prints it.
type matchingPoint struct {
	Ports     int              `json:"ports"`
	Density   string           `json:"density"`
	Log2      float64          `json:"log2_ports"`
	Cycles    uint64           `json:"scheduler_cycles"`
	Matchings uint64           `json:"matchings"`
	Demanded  float64          `json:"mean_demanded_pairs"`
	Schemes   []matchingScheme `json:"schemes"`
}

type matchingScheme struct {
	Name       string       `json:"name"`
	Counted    string       `json:"cycles_counted"`
	Pairs      float64      `json:"mean_pairs"`
	Iterations matchingDist `json:"iterations"`
	Cycles     matchingDist `json:"cycles"`
	Mean       float64      `json:"mean_ns"`
}

type matchingDist struct {
	Mean      float64          `json:"mean"`
	P50       int              `json:"p50"`
	P99       int              `json:"p99"`
	Max       int              `json:"max"`
	Histogram edm.Distribution `json:"histogram"` // by value, from 0
}

func distribution(d edm.Distribution) matchingDist {
	return matchingDist{d.Mean(), d.Quantile(0.5), d.Quantile(0.99), d.Max(), d}
}

type matchingResult struct {
	Sizes  string          `json:"sizes"`
	Seed   uint64          `json:"seed"`
	Clock  string          `json:"clock"`
	Points []matchingPoint `json:"points"`
}

func (o *matching) run(cmd *cobra.Command) error {
	points, err := o.points()
	if err != nil {
		return err
	}
	bar := newProgress(cmd.ErrOrStderr(), 1000, "matchings")
	results, err := measureAll(cmd.Context(), points, func(done uint64) {
		bar.at(int(1000*done/(o.cycles*uint64(len(points)))), done)
	})
	bar.finish()
	if err != nil {
		return err
	}
	out := matchingResult{Sizes: o.sizes, Seed: o.seed, Clock: results[0].Clock.String()}
	for i, r := range results {
		out.Points = append(out.Points, newMatchingPoint(o.densities[i/len(o.ports)], r))
	}
	if o.plot != "" {
		if err := out.writePlot(o.plot); err != nil {
			return err
		}
	}
	if o.json {
		return printJSON(cmd.OutOrStdout(), out)
	}
	out.print(cmd.OutOrStdout())
	return nil
}

// points returns what to measure: all ports, in rising order, with the first density, then with the next.
func (o *matching) points() ([]edm.IterationsConfig, error) {
	var sizes edm.Sizes
	switch o.sizes {
	case "independent":
	case "equal":
		sizes = edm.EqualSizes
	case "source":
		sizes = edm.SourceSizes
	default:
		return nil, fmt.Errorf("--sizes %q: want independent, equal or source", o.sizes)
	}
	switch {
	case o.cycles == 0:
		return nil, fmt.Errorf("--cycles 0: want at least 1")
	case len(o.ports) == 0:
		return nil, fmt.Errorf("--ports: want at least one number")
	case len(o.densities) == 0:
		return nil, fmt.Errorf("--density: want at least one number")
	}
	slices.Sort(o.ports)
	o.ports = slices.Compact(o.ports)
	var points []edm.IterationsConfig
	for _, d := range o.densities {
		density := 0.0
		if d != "one" {
			var err error
			if density, err = strconv.ParseFloat(d, 64); err != nil || !(density > 0 && density <= 1) {
				return nil, fmt.Errorf("--density %q: want a number above 0 up to 1, or one", d)
			}
		}
		for _, n := range o.ports {
			if n < 1 || n > 1024 {
				return nil, fmt.Errorf("--ports %d: want 1 to 1024", n)
			}
			points = append(points, edm.IterationsConfig{Ports: n, Density: density, Sizes: sizes, Cycles: o.cycles, Seed: o.seed})
		}
	}
	return points, nil
}

// measureAll measures the points, one a processor at a time; each is a simulation of its own. It calls progress with the
// cycles that all have run.
func measureAll(ctx context.Context, points []edm.IterationsConfig, progress func(cycles uint64)) ([]*edm.Iterations, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make([]*edm.Iterations, len(points))
	var (
		next  atomic.Int64
		group sync.WaitGroup
		mu    sync.Mutex // of what follows
		done  = make([]uint64, len(points))
		first error
	)
	for range min(len(points), runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := len(points) - int(next.Add(1)); i >= 0; i = len(points) - int(next.Add(1)) { // the largest take longest: first
				cfg := points[i]
				cfg.Progress = func(cycles uint64) {
					mu.Lock()
					defer mu.Unlock()
					done[i] = min(cycles, cfg.Cycles)
					var sum uint64
					for _, d := range done {
						sum += d
					}
					progress(sum)
				}
				r, err := edm.MeasureIterations(ctx, cfg)
				if err != nil {
					mu.Lock()
					if first == nil {
						first = err
					}
					mu.Unlock()
					cancel() // the others
					return
				}
				results[i] = r
			}
		})
	}
	group.Wait()
	return results, first
}

func newMatchingPoint(density string, r *edm.Iterations) matchingPoint {
	p := matchingPoint{Ports: r.Ports, Density: density, Log2: math.Log2(float64(r.Ports)), Cycles: r.Cycles, Matchings: r.Matchings,
		Demanded: float64(r.Demanded) / float64(r.Matchings)}
	period, _ := r.Clock.Period().In(clock.Nanosecond).Float64()
	for _, s := range []struct {
		name, counted string
		f             edm.Formed
	}{{"EDM", "between edges", r.EDM}, {"PIM", "3 an iteration", r.PIM}, {"iSLIP", "3 an iteration", r.ISLIP}} {
		p.Schemes = append(p.Schemes, matchingScheme{s.name, s.counted, float64(s.f.Pairs) / float64(r.Matchings),
			distribution(s.f.Iterations), distribution(s.f.Cycles), s.f.Cycles.Mean() * period})
	}
	return p
}

func (r *matchingResult) print(w io.Writer) {
	fmt.Fprintf(w, "Iterations to a maximal matching; %s sizes, seed %d, scheduler at %s. Every matching was checked.\n", r.Sizes, r.Seed, r.Clock)
	fmt.Fprintln(w, "Cycles are counted between edges for EDM; for PIM and iSLIP they stand for 3 an iteration.")
	fmt.Fprintln(w)
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.OptionsNoBordersAndSeparators
	t.AppendHeader(table.Row{"Ports", "Density", "log2 N", "Scheme", "Matchings", "Pairs", "Iterations", "p50", "p99", "Max", "Cycles", "p99", "Max", "ns", "Histogram of iterations"})
	for _, p := range r.Points {
		for _, s := range p.Schemes {
			t.AppendRow(table.Row{p.Ports, p.Density, fmt.Sprintf("%.2f", p.Log2), s.Name, p.Matchings, fmt.Sprintf("%.1f", s.Pairs),
				fmt.Sprintf("%.3f", s.Iterations.Mean), s.Iterations.P50, s.Iterations.P99, s.Iterations.Max,
				fmt.Sprintf("%.2f", s.Cycles.Mean), s.Cycles.P99, s.Cycles.Max, fmt.Sprintf("%.2f", s.Mean), histogram(s.Iterations.Histogram)})
		}
	}
	t.Render()
}

// histogram prints the values seen and how often, the first few of many.
func histogram(d edm.Distribution) string {
	const most = 8
	s, shown, left := "", 0, 0
	for value, n := range d {
		switch {
		case n == 0:
		case shown == most:
			left++
		default:
			if shown++; shown > 1 {
				s += " "
			}
			s += fmt.Sprintf("%d:%d", value, n)
		}
	}
	if left > 0 {
		s += fmt.Sprintf(", %d more", left)
	}
	return s
}

// writePlot draws the means against the ports beside log2 N.
func (r *matchingResult) writePlot(path string) error {
	chart := plots.Chart{Title: "Iterations to a maximal matching", X: "ports", Y: "iterations, mean", LogX: true}
	index := map[string]int{}
	log := plots.Series{Name: "log2 N", Dashed: true}
	for _, p := range r.Points {
		if p.Density == r.Points[0].Density {
			log.X, log.Y = append(log.X, float64(p.Ports)), append(log.Y, p.Log2)
		}
		for _, s := range p.Schemes {
			name := fmt.Sprintf("%s, density %s", s.Name, p.Density)
			i, ok := index[name]
			if !ok {
				i = len(chart.Series)
				index[name] = i
				chart.Series = append(chart.Series, plots.Series{Name: name})
			}
			c := &chart.Series[i]
			c.X, c.Y = append(c.X, float64(p.Ports)), append(c.Y, s.Iterations.Mean)
		}
	}
	chart.Series = append(chart.Series, log)
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer f.Cleanup() //nolint:errcheck // after the rename there is nothing to clean up
	if err := plots.Lines(f, chart); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
