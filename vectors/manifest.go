package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"path/filepath"
	"strconv"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/rtl"
)

const (
	schema    = "goldwire-vectors-1"
	generator = "goldwire"
)

// The files of a set whose names do not depend on the unit's.
const (
	manifestName = "manifest.json"
	stimulusName = "stimulus.hex"
	expectedName = "expected.hex"
	csvName      = "vectors.csv"
	readmeName   = "README.txt"
)

// manifest is manifest.json. It has no date: equal sets give equal bytes.
type manifest struct {
	Schema    string          `json:"schema"`
	Generator string          `json:"generator"`
	Unit      string          `json:"unit"`
	Doc       string          `json:"doc"`
	Ref       string          `json:"ref"`
	Module    string          `json:"module"` // in Verilog
	Settings  Settings        `json:"parameters,omitempty"`
	Clock     *manifestClock  `json:"clock,omitempty"`  // of a unit with one clock
	Clocks    []manifestClock `json:"clocks,omitempty"` // of a unit with several: a row ends where some of them rise
	Reset     manifestReset   `json:"reset"`
	Latency   int             `json:"latency"`
	Cycles    int             `json:"cycles"`
	// the reset comes again after the last row: that many rows follow it
	Again    []int           `json:"rows_after_further_resets,omitempty"`
	Seed     string          `json:"seed"` // a decimal string: 64 bits are more than a JSON number holds everywhere
	Fields   []manifestField `json:"fields"`
	Coverage *Coverage       `json:"coverage,omitempty"`
	Mutants  *Mutants        `json:"mutants,omitempty"`
	Files    []manifestFile  `json:"files"`
}

// manifestClock is the frequency in hertz, num/den in lowest terms, as decimal strings.
type manifestClock struct {
	Port string `json:"port"`
	Edge string `json:"edge"`
	Num  string `json:"hz_num"`
	Den  string `json:"hz_den"`

	// Of one of several clocks: the port of its reset, and its phase in seconds. Edge n, n = 1, 2, …, is at phase + n
	// periods.
	Reset    string `json:"reset_port,omitempty"`
	PhaseNum string `json:"phase_s_num,omitempty"`
	PhaseDen string `json:"phase_s_den,omitempty"`
}

type manifestReset struct {
	Port   string `json:"port"`
	Kind   string `json:"kind"`
	Active string `json:"active"`
	Cycles int    `json:"cycles"`
}

type manifestField struct {
	Name      string `json:"name"`
	Port      string `json:"port"`
	Direction string `json:"direction"`      // "in" or "out"
	Kind      string `json:"kind,omitempty"` // of an output: "register" or "combinational"
	Width     int    `json:"width"`
	Valid     string `json:"valid,omitempty"`
}

type manifestFile struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

var (
	theReset  = manifestReset{Port: "rst", Kind: "synchronous", Active: "high", Cycles: ResetCycles}
	kindNames = map[rtl.SignalKind]string{rtl.Register: "register", rtl.Combinational: "combinational"}
)

// manifest describes the set. Files are the caller's to add.
func (s *Set) manifest() *manifest {
	m := &manifest{
		Schema: schema, Generator: generator,
		Unit: s.Unit, Doc: s.Doc, Ref: s.Ref, Module: s.module(),
		Settings: s.Settings, Reset: theReset,
		Latency: s.Latency, Cycles: len(s.Rows), Seed: strconv.FormatUint(s.Seed, 10),
		Coverage: s.Coverage, Mutants: s.Mutants,
	}
	for _, c := range s.Clocks {
		x := clockOf(c.ClockPort(), c.Freq)
		x.Reset = c.ResetPort()
		x.PhaseNum, x.PhaseDen = seconds(c.Phase)
		m.Clocks = append(m.Clocks, x)
	}
	if len(s.Clocks) == 0 {
		x := clockOf("clk", s.Clock)
		m.Clock = &x
	} else {
		m.Reset.Port = eachReset
	}
	for _, f := range s.Fields {
		mf := manifestField{Name: f.Name, Port: f.Port, Direction: f.Dir.String(), Width: f.Width, Valid: f.Valid}
		if f.Clock {
			mf.Kind = clockKind
		}
		if f.Dir == rtl.Output {
			mf.Kind = kindNames[f.Kind]
		}
		m.Fields = append(m.Fields, mf)
	}
	return m
}

func (s *Set) module() string { return Unit{Name: s.Unit}.Module() }

