package experiment

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/suggest"
)

// Params are the parameters of an experiment, as flags set them. Each exported field of the struct is one; a struct
// without a tag stands for its fields. As in encoding/json, a flag hides one of the same name that stands deeper. The
// tags:
//
//	flag:"nodes"      the flag's name; required. "-" is no parameter: a field of a point that no flag sets
//	hide:"lanes,ids"  of a struct without a flag: flags of its fields that the experiment does not offer
//	each:"Load"       of a list: the field of a point that takes each of its elements in turn; see [Grid]
//	help:"..."        one line; required
//	min:"2" max:"512" bounds, both included; a number has both or choices, of a list each element
//	unit:"Gb/s"       shown with the bounds
//	choices:"a,b"     what a text, a number or an enumeration may be
//	most:"64"         elements that a list may have; 64 without it
//	file:"in"         the path of a file that is read, or "out": written
//	arg:"FILE"        an argument instead of a flag, with this name in the usage
//	required:"true"   it has no default
//
// Fields are bool, int, uint64, float64, string, [clock.Time], [clock.Freq], types that read and write themselves as
// text (encoding.TextUnmarshaler, encoding.TextMarshaler), and lists of these.
type Params struct {
	target any // a pointer to the struct
	Fields []*Field
}

// Field is one parameter.
type Field struct {
	Flag, Help, Unit string
	Choices          []string
	File             string // "in", "out" or empty
	Arg              string // the name of an argument; empty: a flag
	Required         bool
	IsSet            bool // by Set

	value    reflect.Value
	index    []int // of value in the struct, see [reflect.Value.FieldByIndex]
	min, max string
	most     int
}

// mostElements is how many elements a list has at most, if its tag does not say.
const mostElements = 64

// Reserved returns the flags that the commands run and sweep plan add to every experiment. No parameter is called so.
func Reserved() []string {
	return []string{
		"help", "seed", "workers", "json", "csv", "plot", "most-cycles", "most-memory", "progress-json", "debug-addr",
		"dir", "vary", "seeds", "until", "most-seeds", "replace",
	}
}

func newParams(target any) (*Params, error) {
	reserved := Reserved()
	p := &Params{target: target}
	v := reflect.ValueOf(target).Elem()
	if v.Kind() != reflect.Struct {
		return nil, fmt.Errorf("the parameters are a %v, want a struct", v.Type())
	}
	if err := p.add(v, nil, ""); err != nil {
		return nil, err
	}
	nearest := map[string]*Field{}
	for _, f := range p.Fields {
		if slices.Contains(reserved, f.Flag) {
			return nil, fmt.Errorf("a parameter is called %q, as a flag that every experiment has", f.Flag)
		}
		switch g := nearest[f.Flag]; {
		case g == nil || len(f.index) < len(g.index):
			nearest[f.Flag] = f
		case len(f.index) == len(g.index):
			return nil, fmt.Errorf("two parameters are called %q", f.Flag)
		}
	}
	p.Fields = slices.DeleteFunc(p.Fields, func(f *Field) bool { return nearest[f.Flag] != f })
	return p, nil
}

// of returns the parameters of another struct of the same type, with its values. Tags and defaults were checked for the
// first one.
func (p *Params) of(target any) *Params {
	q := &Params{target: target}
	v := reflect.ValueOf(target).Elem()
	for _, f := range p.Fields {
		g := *f
		g.value = v.FieldByIndex(f.index)
		if g.isList() && !g.value.IsNil() { // shares no memory with the defaults
			g.value.Set(reflect.AppendSlice(reflect.MakeSlice(g.value.Type(), 0, g.value.Len()), g.value))
		}
		q.Fields = append(q.Fields, &g)
	}
	return q
}

// add adds the fields of the struct v, which the index leads to, without the flags that are hidden: names with commas.
func (p *Params) add(v reflect.Value, index []int, hidden string) error {
	for i := range v.NumField() {
		t := v.Type().Field(i)
		index := append(slices.Clone(index), i)
		tag := t.Tag
		name, tagged := tag.Lookup("flag")
		if arg, ok := tag.Lookup("arg"); ok && !tagged {
			name, tagged = strings.ToLower(arg), true
		}
		switch {
		case !t.IsExported() && !t.Anonymous, name == "-", slices.Contains(strings.Split(hidden, ","), name) && tagged:
			continue
		case !tagged && t.Type.Kind() == reflect.Struct:
			if err := p.add(v.Field(i), index, tag.Get("hide")+","+hidden); err != nil {
				return err
			}
			continue
		case !tagged:
			return fmt.Errorf("parameter %s has no tag flag", t.Name)
		}
		f := &Field{Flag: name, Help: tag.Get("help"), Unit: tag.Get("unit"), File: tag.Get("file"), Arg: tag.Get("arg"),
			Required: tag.Get(
				"required",
			) == "true", value: v.Field(i), index: index, min: tag.Get("min"), max: tag.Get("max"), most: mostElements}
		if c := tag.Get("choices"); c != "" {
			f.Choices = strings.Split(c, ",")
		}
		if m := tag.Get("most"); m != "" {
			n, err := strconv.Atoi(m)
			if err != nil || n < 1 {
				return fmt.Errorf("parameter %s: most %q is no number above 0", t.Name, m)
			}
			f.most = n
		}
		if err := f.check(); err != nil {
			return fmt.Errorf("parameter %s: %w", t.Name, err)
		}
		p.Fields = append(p.Fields, f)
	}
	return nil
}

