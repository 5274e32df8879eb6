package vectors

import (
	"embed"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"text/template"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

//go:embed templates
var templateFiles embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{"inc": func(i int) int { return i + 1 }}).
	ParseFS(templateFiles, "templates/*.tmpl"))

// benchText is what the templates are filled with.
type benchText struct {
	Unit, Doc, Ref string
	Module         string
	Clock          string
	Settings       string // of the parameters, "" for none
	Seed           uint64
	Cycles         int
	ResetCycles    int
	Again          []int // rows after each further reset
	Latency        int
	HalfPeriod     int64 // ps
	Fields         []textField
	Inputs         []textField
	Outputs        []textField
	InLane         textLane
	OutLane        textLane
	More           []string    // lines of the README about the files of formats
	Combinational  bool        // some outputs follow the inputs without a register
	Clocks         []textClock // several; none for one
}

type textField struct {
	Name  string
	Range string // "[7:0] " or ""
	Valid string
	Note  string // for the port list
	Dir   string // "input" or "output"
	Last  bool

	Width      int
	Column     int // among all fields
	Clock      bool
	ValidIndex int // of Valid among the outputs, -1 for none
	Wire       bool
}

// textClock is one of several clocks, as a testbench computes its edges: edge n is at (PHASE + n × NUM) / DEN
// femtoseconds.
type textClock struct {
	Name, Port, Reset, Freq string
	Num, Den, Phase         string // decimal
}

type textLane struct {
	Range string // of a row
	Names string // "{a, b}" without the braces
	Wants string // "{tb_want_a, tb_want_b}" without the braces
	Olds  string
}

func (s *Set) benchText(cycles int) benchText {
	t := benchText{
		Unit: s.Unit, Doc: s.Doc, Ref: s.Ref, Module: s.module(), Clock: s.Clock.String(), Settings: s.Settings.String(),
		Seed:   s.Seed,
		Cycles: cycles, ResetCycles: ResetCycles, Again: s.again(cycles), Latency: s.Latency, HalfPeriod: halfPeriod(s.Clock),
		Combinational: s.combinational(),
	}
	outputs := laneOf(s.Fields, rtl.Output).names
	for i, f := range s.Fields {
		tf := textField{Name: f.Name, Range: verilogRange(f.Width), Valid: f.Valid, Dir: "input", Last: i == len(s.Fields)-1,
			Width: f.Width, Column: i, ValidIndex: slices.Index(outputs, f.Valid),
			Wire: f.Dir == rtl.Output && f.Kind == rtl.Combinational}
		if tf.Clock = f.Clock; f.Clock {
			tf.Note = fmt.Sprintf("%v, rising edge", s.Clocks[i].Freq)
		}
		if f.Dir == rtl.Output {
			tf.Dir = "output"
			tf.Note = kindNames[f.Kind]
			if f.Valid != "" {
				tf.Note += ", counts while " + f.Valid
			}
			t.Outputs = append(t.Outputs, tf)
		} else {
			in := tf
			if f.Clock { // the field says that it rises, the port rises
				in.Name = "tb_rise_" + f.Name
			}
			t.Inputs = append(t.Inputs, in)
		}
		t.Fields = append(t.Fields, tf)
	}
	for _, c := range s.Clocks {
		num, den, phase := c.edgeScale()
		t.Clocks = append(t.Clocks, textClock{c.Name, c.ClockPort(), c.ResetPort(), c.Freq.String(), num.String(),
			den.String(), phase.String()})
	}
	in := laneOf(s.Fields, rtl.Input)
	for i := range s.Clocks {
		in.names[i] = "tb_rise_" + in.names[i]
	}
	t.InLane, t.OutLane = textLaneOf(in), textLaneOf(laneOf(s.Fields, rtl.Output))
	return t
}

func textLaneOf(l lane) textLane {
	return textLane{
		Range: verilogRange(l.bits),
		Names: strings.Join(l.names, ", "),
		Wants: "tb_want_" + strings.Join(l.names, ", tb_want_"),
		Olds:  "tb_old_" + strings.Join(l.names, ", tb_old_"),
	}
}

func verilogRange(width int) string {
	if width == 1 {
		return ""
	}
	return fmt.Sprintf("[%d:0] ", width-1)
}

// halfPeriod returns half of the clock's period in picoseconds, rounded, and at least 2. What the testbench checks does
// not depend on it.
func halfPeriod(f clock.Freq) int64 {
	half := new(big.Rat).Quo(f.Period().In(clock.Picosecond), big.NewRat(2, 1))
	half.Add(half, big.NewRat(1, 2))
	return max(2, new(big.Int).Quo(half.Num(), half.Denom()).Int64())
}
