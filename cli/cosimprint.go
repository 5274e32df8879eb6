package cli

import (
	"errors"
	"fmt"
	"io"
	"math/bits"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/plural"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// cosimReport is what --json prints.
type cosimReport struct {
	Module    string            `json:"module"`
	Settings  vectors.Settings  `json:"parameters,omitempty"`
	Top       string            `json:"top"`
	Simulator string            `json:"simulator"`
	Seed      uint64            `json:"seed"`
	Stimulus  string            `json:"stimulus"`
	Extra     int               `json:"extra"`
	Binding   []boundPort       `json:"binding"`
	Result    *cosim.Result     `json:"result,omitempty"`
	Warnings  []string          `json:"warnings,omitempty"`
	Widths    []string          `json:"width_warnings,omitempty"`
	Opinion   *cosim.Opinion    `json:"second_opinion,omitempty"`
	Shrunk    *cosimShrunk      `json:"shrunk,omitempty"`
	Files     map[string]string `json:"files,omitempty"`

	json bool
}

type boundPort struct {
	Field     string `json:"field"`
	Direction string `json:"direction"`
	Width     int    `json:"width"`
	RTL       string `json:"rtl"`
	How       string `json:"how"`
}

type cosimShrunk struct {
	Cycles     int               `json:"cycles"`
	From       int               `json:"from"`
	Lead       int               `json:"lead,omitempty"` // cycles before them that the map skips
	Runs       int               `json:"runs"`
	Divergence *cosim.Divergence `json:"divergence"`
}

// printOpinion says whether the other simulator shows a difference too.
func printOpinion(out io.Writer, r *cosimReport, unit string) {
	switch o := r.Opinion; {
	case o == nil:
	case o.Divergence != nil:
		fmt.Fprintf(out, "%s shows a difference too: %v\n", o.Simulator, o.Divergence)
	case r.Result.Divergence.Unknown != 0:
		fmt.Fprintf(out, "%s, which knows no x, shows no difference in these %d %s\n",
			o.Simulator, o.Cycles, unit)
	default:
		fmt.Fprintf(
			out, "%s shows no difference in these %d %s: the simulators disagree on this RTL\n", o.Simulator, o.Cycles,
			unit,
		)
	}
}

// cosimReportDoubt prints that the simulators disagree on RTL that agrees under Verilator.
func cosimReportDoubt(out io.Writer, r *cosimReport, unit, doubts string) error {
	if r.json {
		return printJSON(out, r)
	}
	d := r.Opinion.Divergence
	fmt.Fprintf(
		out, "%s and %s part under %s (%v), and not under %s in %d cycles: the simulators disagree on this RTL%s\n", unit,
		r.Top, r.Opinion.Simulator, d, r.Simulator, r.Result.Cycles, doubts,
	)
	d.Write(out)
	return nil
}

// showCauses prints everything that a binding lacks, if there is more than the error's one line, and a map to begin
// with if there is one. It returns the error that is left to be told.
func showCauses(w io.Writer, err error) error {
	var bind *cosim.BindError
	if !errors.As(err, &bind) || len(bind.Causes) < 2 && bind.Map == "" {
		return err
	}
	for _, line := range bind.Screen() {
		if bind.Map != "" { // it does what the hints say
			line, _, _ = strings.Cut(line, ": ")
		}
		fmt.Fprintln(w, hanging("  ", line, helpWidth(w)))
	}
	if bind.Map != "" {
		text := "The model has handshakes, and RTL of another pace is compared by transfers. A map to begin with: save " +
			"it, complete it, and give it by --map."
		if strings.Contains(bind.Map, "…") {
			text += " … stands for ports that the names do not tell."
		}
		fmt.Fprintf(w, "\n%s\n\n%s\n", wrapped(text, helpWidth(w)), bind.Map)
	}
	return fmt.Errorf("%s of RTL and model do not fit together", plural.Of(len(bind.Causes), "port"))
}

// printCompared says what an agreement rests on.
func printCompared(w io.Writer, r *cosim.Result) {
	var seldom []string
	for _, f := range r.Outputs {
		if f.Count < uint64(r.Cycles) {
			seldom = append(seldom, fmt.Sprintf("%s in %d", f.Field, f.Count))
		}
	}
	all := len(r.Outputs) + len(r.Ignored) + len(r.Handshake)
	fmt.Fprintf(w, "compared: %d of %d outputs", len(r.Outputs), all)
	if len(seldom) > 0 {
		fmt.Fprintf(w, ", of them %s", strings.Join(seldom, ", "))
	}
	if len(r.Handshake) > 0 {
		fmt.Fprintf(w, "; by the handshake: %s", strings.Join(r.Handshake, ", "))
	}
	if len(r.Ignored) > 0 {
		fmt.Fprintf(w, "; not compared: %s", strings.Join(r.Ignored, ", "))
	}
	fmt.Fprintln(w)
	printDifferences(w, r)
}

// printDifferences lists the distinct differences of a run that went on, and the differences that waivers passed.
func printDifferences(w io.Writer, r *cosim.Result) {
	if len(r.Differences) > 0 {
		t := newTable(w)
		t.Style().Format.Header = 0
		t.AppendHeader(table.Row{"count", "field", "bits", "first cycle", "model", "RTL", "waived"})
		for _, d := range r.Differences {
			t.AppendRow(table.Row{d.Count, d.Field, d.Bits, d.Cycle, d.Model, d.RTL, d.Reason})
		}
		fmt.Fprintf(w, "%d distinct differences in %d cycles:\n", len(r.Differences), r.Cycles)
		t.Render()
		if r.MoreKinds > 0 {
			fmt.Fprintf(w, "and %d differences of other kinds\n", r.MoreKinds)
		}
	}
	if r.Waived > 0 {
		fmt.Fprintf(w, "waived: %d differences\n", r.Waived)
	}
	for _, u := range r.UnusedWaivers {
		fmt.Fprintf(w, "unused waiver: %s\n", u)
	}
}

func boundPorts(b *cosim.Binding) []boundPort {
	var list []boundPort
	for _, f := range b.Fields {
		list = append(list, boundPort{f.Name, f.Dir.String(), f.Width, f.Text, f.How})
	}
	return list
}

// heldBits names the bits of a mask that is one run of bits, "" for all bits of a width.
func heldBits(mask uint64, width int) string {
	lo, n := bits.TrailingZeros64(mask), bits.OnesCount64(mask)
	switch {
	case n == width:
		return ""
	case mask>>lo+1 == 1<<n:
		return fmt.Sprintf("bits %d:%d ", lo+n-1, lo)
	}
	return fmt.Sprintf("bits %#x ", mask)
}

func printBinding(w io.Writer, b *cosim.Binding) {
	t := newTable(w)
	t.AppendHeader(table.Row{"Model", "", "Bits", "RTL", "Bound by"})
	for _, c := range b.Controls() {
		t.AppendRow(table.Row{c.Role, "in", 1, c.Text, c.Note})
	}
	for _, f := range b.Fields {
		arrow := "in"
		if f.Dir == rtl.Output {
			arrow = "out"
		}
		text := f.Text
		if mask, value := f.Held(); mask != 0 {
			text = strings.TrimSpace(fmt.Sprintf("%s %sheld at %#x", text, heldBits(mask, f.Width), value))
		}
		if mask := f.Compared(); f.Dir == rtl.Output && mask != 0 && mask != ^uint64(0)>>(64-f.Width) {
			text += fmt.Sprintf(" & %#x", mask)
		}
		t.AppendRow(table.Row{f.Name, arrow, f.Width, text, f.How})
	}
	t.Render()
	fmt.Fprintln(w)
}
