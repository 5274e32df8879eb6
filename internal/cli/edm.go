package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"goldwire/clock"
	"goldwire/designs/edm"
	"goldwire/designs/edm/baseline"
	"goldwire/plots"
	"goldwire/pqueue"
	"goldwire/workload"
)

// newEDM is `goldwire run edm`.
func newEDM() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "edm SCENARIO",
		Short: "A memory fabric inside the Ethernet PHY (Su and Shrivastav, ASPLOS 2025)",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("unknown scenario %q of edm, see goldwire run edm --help", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newEDMLatency(), newEDMLoad(), newEDMTrace(), newEDMKV(), newEDMInterference(), newEDMFaults())
	return cmd
}

// fabric is what scenarios with many nodes have in common.
type fabric struct {
	nodes, chunk, active, queue int
	gbps                        int
	policy                      string
	dram                        string
	noEqualise                  bool
	mode                        string
	seed                        uint64
	json                        bool
}

func (f *fabric) flags(cmd *cobra.Command, nodes, gbps int) {
	p := cmd.Flags()
	p.IntVar(&f.nodes, "nodes", nodes, "nodes around the switch")
	p.IntVar(&f.gbps, "gbps", gbps, "rate of the links: 25 or 100 Gb/s")
	p.IntVar(&f.chunk, "chunk", 256, "most bytes of a grant")
	p.IntVar(&f.active, "active", 3, "reads, and writes, that a pair may have under way")
	p.IntVar(&f.queue, "queue", 8192, "requests that a host's message queue holds")
	p.StringVar(&f.policy, "policy", "srpt", "order of messages of different nodes: srpt or fcfs")
	p.StringVar(&f.dram, "dram", "0ns", "latency of the memory nodes' DRAM")
	p.BoolVar(&f.noEqualise, "no-equalise", false, "keep the circuits of reads longer instead of holding the data of writes back")
	p.Uint64Var(&f.seed, "seed", 1, "seed of the messages")
	p.BoolVar(&f.json, "json", false, "print JSON")
}

func (f *fabric) config() (edm.Config, error) {
	c := edm.Config{Nodes: f.nodes, Chunk: f.chunk, Active: f.active, Queue: f.queue, Equalise: !f.noEqualise}
	switch f.gbps {
	case 25:
		c.Lanes = 1
	case 100:
		c.Lanes = 4
	default:
		return c, fmt.Errorf("--gbps %d: want 25 or 100", f.gbps)
	}
	switch f.policy {
	case "srpt":
		c.Policy = pqueue.SRPT
	case "fcfs":
		c.Policy = pqueue.FCFS
	default:
		return c, fmt.Errorf("--policy %q: want srpt or fcfs", f.policy)
	}
	d, err := clock.ParseTime(f.dram)
	if err != nil {
		return c, fmt.Errorf("--dram: %w", err)
	}
	if d.Cmp(clock.Time{}) < 0 || d.Cmp(clock.MustTime("100us")) > 0 {
		return c, fmt.Errorf("--dram %s: want 0 to 100us", f.dram)
	}
	c.DRAM = d
	return c, nil
}

// newTable returns a table that prints to w.
func newTable(w io.Writer, header ...any) table.Writer {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.OptionsNoBordersAndSeparators
	t.AppendHeader(header)
	return t
}