// check finds declarations that no flag can be made of. The default is held to the bounds as well.
func (f *Field) check() error {
	if f.Help == "" || strings.Contains(f.Help, "\n") {
		return errors.New("help is not one line")
	}
	element := f.value.Type()
	if f.isList() {
		element = element.Elem()
	}
	probe := reflect.New(element).Elem()
	switch probe.Interface().(type) {
	case int, uint64, float64, clock.Time, clock.Freq:
		for _, bound := range []string{f.min, f.max} {
			if f.Choices != nil {
				break
			}
			if bound == "" {
				return errors.New("a number has the tags min and max, or choices")
			}
			if err := parse(reflect.New(element).Elem(), bound); err != nil {
				return fmt.Errorf("bound %q: %w", bound, err)
			}
		}
	case bool, string:
	default:
		_, reads := probe.Addr().Interface().(encoding.TextUnmarshaler)
		_, writes := probe.Interface().(encoding.TextMarshaler)
		if !reads || !writes {
			return fmt.Errorf("a %v can be no parameter", f.value.Type())
		}
		for _, c := range f.Choices {
			if err := parse(reflect.New(element).Elem(), c); err != nil {
				return fmt.Errorf("choice %w", err)
			}
		}
	}
	if f.Required ||
		f.value.IsZero() && (f.File != "" || f.Choices == nil && probe.Kind() == reflect.String || f.isList()) {
		return nil // nothing is given, which is no value to be checked
	}
	old := f.value.Interface()
	f.IsSet = false // Set replaces the default of a list
	err := f.Set(f.String())
	f.IsSet = false
	if err != nil {
		return fmt.Errorf("the default: %w", err)
	}
	if !reflect.DeepEqual(fmt.Sprint(old), fmt.Sprint(f.value.Interface())) {
		return fmt.Errorf("the default %v reads as %v", old, f.value.Interface())
	}
	return nil
}

func (f *Field) isList() bool { return f.value.Kind() == reflect.Slice }

// IsBool tells whether the flag may stand without a value.
func (f *Field) IsBool() bool { return f.value.Kind() == reflect.Bool }

// String returns the value as Set reads it; a list with commas.
func (f *Field) String() string {
	if !f.isList() {
		return format(f.value)
	}
	var s []string
	for i := range f.value.Len() {
		s = append(s, format(f.value.Index(i)))
	}
	return strings.Join(s, ",")
}

// Paths are the files that a parameter names, each file of a list.
func (f *Field) Paths() []string {
	if f.File == "" {
		return nil
	}
	if all, ok := reflect.TypeAssert[[]string](f.value); ok {
		return all
	}
	if path := f.String(); path != "" {
		return []string{path}
	}
	return nil
}

// Bounds says what the parameter may be: "2 to 512", "srpt or fcfs"; empty without bounds.
func (f *Field) Bounds() string {
	switch {
	case f.Choices != nil:
		return orList(f.Choices)
	case f.min == "":
		return ""
	case f.Unit != "":
		return f.min + " to " + f.max + " " + f.Unit
	}
	return f.min + " to " + f.max
}

// Set reads the value, and refuses a value out of the bounds. A list may be set several times, which adds to it. An
// error names the wanted values, and not the flag.
func (f *Field) Set(s string) error {
	if f.isList() {
		list := reflect.MakeSlice(f.value.Type(), 0, 4)
		if f.IsSet {
			list = reflect.AppendSlice(list, f.value)
		}
		words := strings.Split(s, ",")
		if n := list.Len() + len(words); n > f.most {
			return fmt.Errorf("%d elements: want at most %d", n, f.most)
		}
		for _, word := range words {
			e := reflect.New(f.value.Type().Elem()).Elem()
			if err := f.read(e, strings.TrimSpace(word)); err != nil {
				return err
			}
			list = reflect.Append(list, e)
		}
		f.value.Set(list)
		f.IsSet = true
		return nil
	}
	e := reflect.New(f.value.Type()).Elem()
	if err := f.read(e, s); err != nil {
		return err
	}
	f.value.Set(e)
	f.IsSet = true
	return nil
}

