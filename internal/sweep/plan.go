package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/internal/program"
)

// schema is the version of the files. It is part of every key.
const schema = 1

// mostPoints is how many points a plan has at most: as many as an Indexed Job of Kubernetes has indexes.
const mostPoints = 100_000

// Plan describes a sweep. Values stand as texts, as the flags of the experiment read them.
type Plan struct {
	Schema     int    `json:"schema"`
	Experiment string `json:"experiment"` // with its design: "rifl/sweep"
	Source     string `json:"source"`     // of the program; see [Source]
	// parameters that stay, by their flags; the others have their defaults
	Set    map[string]string `json:"set"`
	Vary   []Axis            `json:"vary"` // parameters that vary; the last changes fastest
	Seeds  Seeds             `json:"seeds"`
	Inputs []Input           `json:"inputs,omitempty"`
}

// NewPlan starts a plan of an experiment, named with its design.
func NewPlan(name string) Plan {
	return Plan{Schema: schema, Experiment: name, Set: map[string]string{}, Vary: []Axis{},
		Seeds: Seeds{First: 1, Count: 1}}
}

// JSON is the plan as its file has it.
func (p *Plan) JSON() ([]byte, error) {
	text, err := json.MarshalIndent(p, "", "  ")
	return append(text, '\n'), err
}

// Axis is a parameter with the values that it takes. Of a parameter that is a list, each value is a list with this one
// element.
type Axis struct {
	Flag   string   `json:"flag"`
	Values []string `json:"values"`
}

// Seeds says with which seeds each combination of the values is run: First, First+1 and so on.
type Seeds struct {
	First uint64 `json:"first"`
	Count int    `json:"count"`
	// Until, if not nil, adds Count seeds at a time to a combination until its intervals are narrow enough.
	Until *Until `json:"until,omitempty"`
}

// Until ends the seeds of a combination: when half of the 95 % confidence interval of a figure's mean is at most Half,
// or at most the share Relative of the mean, in every point of the experiment.
type Until struct {
	Figure   string  `json:"figure"` // a number in the result of a point: "bandwidth", "reads.p99"
	Half     float64 `json:"half,omitempty"`
	Relative float64 `json:"relative,omitempty"`
	Most     int     `json:"most"` // seeds of a combination
}

// Input is a file that the experiment reads. It lies in the store, so that a point has it wherever it runs. Its path
// has the checksum of its contents, and so has the key of every point that reads it.
type Input struct {
	Path   string `json:"path"` // in the store, with slashes
	SHA256 string `json:"sha256"`
}

// most is how many seeds a combination can come to.
func (s *Seeds) most() int {
	if s.Until != nil {
		return s.Until.Most
	}
	return s.Count
}

func (s *Seeds) check() error {
	if s.Count < 1 || s.Count > mostPoints {
		return fmt.Errorf("%d seeds: want 1 to %d", s.Count, mostPoints)
	}
	if s.First > math.MaxUint64-mostPoints {
		return fmt.Errorf("first seed %d: want at most %d", s.First, uint64(math.MaxUint64-mostPoints))
	}
	u := s.Until
	switch {
	case u == nil:
		return nil
	case u.Figure == "":
		return errors.New("no figure to look at")
	case s.Count < 2:
		return errors.New("one seed has no interval: want at least 2 at a time")
	case u.Most < s.Count || u.Most > mostPoints:
		return fmt.Errorf("at most %d seeds: want %d to %d", u.Most, s.Count, mostPoints)
	case (u.Half > 0) == (u.Relative > 0) || u.Half < 0 || u.Relative < 0 || math.IsInf(u.Half+u.Relative, 0):
		return errors.New("want an interval above 0, either in the figure's unit or as a share of its mean")
	}
	return nil
}

// combinations is how many there are of the values.
func (p *Plan) combinations() int {
	n := 1
	for _, a := range p.Vary {
		n *= max(1, len(a.Values))
		if n > mostPoints {
			return mostPoints + 1
		}
	}
	return n
}

