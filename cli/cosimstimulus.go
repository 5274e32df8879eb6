package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/plural"
	"github.com/goldwire/goldwire/internal/program"
	"github.com/goldwire/goldwire/internal/suggest"
	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/workload"
)

// moreParams is a list of parameters, as units take them.
var moreParams = regexp.MustCompile(`,\s*[a-zA-Z_]\w*=`)

// parametrise returns the unit with the parameters of --param that it has, and of a set of --vectors; other parameters
// are the RTL's.
func (o *cosimCommand) parametrise(u vectors.Unit) (vectors.Unit, error) {
	var own []string
	for _, p := range o.parameters {
		name, _, _ := strings.Cut(p, "=")
		switch {
		case u.HasParam(name):
			own = append(own, strings.Split(p, ",")...)
		case moreParams.MatchString(p):
			return u, fmt.Errorf(
				"--param %s: unit %s has no parameter %s, and of the RTL's each wants a flag of its own", suggest.Quote(p),
				u.Name, suggest.Quote(name),
			)
		default:
			o.rtl.params = append(o.rtl.params, p)
		}
	}
	if o.vectors != "" && len(own) == 0 {
		return unitOfSet(u, o.vectors)
	}
	return withParams(u, own)
}

// directory is where what a difference leaves goes.
func (o *cosimCommand) directory(u vectors.Unit) string {
	if o.out != "" {
		return o.out
	}
	return u.Module() + "_cosim"
}

// leave writes the waveform of a divergence and the short stimulus.
func (o *cosimCommand) leave(
	cmd *cobra.Command, s *cosim.Session, st cosim.Stimulus, u vectors.Unit, report *cosimReport,
) error {
	dir := o.directory(u)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	vcd := filepath.Join(dir, "divergence.vcd")
	if err := report.Result.Divergence.WriteVCD(vcd); err != nil {
		return err
	}
	report.Files = map[string]string{"waveform": vcd}
	if !o.json {
		fmt.Fprintf(out, "waveform of both sides: %s\n", vcd)
	}
	if o.noShrink || !report.Result.Divergence.CanShrink() {
		return nil
	}
	short, err := s.Shrink(cmd.Context(), st, report.Result.Divergence)
	if err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: not shrunk: %v\n", program.Name(), err)
		return nil
	}
	set := filepath.Join(dir, "vectors")
	again := ""
	if short.Divergence.Transfers { // a testbench that compares cycles would fail with RTL that is right
		again = o.again(cmd, u, set, short.Seed)
		short.Set.Readme = fmt.Sprintf("Stimulus of %s that shows a difference of transfers: stimulus.hex, vectors.csv. "+
			"The values of the\noutputs are the model's, cycle by cycle, and RTL keeps a pace of its own. To compare "+
			"transfers again, where\nthe command was given before:\n\n  %s\n", u.Name, again)
	}
	if err := vectors.Write(set, short.Set); err != nil {
		return err
	}
	report.Files["vectors"] = set
	cycles := len(short.Set.Rows) - short.Lead
	report.Shrunk = &cosimShrunk{cycles, short.From, short.Lead, short.Runs, short.Divergence}
	switch {
	case o.json:
	case short.Divergence.Transfers:
		fmt.Fprintf(out, "\nshrunk from %d to %s of the model in %s; to see it again:\n  %s\n",
			short.From, plural.Of(cycles, "cycle"), plural.Of(short.Runs, "run"), again)
		short.Divergence.Write(out)
	default:
		lead := ""
		if short.Lead > 0 {
			lead = fmt.Sprintf(" after the %d that the map skips (+skip=%d for the testbench)", short.Lead, short.Lead)
		}
		fmt.Fprintf(
			out, "\nshrunk from %d to %s%s in %s, saved with a testbench: %s\n", short.From, plural.Of(cycles, "cycle"),
			lead, plural.Of(short.Runs, "run"), set,
		)
		short.Divergence.Write(out)
	}
	return nil
}

// stimulus returns the driver of the model, and its name.
func (o *cosimCommand) stimulus(ctx context.Context, u vectors.Unit) (cosim.Stimulus, string, error) {
	given := 0
	for _, s := range []string{o.vectors, o.pcap, o.stream.file} {
		if s != "" {
			given++
		}
	}
	switch {
	case given > 1:
		return cosim.Stimulus{}, "", errors.New("--vectors, --pcap and --stream: want one of them")
	case o.stream.file != "":
		set, err := o.stream.set(ctx, u, o.seed)
		if err != nil {
			return cosim.Stimulus{}, "", err
		}
		return cosim.Stimulus{Rows: set.Rows, Seed: o.seed}, "stream " + o.stream.file, nil
	case o.vectors != "":
		set, err := vectors.Read(o.vectors)
		if err != nil {
			return cosim.Stimulus{}, "", err
		}
		if err := vectors.Compare(u, set); err != nil {
			return cosim.Stimulus{}, "", fmt.Errorf("%s: the model does not agree with the vectors: %w", o.vectors, err)
		}
		return cosim.Stimulus{Rows: set.Rows, Seed: o.seed}, "vectors " + o.vectors, nil
	case o.pcap != "":
		frames, err := workload.ReadPcapFile(o.pcap, workload.FCSCheck(o.fcs))
		if err != nil {
			return cosim.Stimulus{}, "", err
		}
		var bytes [][]byte
		for _, f := range frames {
			bytes = append(bytes, f.Bytes)
		}
		if u.FromFrames == nil {
			return cosim.Stimulus{}, "", fmt.Errorf("--pcap: no frames pass through %s", u.Name)
		}
		rows, err := u.FromFrames(bytes)
		if err != nil {
			return cosim.Stimulus{}, "", fmt.Errorf("--pcap: %w", err)
		}
		return cosim.Stimulus{Rows: rows, Seed: o.seed}, fmt.Sprintf("%d frames of %s", len(frames), o.pcap), nil
	}
	what := "random stimulus"
	if u.Profile != vectors.Mixed {
		what = "random " + string(u.Profile) + " stimulus"
	}
	return cosim.Stimulus{Cycles: o.cycles, Seed: o.seed}, what, nil
}

// bounds checks the numbers that were given.
func (o *cosimCommand) bounds(opt *cosim.Options) error {
	switch {
	case o.cycles < 1 || int64(o.cycles) > mostCosimCycles:
		return fmt.Errorf("--cycles %d: want 1 to %d", o.cycles, int64(mostCosimCycles))
	case o.dirty < 0 || o.dirty > mostDirty:
		return fmt.Errorf("--dirty %d: want 0 to %d", o.dirty, mostDirty)
	case o.timeout <= 0 || o.timeout > mostTimeout:
		return fmt.Errorf("--timeout %v: want more than 0s, at most %v", o.timeout, mostTimeout)
	case o.build <= 0 || o.build > mostTimeout:
		return fmt.Errorf("--build-timeout %v: want more than 0s, at most %v", o.build, mostTimeout)
	case o.memory < leastMemory || o.memory > mostMemory:
		return fmt.Errorf("--memory %d: want %d to %d MiB", o.memory, leastMemory, mostMemory)
	}
	opt.Continue, opt.Design.BuildTimeout, opt.Design.Memory = o.goOn, o.build, o.memory<<20
	return nil
}