// writePlot writes an SVG file, or nothing if it fails.
func writePlot(path string, draw func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer f.Cleanup() //nolint:errcheck // after the rename there is nothing to clean up
	if err := draw(f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.CloseAtomicallyReplace()
}

// edmLatency is `goldwire run edm latency`.
type edmLatency struct {
	kind, dram  string
	bytes       int
	phases      int
	equal, json bool
	seed        uint64
	plot        string
}

func newEDMLatency() *cobra.Command {
	var o edmLatency
	cmd := &cobra.Command{
		Use:   "latency",
		Short: "One access in an idle network, step by step",
		Long: `Send one read, write or compare-and-swap through an idle network of two nodes at 25 Gb/s and show where its first block spends
its time: every step from the message queue to the delivery, between observed clock edges, with no gap (Table 1, Figure 5).
Then what Table 1 leaves out: the last byte, DRAM, and clocks in random phases.`,
		Example: "  goldwire run edm latency\n  goldwire run edm latency --type write --bytes 256 --dram 45ns\n  goldwire run edm latency --type cas --json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&o.kind, "type", "read", "read, write or cas")
	f.IntVar(&o.bytes, "bytes", 64, "bytes to read or write")
	f.StringVar(&o.dram, "dram", "0ns", "latency of the DRAM")
	f.BoolVar(&o.equal, "equal-wires", false, "four wires of 48 ns, instead of two that close the loop in whole cycles")
	f.IntVar(&o.phases, "phases", 100, "networks with clocks in random phases")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the phases")
	f.StringVar(&o.plot, "plot", "", "write the distribution over the phases to this SVG file")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

type edmStep struct {
	Place string  `json:"place"`
	Step  string  `json:"step"`
	From  float64 `json:"from_ns"`
	Time  float64 `json:"ns"`
	Cycle float64 `json:"cycles"`
}

type edmLatencyResult struct {
	Type     string             `json:"type"`
	Bytes    int                `json:"bytes"`
	Steps    []edmStep          `json:"steps"`
	Places   map[string]float64 `json:"places_ns"`
	Stack    float64            `json:"stack_ns"`
	Total    float64            `json:"total_ns"`
	LastByte float64            `json:"last_byte_ns"`
	Phases   struct {
		Networks int     `json:"networks"`
		Least    float64 `json:"least_ns"`
		Mean     float64 `json:"mean_ns"`
		Most     float64 `json:"most_ns"`
	} `json:"random_phases"`
	Seed uint64 `json:"seed"`
}

func nanoseconds(t clock.Time) float64 {
	f, _ := t.In(clock.Nanosecond).Float64()
	return f
}

func (o *edmLatency) run(cmd *cobra.Command) error {
	t, err := workload.ParseMessageType(o.kind)
	if err != nil {
		return fmt.Errorf("--type: %w", err)
	}
	if o.bytes < 1 || o.bytes > 60<<10 {
		return fmt.Errorf("--bytes %d: want 1 to %d", o.bytes, 60<<10)
	}
	if o.phases < 0 {
		return fmt.Errorf("--phases %d: want 0 or more", o.phases)
	}
	cfg := edm.Aligned()
	if cfg.DRAM, err = clock.ParseTime(o.dram); err != nil {
		return fmt.Errorf("--dram: %w", err)
	}
	if o.equal {
		cfg.Down = nil
	}
	kind := map[workload.MessageType]edm.Kind{workload.Read: edm.RREQ, workload.Write: edm.WREQ, workload.CompareSwap: edm.RMWREQ}[t]
	steps, err := edm.Follow(cmd.Context(), cfg, kind, o.bytes)
	if err != nil {
		return err
	}
	r := edmLatencyResult{Type: o.kind, Bytes: o.bytes, Places: map[string]float64{}, Seed: o.seed}
	period := nanoseconds(clock.Block25G.Period())
	for _, s := range steps {
		ns := nanoseconds(s.Time())
		r.Steps = append(r.Steps, edmStep{s.Place, s.What, nanoseconds(s.From.Sub(steps[0].From)), ns, ns / period})
		r.Places[s.Place] += ns
		r.Total += ns
		if s.Place != edm.Wires {
			r.Stack += ns
		}
	}
	bytes := o.bytes
	if t == workload.CompareSwap {
		bytes = 1
	}
	whole, err := edm.Run(cmd.Context(), cfg, []workload.Message{{Type: t, Source: 0, Dest: 1, Bytes: bytes}}, edm.Options{Limit: 1e9})
	if err != nil {
		return err
	}
	r.LastByte = float64(whole.Messages[0].Latency()) / 1000
	times, err := edm.Phases(cmd.Context(), kind, o.phases, o.seed)
	if err != nil {
		return err
	}
	var spread []float64
	for _, x := range times {
		spread = append(spread, nanoseconds(x))
		r.Phases.Mean += nanoseconds(x) / float64(len(times))
	}
	if len(spread) > 0 {
		r.Phases.Networks, r.Phases.Least, r.Phases.Most = len(spread), slices.Min(spread), slices.Max(spread)
		if err := writePlot(o.plot, func(w io.Writer) error {
			return plots.Lines(w, plots.Chart{Title: "EDM: first block of a " + o.kind + ", clocks in random phases", X: "latency (ns)", Y: "share of networks",
				Series: []plots.Series{plots.CDF(o.kind, spread)}, VLines: []plots.Mark{{At: r.Total, Label: "aligned"}}})
		}); err != nil {
			return err
		}
	}
	if o.json {
		return printJSON(cmd.OutOrStdout(), r)
	}
	r.print(cmd.OutOrStdout())
	return nil
}

func (r *edmLatencyResult) print(w io.Writer) {
	fmt.Fprintf(w, "A %s of %d bytes from node 0 to node 1 at 25 Gb/s: the way of its first block\n\n", r.Type, r.Bytes)
	t := newTable(w, "At ns", "Place", "Step", "Cycles", "ns")
	for _, s := range r.Steps {
		t.AppendRow(table.Row{fmt.Sprintf("%.2f", s.From), s.Place, s.Step, fmt.Sprintf("%g", round(s.Cycle)), fmt.Sprintf("%.2f", s.Time)})
	}
	t.Render()
	fmt.Fprintln(w)
	for _, p := range []string{edm.ComputeNode, edm.Switch, edm.MemoryNode, edm.PCS, edm.Wires} {
		fmt.Fprintf(w, "%-13s %7.2f ns\n", p, r.Places[p])
	}
	fmt.Fprintf(w, "%-13s %7.2f ns without the wires\n%-13s %7.2f ns\n", "stack", r.Stack, "total", r.Total)
	fmt.Fprintf(w, "\nto the last byte, from the application: %.2f ns\n", r.LastByte)
	if r.Phases.Networks > 0 {
		fmt.Fprintf(w, "%d networks with clocks in random phases and wires of 48 ns: %.2f to %.2f ns, %.2f on average (seed %d)\n",
			r.Phases.Networks, r.Phases.Least, r.Phases.Most, r.Phases.Mean, r.Seed)
	}
}

func round(x float64) float64 { return float64(int64(x*100+0.5)) / 100 }

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
	for _, s := range baseline.Schemes() {
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
	var schemes []baseline.Scheme
	for _, name := range o.baselines {
		s, err := baseline.ParseScheme(name)
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
				c := baseline.DefaultConfig(s)
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

// edmKV is `goldwire run edm kv`.
type edmKV struct {
	workloads []string
	requests  int
	seed      uint64
	plot      string
	json      bool
}

func newEDMKV() *cobra.Command {
	var o edmKV
	cmd := &cobra.Command{
		Use:   "kv",
		Short: "A key-value store under YCSB (Figures 6 and 7)",
		Long: `Serve YCSB's workloads A, B and F from a remote key-value store over 25 Gb/s, and count requests a second over EDM and over
RoCEv2 (Figure 6): with as many requests outstanding as fill the link, and one at a time. Then the mean latency of workload A
with a share of the objects in the local memory, for EDM, CXL and RDMA (Figure 7).`,
		Example: "  goldwire run edm kv\n  goldwire run edm kv --workloads A --requests 10000 --plot fig6.svg",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.workloads, "workloads", []string{"A", "B", "F"}, "workloads of YCSB")
	f.IntVar(&o.requests, "requests", 4000, "requests of each workload")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the keys")
	f.StringVar(&o.plot, "plot", "", "write requests a second to this SVG file")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

func (o *edmKV) run(cmd *cobra.Command) error {
	if o.requests < 1 {
		return fmt.Errorf("--requests %d: want at least 1", o.requests)
	}
	var list []*edm.KV
	bar := newProgress(cmd.ErrOrStderr(), len(o.workloads), "workloads")
	for i, name := range o.workloads {
		k, err := edm.RunKV(cmd.Context(), name, o.requests, o.seed)
		if err != nil {
			return fmt.Errorf("--workloads: %w", err)
		}
		list = append(list, k)
		bar.at(i+1, 0)
	}
	bar.finish()
	latency, err := edm.RunKVLatency(cmd.Context(), []float64{0, 0.25, 0.5, 0.75, 1})
	if err != nil {
		return err
	}
	if err := writePlot(o.plot, func(w io.Writer) error {
		chart := plots.BarChart{Title: "YCSB over 25 Gb/s", X: "workload", Y: "million requests/s"}
		values := map[string][]float64{}
		for _, k := range list {
			chart.Groups = append(chart.Groups, k.Workload)
			for name, v := range map[string]float64{"EDM": k.EDM, "RoCEv2": k.RDMA, "EDM, one at a time": k.EDMOne, "RoCEv2, one at a time": k.RDMAOne} {
				values[name] = append(values[name], v/1e6)
			}
		}
		for _, name := range []string{"EDM", "RoCEv2", "EDM, one at a time", "RoCEv2, one at a time"} {
			chart.Series = append(chart.Series, plots.BarSeries{Name: name, Values: values[name]})
		}
		return plots.Bars(w, chart)
	}); err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if o.json {
		return printJSON(w, map[string]any{"throughput": list, "latency": latency, "seed": o.seed})
	}
	fmt.Fprintf(w, "Million requests a second over 25 Gb/s, %d requests, seed %d\n\n", o.requests, o.seed)
	t := newTable(w, "Workload", "EDM", "RoCEv2", "Ratio", "Payload alone", "EDM, one at a time", "RoCEv2, one at a time", "Ratio")
	for _, k := range list {
		t.AppendRow(table.Row{k.Workload, fmt.Sprintf("%.3f", k.EDM/1e6), fmt.Sprintf("%.3f", k.RDMA/1e6), fmt.Sprintf("%.2f", k.Ratio), fmt.Sprintf("%.3f", k.Bound/1e6),
			fmt.Sprintf("%.3f", k.EDMOne/1e6), fmt.Sprintf("%.3f", k.RDMAOne/1e6), fmt.Sprintf("%.2f", k.RatioOne)})
	}
	t.Render()
	fmt.Fprintf(w, "\nMean latency of workload A, ns, with %g ns of DRAM\n\n", edm.LocalDRAM)
	t = newTable(w, "Local objects", "EDM", "CXL", "RDMA", "EDM over CXL")
	for _, l := range latency {
		t.AppendRow(table.Row{fmt.Sprintf("%g %%", 100*l.Local), fmt.Sprintf("%.1f", l.EDM), fmt.Sprintf("%.1f", l.CXL), fmt.Sprintf("%.1f", l.RDMA), fmt.Sprintf("%.2f", l.Ratio)})
	}
	t.Render()
	return nil
}

func newEDMInterference() *cobra.Command {
	var messages int
	var seed uint64
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "interference",
		Short: "Memory accesses on links full of IP frames (§3.2.3)",
		Long: `Send lone reads and writes over links of 25 Gb/s that are full of frames of 1,518 bytes in both directions, with each policy of
the transmit multiplexer, and without frames. The exit code is 1 if a frame is damaged.`,
		Example: "  goldwire run edm interference",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if messages < 2 {
				return fmt.Errorf("--messages %d: want at least 2", messages)
			}
			var list []*edm.Interference
			damaged := 0
			for _, c := range []struct {
				policy edm.Policy
				frames bool
			}{{edm.Fair, false}, {edm.Fair, true}, {edm.Strict, true}} {
				x, err := edm.RunInterference(cmd.Context(), c.policy, c.frames, messages, seed)
				if err != nil {
					return err
				}
				x.Results = nil
				damaged += x.Damaged
				list = append(list, x)
			}
			w := cmd.OutOrStdout()
			if asJSON {
				if err := printJSON(w, list); err != nil {
					return err
				}
			} else {
				t := newTable(w, "Policy", "Frames", "Gb/s a link", "Damaged", "Read ns", "Most", "Write ns", "Most", "Frame blocks held", "Reassembled")
				for _, x := range list {
					t.AppendRow(table.Row{x.Policy, x.Frames, fmt.Sprintf("%.1f", x.FrameGbps), x.Damaged, fmt.Sprintf("%.1f", x.Read.Mean), fmt.Sprintf("%.1f", x.Read.Most),
						fmt.Sprintf("%.1f", x.Write.Mean), fmt.Sprintf("%.1f", x.Write.Most), x.MostFrames, x.MostReceived})
				}
				t.Render()
			}
			if damaged > 0 {
				return errFailed
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&messages, "messages", 200, "reads and writes")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the frames and the times")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newEDMFaults() *cobra.Command {
	var seed uint64
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "faults",
		Short: "Bit errors, a dead switch, a dead memory node (§3.3)",
		Long: `Flip every bit of a read and of a write on every link, let a switch die with and without a second one that mirrors it, and let a
memory node die; report what is seen, what is lost, and what hangs.`,
		Example: "  goldwire run edm faults\n  goldwire run edm faults --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := edm.Faults(cmd.Context(), seed)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), r)
			}
			return r.Text(cmd.OutOrStdout())
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the messages and of the times")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