// values returns the value of each axis in a combination.
func (p *Plan) values(combination int) []string {
	values := make([]string, len(p.Vary))
	for i, a := range slices.Backward(p.Vary) {
		values[i] = a.Values[combination%len(a.Values)]
		combination /= len(a.Values)
	}
	return values
}

// Sweep is a plan with its experiment.
type Sweep struct {
	Plan
	of experiment.Experiment
}

// New holds a plan to its experiment: every combination must be one that the experiment can run.
func New(p Plan, of experiment.Experiment) (*Sweep, error) {
	s := &Sweep{p, of}
	if p.Schema != schema {
		return nil, fmt.Errorf("plan of schema %d: want %d", p.Schema, schema)
	}
	_, name, _ := strings.Cut(p.Experiment, "/")
	if name != of.Info().Name {
		return nil, fmt.Errorf("a plan of %s: the experiment is %s", experiment.Quote(p.Experiment), of.Info().Name)
	}
	if err := p.Seeds.check(); err != nil {
		return nil, err
	}
	for _, in := range p.Inputs {
		if err := in.check(); err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{}
	for _, a := range p.Vary {
		_, set := p.Set[a.Flag]
		switch {
		case seen[a.Flag]:
			return nil, fmt.Errorf("--%s varies twice", a.Flag)
		case set:
			return nil, fmt.Errorf("--%s is set and varies too", a.Flag)
		case len(a.Values) == 0 || len(a.Values) > mostValues:
			return nil, fmt.Errorf("--%s has %d values: want 1 to %d", a.Flag, len(a.Values), mostValues)
		}
		seen[a.Flag] = true
	}
	if err := s.normalise(); err != nil {
		return nil, err
	}
	// their product may be more than an int of 32 bits has
	if n := p.combinations(); n > mostPoints || n > mostPoints/p.Seeds.most() {
		return nil, fmt.Errorf("more than %d points", mostPoints)
	}
	keys := map[string]int{}
	for c := range p.combinations() {
		pt, err := s.point(c, 0)
		if err == nil {
			err = s.checkFiles(pt)
		}
		if err == nil {
			_, err = of.Plan(pt.params, pt.Seed)
		}
		if err != nil {
			return nil, fmt.Errorf("%s%w", s.label(c), err)
		}
		if other, there := keys[pt.Key]; there {
			return nil, fmt.Errorf("%sthe same point as %s", s.label(c), strings.TrimSuffix(s.label(other), ": "))
		}
		keys[pt.Key] = c
	}
	return s, nil
}

// normalise writes each value that varies as its parameter writes it, so that 1e-9 and 0.000000001 make the same plan.
func (s *Sweep) normalise() error {
	axes := make([]Axis, len(s.Vary))
	for i, a := range s.Vary {
		axes[i] = Axis{Flag: a.Flag, Values: make([]string, len(a.Values))}
		for k, v := range a.Values {
			params := s.of.Params()
			f, err := set(params, a.Flag, v)
			if err != nil {
				return fmt.Errorf("%s: %w", s.Experiment, err)
			}
			axes[i].Values[k] = f.String()
		}
	}
	s.Vary = axes
	return nil
}

// set sets one parameter of a point.
func set(params *experiment.Params, flag, value string) (*experiment.Field, error) {
	f := params.Find(flag)
	if f == nil {
		return nil, fmt.Errorf("no parameter %s", experiment.Quote(flag))
	}
	if f.File == "out" {
		return nil, fmt.Errorf("--%s writes a file, which the points of a sweep cannot share", flag)
	}
	if !utf8.ValidString(value) { // JSON would have another text in its place
		return nil, fmt.Errorf("--%s %q: want UTF-8", flag, value)
	}
	if err := f.Set(value); err != nil {
		return nil, fmt.Errorf("--%s %w", flag, err)
	}
	return f, nil
}

// label names a combination at the beginning of a line: "--ber 1e-7 --lanes 2: ".
func (s *Sweep) label(combination int) string {
	var words []string
	for i, v := range s.values(combination) {
		words = append(words, "--"+s.Vary[i].Flag+" "+v)
	}
	if len(words) == 0 {
		return ""
	}
	return strings.Join(words, " ") + ": "
}

// Point is one run of the experiment. Number counts through the combinations with the first seed, then with the
// second, and so on, so that the number of a point does not depend on how many seeds there will be.
type Point struct {
	Number, Combination int
	Seed                uint64
	Key                 string

	params   *experiment.Params
	identity []byte // what Key is the checksum of
}

// number is the number of a combination's point with its n-th seed.
func (s *Sweep) number(combination, n int) int { return n*s.combinations() + combination }

// point makes the point of a combination with its n-th seed, from 0.
func (s *Sweep) point(combination, n int) (*Point, error) {
	params := s.of.Params()
	for _, flag := range slices.Sorted(maps.Keys(s.Set)) {
		if _, err := set(params, flag, s.Set[flag]); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Experiment, err)
		}
	}
	for i, v := range s.values(combination) {
		if _, err := set(params, s.Vary[i].Flag, v); err != nil {
			return nil, err // normalise has set it
		}
	}
	if missing := params.Missing(); missing != nil {
		return nil, fmt.Errorf("--%s is missing: %s", missing.Flag, missing.Help)
	}
	pt := &Point{Number: s.number(combination, n), Combination: combination,
		Seed: s.Seeds.First + uint64(n), params: params}
	var err error
	if pt.identity, err = s.identity(params, pt.Seed); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(pt.identity)
	pt.Key = hex.EncodeToString(sum[:])
	return pt, nil
}

