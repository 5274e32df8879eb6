package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// partner is a rule for some flags of a command: they need another flag, or another flag makes them useless. A user who
// gives a useless flag expects an effect, so it is an error.
type partner struct {
	flags   []string
	with    string // the flag that they need
	without string // the flag that makes them useless
	why     string
}

// partners are the rules, by command.
var partners = map[string][]partner{
	"cosim": {
		{flags: []string{"hold", "port"}, with: "stream", why: "they say what a stream drives"},
		{flags: []string{"check-fcs"}, with: "pcap", why: "it says how a capture is read"},
		{flags: []string{"cycles", "seed", "vectors", "pcap", "stream", "profile", "extra",
			"dirty", "timeout", "continue", "waive", "out", "no-shrink"},
			without: "ports", why: "it stops before the RTL is run"},
		{flags: []string{"cycles"}, without: "vectors", why: "the set has its cycles"},
		{flags: []string{"cycles"}, without: "pcap", why: "the capture has its cycles"},
		{flags: []string{"cycles"}, without: "stream", why: "the file has its beats"},
	},
	"vectors": {
		{flags: []string{"hold", "port"}, with: "stream", why: "they say what a stream drives"},
		{flags: []string{"cycles", "seed", "format", "cover", "until-covered", "until-killed", "stream", "profile"},
			without: "check", why: "the set has its own rows"},
		{flags: []string{"cover"}, without: "json", why: "the JSON has it in any case"},
	},
	"list":   {{flags: []string{"ports"}, without: "json", why: "the JSON has them in any case"}},
	"verify": {{flags: []string{"verbose"}, without: "json", why: "the JSON has it in any case"}},
	"report": {{flags: []string{"drmt-graphs"}, without: "from", why: "nothing is measured"}},
	"wave": { // of wave diff
		{flags: []string{"clock-b", "falling", "offset"}, with: "clock", why: "they say where to sample"},
	},
	"run": {
		{flags: []string{"vcd-scope", "vcd-from", "vcd-to"}, with: "vcd", why: "they say what its waveform has"},
		{flags: []string{"on-fault-cycles"}, with: "on-fault", why: "it says what its file has"},
	},
	"mutants": {
		{flags: []string{"markdown"}, without: "json", why: "one form is printed"},
	},
}

// wantPartners has the commands look at their flags before they run.
func wantPartners(root *cobra.Command) {
	var walk func(cmd *cobra.Command, rules []partner)
	walk = func(cmd *cobra.Command, rules []partner) {
		if before := cmd.PreRunE; len(rules) > 0 {
			cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
				if err := checkPartners(cmd.Flags(), rules); err != nil || before == nil {
					return err
				}
				return before(cmd, args)
			}
		}
		for _, c := range cmd.Commands() {
			walk(c, rules)
		}
	}
	for _, c := range root.Commands() {
		walk(c, partners[c.Name()])
	}
}

// checkPartners refuses flags that would do nothing.
func checkPartners(f *pflag.FlagSet, rules []partner) error {
	for _, p := range rules {
		given := func(name string) bool { return f.Changed(name) }
		k := slices.IndexFunc(p.flags, given)
		switch {
		case k < 0:
		case p.with != "" && !f.Changed(p.with):
			return fmt.Errorf("--%s: goes with --%s: %s", p.flags[k], p.with, p.why)
		case p.without != "" && on(f, p.without):
			return fmt.Errorf("--%s: does nothing beside --%s: %s", p.flags[k], p.without, p.why)
		}
	}
	return nil
}

// on tells whether a flag is given and not false.
func on(f *pflag.FlagSet, name string) bool {
	return f.Changed(name) && f.Lookup(name).Value.String() != "false"
}
