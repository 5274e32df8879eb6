package wave

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
)

// selection holds the nets of a simulation that a dump shows, and their names.
type selection struct {
	opt  Options
	used map[string]bool // patterns that something matched

	traced  []traced // the nets: signals first, then what only inputs show
	signals int      // how many nets are signals
	at      map[traced]int
	shown   []Var // names, module by module; the scope is the module
	nets    []int // of each name
}

// traced is a net: a leaf of a signal.
type traced struct {
	signal   *rtl.Signal
	leaf     int
	stimulus bool
}

func newSelection(opt Options) *selection {
	return &selection{opt: opt, used: map[string]bool{}, at: map[traced]int{}}
}

// add selects signals and inputs of a simulation.
func (s *selection) add(sim *rtl.Sim) error {
	signals, inputs := sim.Signals(), sim.Inputs()
	for _, sig := range signals {
		if s.stimulus(sig); s.wanted(sig.Path) {
			for leaf := range sig.Leaves {
				s.net(sig, leaf)
			}
		}
	}
	s.signals = len(s.traced)
	for module := range sim.Modules() {
		for ; len(inputs) > 0 && inputs[0].Module == module; inputs = inputs[1:] {
			if in := inputs[0]; s.wanted(in.Path) {
				s.show(in.Module, in.Name, in.Source)
			}
		}
		for ; len(signals) > 0 && signals[0].Module == module; signals = signals[1:] {
			if sig := signals[0]; s.wanted(sig.Path) {
				s.show(sig.Module, sig.Name, sig)
			}
		}
	}
	for _, pat := range slices.Concat(s.opt.Include, s.opt.Stimulus) {
		if !s.used[pat] {
			return fmt.Errorf("no signal matches %q", pat)
		}
	}
	return nil
}

// net returns the number of the net that is a leaf of a signal.
func (s *selection) net(sig *rtl.Signal, leaf int) int {
	t := traced{sig, leaf, s.stimulus(sig)}
	n, ok := s.at[t]
	if !ok {
		n = len(s.traced)
		s.at[t], s.traced = n, append(s.traced, t)
	}
	return n
}

// show adds what a module calls name and is a signal, leaf by leaf.
func (s *selection) show(module, name string, sig *rtl.Signal) {
	for leaf, l := range sig.Leaves {
		s.shown, s.nets = append(s.shown, variable(module, name, l)), append(s.nets, s.net(sig, leaf))
	}
}

// variable is a leaf of a signal or an input.
func variable(module, name string, l layout.Leaf) Var {
	if l.Name != "" {
		name += "_" + l.Name
	}
	return Var{module, name, l.Width}
}

func (s *selection) wanted(path string) bool {
	return (len(s.opt.Include) == 0 || s.match(s.opt.Include, path)) && !s.match(s.opt.Exclude, path)
}

func (s *selection) stimulus(sig *rtl.Signal) bool {
	return sig.Kind != rtl.Constant && s.match(s.opt.Stimulus, sig.Path)
}

func (s *selection) match(patterns []string, p string) bool {
	for _, pat := range patterns {
		if matches(pat, p) {
			s.used[pat] = true
			return true
		}
	}
	return false
}

// matches tells whether a pattern is the path, a scope above it, or a glob of either.
func matches(pattern, p string) bool {
	pat, parts := strings.Split(pattern, "."), strings.Split(p, ".")
	if len(pat) > len(parts) {
		return false
	}
	for i := range pat {
		if ok, err := path.Match(pat[i], parts[i]); err != nil || !ok {
			return false
		}
	}
	return true
}
