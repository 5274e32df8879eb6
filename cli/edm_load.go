package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/designs/edm"
	"github.com/goldwire/goldwire/packetnet"
	"github.com/goldwire/goldwire/plots"
	"github.com/goldwire/goldwire/workload"
)

// edmLoad is `goldwire run edm load`.
type edmLoad struct {
	fabric
	loads     []float64
	messages  int
	sizes     string
	reads     float64
	pattern   string
	shared    bool
	baselines []string
	plot      string
	out       string
}

func newEDMLoad() *cobra.Command {
	var o edmLoad
	cmd := &cobra.Command{
		Use:   "load",
		Short: "Latency against load (Figures 8a and 8b)",
		Long: `Offer reads and writes to a network at several loads, check its invariants in every cycle, and print latencies beside those of
lone messages. Load is the share of the busiest links' blocks that the messages need, requests, notifications, grants and
framing counted. Sizes: fixed:64, or a published distribution (hadoop, spark, sparksql, graphlab, memcached, …).
Baselines get the load in their own framing: ` + strings.Join(schemeNames(), ", ") + `.

The exit code is 1 if an invariant is violated.`,
		Example: `  goldwire run edm load --plot fig8a.svg
  goldwire run edm load --loads 0.5,0.9 --baselines cxl,dctcp,ird
  goldwire run edm load --sizes hadoop --loads 0.5 --messages 2000 --nodes 48
  goldwire run edm load --pattern incast --nodes 9 --loads 0.8 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.flags(cmd, 144, 100)
	f := cmd.Flags()
	f.Float64SliceVar(&o.loads, "loads", []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}, "loads")
	f.IntVar(&o.messages, "messages", 100_000, "messages at each load")
	f.StringVar(&o.sizes, "sizes", "fixed:64", "size of a message's data")
	f.Float64Var(&o.reads, "reads", 0.5, "share of reads among the messages")
	f.StringVar(&o.pattern, "pattern", "all-to-all", "all-to-all, permutation or incast")
	f.BoolVar(&o.shared, "shared", false, "every node asks and answers; otherwise the first half asks and the second answers")
	f.StringSliceVar(&o.baselines, "baselines", nil, "schemes to compare with, or all")
	f.StringVar(&o.plot, "plot", "", "write the ratio to the unloaded latency against load to this SVG file")
	f.StringVar(&o.out, "out", "", "write the messages of the last load with their times to this CSV file")
	return cmd
}

func schemeNames() []string {
	var names []string
	for _, s := range packetnet.Schemes() {
		names = append(names, s.String())
	}
	return names
}

func (o *edmLoad) run(cmd *cobra.Command) error {
	cfg, err := o.config()
	if err != nil {
		return err
	}
	sizes, err := workload.ParseSizes(o.sizes)
	if err != nil {
		return fmt.Errorf("--sizes: %w", err)
	}
	pattern, err := workload.ParsePattern(o.pattern)
	if err != nil {
		return fmt.Errorf("--pattern: %w", err)
	}
	if o.messages < 1 || !(o.reads >= 0 && o.reads <= 1) || len(o.loads) == 0 {
		return fmt.Errorf("--messages %d, --reads %g, %d loads: want at least one message and one load, and a share from 0 to 1", o.messages, o.reads, len(o.loads))
	}
	for _, l := range o.loads {
		if !(l > 0 && l <= 2) {
			return fmt.Errorf("--loads %g: want more than 0, and at most 2", l)
		}
	}
	if slices.Equal(o.baselines, []string{"all"}) {
		o.baselines = schemeNames()
	}
	var schemes []packetnet.Scheme
	for _, name := range o.baselines {
		s, err := packetnet.ParseScheme(name)
		if err != nil {
			return fmt.Errorf("--baselines: %w", err)
		}
		schemes = append(schemes, s)
	}
	if len(schemes) > 0 && o.gbps != 100 {
		return fmt.Errorf("--baselines: want --gbps 100, their latencies are those of §4.3")
	}
	alone, err := edm.Alone(cmd.Context(), cfg, edm.Spread(sizes, o.seed))
	if err != nil {
		return err
	}
	var runs []func(context.Context) (*edm.Point, error)
	load := func(l float64) edm.Load {
		return edm.Load{Offered: l, Messages: o.messages, Shared: o.shared, Pattern: pattern, Sizes: sizes, Reads: o.reads, Seed: o.seed}
	}
	limit := int64(float64(o.messages)*sizes.Mean()*80) + 1e9 // all of it through one link, and a millisecond
	for _, l := range slices.Backward(o.loads) {              // the last, which takes as long as any, comes first
		runs = append(runs, func(ctx context.Context) (*edm.Point, error) {
			return edm.RunPoint(ctx, cfg, load(l), alone, edm.Options{Limit: limit})
		})
	}
	for _, s := range schemes {
		for _, l := range o.loads {
			runs = append(runs, func(ctx context.Context) (*edm.Point, error) {
				c := packetnet.DefaultConfig(s)
				c.Nodes, c.Seed = o.nodes, o.seed
				return edm.RunBaseline(ctx, c, load(l))
			})
		}
	}
	bar := newProgress(cmd.ErrOrStderr(), len(runs), "points")
	done := 0
	points, err := edm.Curve(cmd.Context(), runs, func(*edm.Point) { done++; bar.at(done, 0) })
	bar.finish()
	if err != nil {
		return err
	}
	slices.Reverse(points[:len(o.loads)])
	if o.out != "" {
		if err := workload.WriteResultsFile(o.out, points[len(o.loads)-1].Results); err != nil {
			return err
		}
	}
	if err := writePlot(o.plot, func(w io.Writer) error { return plotRatios(w, points) }); err != nil {
		return err
	}
	if o.json {
		err = printJSON(cmd.OutOrStdout(), map[string]any{"seed": o.seed, "nodes": o.nodes, "gbps": o.gbps, "sizes": o.sizes, "points": points})
	} else {
		fmt.Fprintf(cmd.OutOrStdout(), "%d nodes at %d Gb/s, %s, %s, %g %% reads, %d messages a load, seed %d\n\n", o.nodes, o.gbps, o.pattern, o.sizes, 100*o.reads, o.messages, o.seed)
		printPoints(cmd.OutOrStdout(), points, o.nodes)
	}
	return violations(cmd.ErrOrStderr(), points, err)
}

// violations reports the first one and makes the command fail.
func violations(w io.Writer, points []*edm.Point, err error) error {
	for _, p := range points {
		if err == nil && p.Violations > 0 {
			fmt.Fprintf(w, "load %g: %d violations, the first: %s\n", p.Offered, p.Violations, p.First[0])
			err = errFailed
		}
	}
	return err
}

func printPoints(w io.Writer, points []*edm.Point, nodes int) {
	t := newTable(w, "Scheme", "Load", "Finished", "Read ns", "p99", "Ratio", "Write ns", "p99", "Ratio", "Waits", "Simulated µs/s", "ns a port-cycle")
	for _, p := range points {
		row := table.Row{p.Scheme, p.Offered, fmt.Sprintf("%d of %d", p.Finished, p.Messages)}
		for _, l := range []edm.Latency{p.Read, p.Write} {
			if l.Messages == 0 {
				row = append(row, "", "", "")
				continue
			}
			row = append(row, fmt.Sprintf("%.1f", l.Mean), fmt.Sprintf("%.1f", l.P99), fmt.Sprintf("%.3f", l.Ratio))
		}
		speed := fmt.Sprintf("%.1f", p.Simulated/p.Wall.Seconds())
		if p.Cycles > 0 {
			row = append(row, fmt.Sprintf("%d data, %d control", p.MostData, p.MostControl), speed, fmt.Sprintf("%.0f", float64(p.Wall.Nanoseconds())/float64(p.Cycles)/float64(nodes)))
		} else {
			row = append(row, "", speed, "")
		}
		t.AppendRow(row)
	}
	t.Render()
	fmt.Fprintln(w, "\nRatio: mean of latency over that of a lone message. Waits: blocks that waited in the switch at most.")
}

func plotRatios(w io.Writer, points []*edm.Point) error {
	chart := plots.Chart{Title: "Latency against load", X: "load of the busiest links", Y: "latency over that of a lone message",
		HLines: []plots.Mark{{At: 1.2, Label: "EDM's bound for reads"}, {At: 1.3, Label: "for writes"}}}
	index := map[string]int{}
	add := func(name string, x, y float64, dashed bool) {
		i, ok := index[name]
		if !ok {
			i = len(chart.Series)
			index[name] = i
			chart.Series = append(chart.Series, plots.Series{Name: name, Dashed: dashed})
		}
		s := &chart.Series[i]
		s.X, s.Y = append(s.X, x), append(s.Y, y)
	}
	most := 0.0
	for _, p := range points {
		if p.Scheme == "EDM" {
			if p.Read.Messages > 0 {
				add("EDM read", p.Offered, p.Read.Ratio, false)
			}
			if p.Write.Messages > 0 {
				add("EDM write", p.Offered, p.Write.Ratio, false)
			}
		} else if p.All.Messages > 0 {
			add(p.Scheme, p.Offered, p.All.Ratio, true)
		}
		most = max(most, p.All.Ratio)
	}
	chart.LogY = most > 5
	return plots.Lines(w, chart)
}

// edmTrace is `goldwire run edm trace`.
type edmTrace struct {
	fabric
	out string
}

func newEDMTrace() *cobra.Command {
	var o edmTrace
	cmd := &cobra.Command{
		Use:   "trace FILE",
		Short: "Send the messages of a CSV file",
		Long: `Send the messages of a trace, columns id, type (read, write, cas), source, destination, bytes and start_ns, and write when each
finished. The exit code is 1 if an invariant is violated or a message does not finish.`,
		Example: "  goldwire run edm trace messages.csv --nodes 16 --out results.csv",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	o.flags(cmd, 16, 100)
	cmd.Flags().StringVar(&o.out, "out", "", "write the messages with their finish and latency to this CSV file")
	return cmd
}

func (o *edmTrace) run(cmd *cobra.Command, path string) error {
	cfg, err := o.config()
	if err != nil {
		return err
	}
	messages, err := workload.ReadMessagesFile(path, o.nodes)
	if err != nil {
		return err
	}
	var sizes []int
	bytes := 0
	for _, m := range messages {
		sizes = append(sizes, m.Bytes)
		bytes += m.Bytes
	}
	slices.Sort(sizes)
	if sizes = slices.Compact(sizes); len(sizes) > 12 {
		sizes = []int{sizes[0], sizes[len(sizes)/4], sizes[len(sizes)/2], sizes[len(sizes)*3/4], sizes[len(sizes)-1]}
	}
	alone, err := edm.Alone(cmd.Context(), cfg, sizes)
	if err != nil {
		return err
	}
	bar := newProgress(cmd.ErrOrStderr(), len(messages), "messages")
	r, err := edm.Run(cmd.Context(), cfg, messages, edm.Options{Limit: int64(bytes)*640 + 1e9, Progress: func(done, _ int) { bar.at(done, 0) }})
	bar.finish()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if o.out != "" {
		if err := workload.WriteResultsFile(o.out, r.Messages); err != nil {
			return err
		}
	}
	finished := 0
	for _, m := range r.Messages {
		if m.Finished {
			finished++
		}
	}
	w := cmd.OutOrStdout()
	summary := map[string]edm.Latency{}
	for _, t := range []workload.MessageType{workload.Read, workload.Write, workload.CompareSwap} {
		if s := edm.Summarise(r.Messages, t, alone); s.Messages > 0 {
			summary[t.String()] = s
		}
	}
	if o.json {
		err = printJSON(w, map[string]any{"messages": len(messages), "finished": finished, "cycles": r.Cycles, "types": summary, "violations": r.Monitor.Count})
	} else {
		fmt.Fprintf(w, "%d of %d messages finished in %d cycles, %d violations\n\n", finished, len(messages), r.Cycles, r.Monitor.Count)
		t := newTable(w, "Type", "Messages", "Mean ns", "Median", "p99", "Most", "Over a lone one")
		for _, name := range sortedKeys(summary) {
			s := summary[name]
			t.AppendRow(table.Row{name, s.Messages, fmt.Sprintf("%.1f", s.Mean), fmt.Sprintf("%.1f", s.Median), fmt.Sprintf("%.1f", s.P99), fmt.Sprintf("%.1f", s.Most), fmt.Sprintf("%.3f", s.Ratio)})
		}
		t.Render()
	}
	if err == nil && (r.Monitor.Count > 0 || finished < len(messages)) {
		for _, v := range r.Monitor.Violations[:min(3, len(r.Monitor.Violations))] {
			fmt.Fprintln(cmd.ErrOrStderr(), v)
		}
		err = errFailed
	}
	return err
}
