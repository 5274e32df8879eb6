package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/google/renameio/v2"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/designs/edm"
	"github.com/goldwire/goldwire/plots"
	"github.com/goldwire/goldwire/workload"
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
		c.Policy = edm.SRPT
	case "fcfs":
		c.Policy = edm.FCFS
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