// read parses one element and holds it to the bounds.
func (f *Field) read(e reflect.Value, s string) error {
	if err := parse(e, s); err != nil {
		if b := f.Bounds(); b != "" {
			return fmt.Errorf("%s: want %s", shown(s), b)
		}
		return err
	}
	if f.Choices != nil && !slices.Contains(f.Choices, s) {
		return fmt.Errorf("%s: want %s", shown(s), f.Bounds())
	}
	if f.Choices == nil && f.min != "" {
		low, high := reflect.New(e.Type()).Elem(), reflect.New(e.Type()).Elem()
		_ = parse(low, f.min) // check has read both
		_ = parse(high, f.max)
		if less(e, low) || less(high, e) {
			return fmt.Errorf("%s: want %s", shown(s), f.Bounds())
		}
	}
	return nil
}

// parse reads one value.
func parse(e reflect.Value, s string) error {
	var v any
	var err error
	switch e.Interface().(type) {
	case bool:
		v, err = strconv.ParseBool(s)
	case int:
		v, err = strconv.Atoi(s)
	case uint64:
		v, err = strconv.ParseUint(s, 10, 64)
	case float64:
		var x float64
		x, err = strconv.ParseFloat(s, 64)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			err = errors.New("no finite number")
		}
		v = x
	case string:
		v = s
	case clock.Time:
		v, err = clock.ParseTime(s)
	case clock.Freq:
		v, err = clock.ParseFreq(s)
	default:
		return e.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(s))
	}
	if err != nil {
		return fmt.Errorf("%s cannot be read as a %v", shown(s), e.Type())
	}
	e.Set(reflect.ValueOf(v))
	return nil
}

// less compares two values of a type with bounds.
func less(a, b reflect.Value) bool {
	switch x := a.Interface().(type) {
	case int:
		return x < b.Interface().(int)
	case uint64:
		return x < b.Interface().(uint64)
	case float64:
		return x < b.Interface().(float64)
	case clock.Time:
		return x.Cmp(b.Interface().(clock.Time)) < 0
	case clock.Freq:
		return x.Hz().Cmp(b.Interface().(clock.Freq).Hz()) < 0
	}
	return false
}

// format writes one value as parse reads it.
func format(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case clock.Freq:
		if x == (clock.Freq{}) {
			return ""
		}
		return x.String()
	case fmt.Stringer:
		return x.String()
	case encoding.TextMarshaler:
		b, err := x.MarshalText()
		if err != nil {
			return ""
		}
		return string(b)
	}
	return fmt.Sprint(v.Interface())
}

// Missing returns the first required parameter that is not set, nil if there is none.
func (p *Params) Missing() *Field {
	for _, f := range p.Fields {
		if f.Required && !f.IsSet {
			return f
		}
	}
	return nil
}

// Find returns the parameter with a flag's name, nil if there is none.
func (p *Params) Find(flag string) *Field {
	for _, f := range p.Fields {
		if f.Flag == flag {
			return f
		}
	}
	return nil
}

// MarshalJSON writes the parameters by the names of their flags, numbers as numbers, enumerations as texts, times and
// frequencies as texts with units.
func (p *Params) MarshalJSON() ([]byte, error) {
	m := make(map[string]any, len(p.Fields))
	for _, f := range p.Fields {
		key := strings.ReplaceAll(f.Flag, "-", "_")
		switch f.value.Interface().(type) {
		case bool, int, uint64, float64, string, []int, []uint64, []float64, []string:
			m[key] = f.value.Interface()
		default:
			if f.isList() && isEnum(f.value.Type().Elem()) {
				m[key] = f.value.Interface()
				continue
			}
			m[key] = f.String()
		}
	}
	return json.Marshal(m)
}

// isEnum tells whether values of a type are numbers with texts: an enumeration's.
func isEnum(t reflect.Type) bool {
	return t != nil && reflect.Zero(t).CanInt() != reflect.Zero(t).CanUint() &&
		t.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}

// plain is a value that needs no quotes.
var plain = regexp.MustCompile(`^[A-Za-z0-9.+-]{1,40}$`)

func shown(s string) string {
	if plain.MatchString(s) {
		return s
	}
	return Quote(s)
}

// Quote quotes a user's text, cut if it is long.
func Quote(s string) string { return suggest.Quote(s) }

func orList(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