func (m *manifest) encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(m)
	return b.Bytes(), err
}

// parseManifest reads a manifest. The set is complete but for its rows.
func parseManifest(data []byte) (m *manifest, s *Set, err error) {
	defer func() { err = input.OneLine(err) }()
	m = &manifest{}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, nil, err
	}
	if head.Schema != schema {
		return nil, nil, fmt.Errorf("schema %q, want %q", head.Schema, schema)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return nil, nil, err
	}
	s, err = m.set()
	return m, s, err
}

func (m *manifest) set() (*Set, error) {
	s := &Set{
		Unit: m.Unit, Doc: m.Doc, Ref: m.Ref, Latency: m.Latency, Settings: m.Settings, Coverage: m.Coverage,
		Mutants: m.Mutants, Once: len(m.Again) == 0,
	}
	var err error
	if s.Seed, err = strconv.ParseUint(m.Seed, 10, 64); err != nil {
		return nil, fmt.Errorf("seed %q, want a decimal number of at most 64 bits, as a string", m.Seed)
	}
	reset := theReset
	switch {
	case m.Clock != nil && len(m.Clocks) == 0:
		s.Clock, err = m.Clock.freq("clk")
	case m.Clock == nil && len(m.Clocks) > 1:
		reset.Port = eachReset
		err = s.readClocks(m.Clocks)
	default:
		err = fmt.Errorf("want a clock, or several clocks")
	}
	if err != nil {
		return nil, err
	}
	if m.Reset != reset {
		return nil, fmt.Errorf("reset %+v, want %+v", m.Reset, reset)
	}
	if m.Cycles < 1 {
		return nil, fmt.Errorf("cycles %d, want at least 1", m.Cycles)
	}
	if err := checkUnitName(m.Unit); err != nil {
		return nil, err
	}
	if m.Module != s.module() {
		return nil, fmt.Errorf("module %q, want %q for this unit", m.Module, s.module())
	}
	for _, mf := range m.Fields {
		f := Field{Name: mf.Name, Port: mf.Port, Width: mf.Width, Valid: mf.Valid}
		switch {
		case mf.Direction == "in" && mf.Kind == "":
		case mf.Direction == "in" && mf.Kind == clockKind:
			f.Clock = true
		case mf.Direction == "out" && mf.Kind == kindNames[rtl.Register]:
			f.Dir, f.Kind = rtl.Output, rtl.Register
		case mf.Direction == "out" && mf.Kind == kindNames[rtl.Combinational]:
			f.Dir, f.Kind = rtl.Output, rtl.Combinational
		default:
			return nil, fmt.Errorf("field %s: direction %q and kind %q, want an in, an out register or an out combinational",
				mf.Name, mf.Direction, mf.Kind)
		}
		s.Fields = append(s.Fields, f)
	}
	if err := checkFields(s.Fields); err != nil {
		return nil, err
	}
	if err := s.checkClocks(); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, f := range m.Files {
		if f.Name == "" || f.Name != filepath.Base(f.Name) || !filepath.IsLocal(f.Name) ||
			f.Name == manifestName || seen[f.Name] {
			return nil, fmt.Errorf("file %q, want another file of this directory", f.Name)
		}
		seen[f.Name] = true
	}
	for _, name := range s.hexNames() {
		if !seen[name] {
			return nil, fmt.Errorf("files: %s is missing", name)
		}
	}
	return s, nil
}

// hexNames returns the files that hold the rows. A module without inputs has no stimulus.
func (s *Set) hexNames() []string {
	if laneOf(s.Fields, rtl.Input).bits == 0 {
		return []string{expectedName}
	}
	return []string{stimulusName, expectedName}
}

func (c manifestClock) freq(port string) (clock.Freq, error) {
	bad := fmt.Errorf("clock %q, %q, %q/%q Hz: want port %s, edge rising and a frequency of hz_num/hz_den hertz", c.Port,
		c.Edge, c.Num, c.Den, port)
	num, ok1 := new(big.Int).SetString(c.Num, 10)
	den, ok2 := new(big.Int).SetString(c.Den, 10)
	if c.Port != port || c.Edge != "rising" || !ok1 || !ok2 || num.Sign() <= 0 || den.Sign() <= 0 {
		return clock.Freq{}, bad
	}
	f, err := clock.ParseFreq(c.Num + "/" + c.Den + "Hz")
	if err != nil {
		return clock.Freq{}, bad
	}
	return f, nil
}