// identity is everything that decides a result, as JSON with sorted names and no spaces. The path of an input has the
// checksum of its contents.
func (s *Sweep) identity(params *experiment.Params, seed uint64) ([]byte, error) {
	return json.Marshal(map[string]any{"schema": schema, "experiment": s.Experiment, "parameters": params,
		"seed": seed, "source": s.Source})
}

// command is the command that runs a point alone, in the store's directory if there are inputs.
func (s *Sweep) command(pt *Point) string {
	design, name, _ := strings.Cut(s.Experiment, "/")
	words := []string{program.Name() + " run", design, name}
	add := func(flag, value string) {
		f := pt.params.Find(flag)
		switch {
		case f.Arg != "":
			words = append(words, quoted(value))
		case f.IsBool():
			words = append(words, "--"+flag+"="+value)
		default:
			words = append(words, "--"+flag, quoted(value))
		}
	}
	for _, flag := range slices.Sorted(maps.Keys(s.Set)) {
		add(flag, s.Set[flag])
	}
	for i, v := range s.values(pt.Combination) {
		add(s.Vary[i].Flag, v)
	}
	return strings.Join(append(words, fmt.Sprintf("--seed %d", pt.Seed)), " ")
}

// quoted writes a word for a shell.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("+-.,:/_=@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// mostPlan is how long a plan's file may be, in bytes.
const mostPlan = 64 << 20

// ReadPlan reads a plan. It reports the faults of the plan in itself; [New] reports faults that depend on the
// experiment.
func ReadPlan(path string) (p Plan, err error) {
	defer func() { err = input.OneLine(err) }()
	data, err := input.Read(path, mostPlan)
	if err != nil {
		return p, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return p, fmt.Errorf("%s: no plan of a sweep: %w", path, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return p, fmt.Errorf("%s: no plan of a sweep: there is more after its end", path)
	}
	if d, n, ok := strings.Cut(p.Experiment, "/"); !ok || d == "" || n == "" {
		return p, fmt.Errorf("%s: experiment %s: want a design and an experiment, rifl/sweep say", path,
			experiment.Quote(p.Experiment))
	}
	return p, nil
}
