package cli

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/designs/edm"
	"github.com/goldwire/goldwire/plots"
)

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
