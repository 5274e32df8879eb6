package vectors

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/internal/suggest"
)

// Param is a number of a unit that its user chooses: a width, a depth, a limit.
type Param struct {
	Name     string // lower case: "depth"
	Default  uint64
	Min, Max uint64
	Power    bool   // powers of two only
	Open     bool   // a standard leaves the value open: the name of the unit has it only if it is not the default
	Help     string // one line: the counted thing, with its unit
	// RTL is the parameter of the reference RTL that has the value, "DEPTH". Empty: the unit makes its RTL for the value.
	RTL string
}

// String returns the values that the parameter may have: "2 to 1024, a power of two".
func (p Param) String() string {
	text := fmt.Sprintf("%d to %d", p.Min, p.Max)
	if p.Power {
		text += ", a power of two"
	}
	return text
}

func (p Param) allows(v uint64) bool {
	return p.Min <= v && v <= p.Max && (!p.Power || v > 0 && v&(v-1) == 0)
}

// Setting is the value of a parameter.
type Setting struct {
	Name  string `json:"name"`
	Value uint64 `json:"value,string"` // 64 bits are more than a JSON number holds everywhere
}

// Settings are the values of all parameters of a unit, in the order of its parameters.
type Settings []Setting

// Get returns a parameter's value. It panics if there is none of the name.
func (s Settings) Get(name string) uint64 {
	for _, x := range s {
		if x.Name == name {
			return x.Value
		}
	}
	panic("vectors: no parameter " + name)
}

// Int returns a parameter's value as an int.
func (s Settings) Int(name string) int { return int(s.Get(name)) }

// String returns the settings as --param takes them: "limit=16,window=51".
func (s Settings) String() string {
	var list []string
	for _, x := range s {
		list = append(list, fmt.Sprintf("%s=%d", x.Name, x.Value))
	}
	return strings.Join(list, ",")
}

func (s Settings) equal(t Settings) bool { return s.String() == t.String() }

// Parametric returns a unit with parameters, at their defaults. Make returns the unit at any other values within the
// bounds, or says why these do not go together; it does not fill Params and Settings. It panics if the defaults are
// not possible: they are constants.
//
// The reference RTL that [Catalogue.WithRTL] gives, or make itself, is at the defaults; the parameters that name one
// of the RTL are set in it.
func Parametric(params []Param, make func(s Settings) (Unit, error)) Unit {
	var s Settings
	for _, p := range params {
		if !p.allows(p.Default) {
			panic(fmt.Sprintf("vectors: parameter %s: the default %d, want %v", p.Name, p.Default, p))
		}
		s = append(s, Setting{p.Name, p.Default})
	}
	u, err := make(s)
	if err != nil {
		panic(fmt.Sprintf("vectors: parameters at their defaults: %v", err))
	}
	u.Params, u.Settings, u.make = params, s, make
	return u
}

// Fixed returns the unit without its parameters, as it stands: one of a family that has a name of its own.
func (u Unit) Fixed() Unit {
	u.Params, u.Settings, u.make = nil, nil, nil
	return u
}

// HasParam tells whether the unit has a parameter of that name.
func (u Unit) HasParam(name string) bool {
	for _, p := range u.Params {
		if p.Name == name {
			return true
		}
	}
	return false
}

// WithParams returns the unit with some parameters set: "limit=16", "seed=0x7f". Others keep their values.
func (u Unit) WithParams(list ...string) (Unit, error) {
	var s Settings
	for _, text := range list {
		name, digits, ok := strings.Cut(text, "=")
		v, err := strconv.ParseUint(strings.TrimSpace(digits), 0, 64)
		if !ok || err != nil {
			return u, fmt.Errorf("parameter %.60q: want NAME=NUMBER", text)
		}
		s = append(s, Setting{strings.TrimSpace(name), v})
	}
	return u.WithSettings(s)
}

// WithSettings is WithParams for values that are numbers already.
func (u Unit) WithSettings(given Settings) (Unit, error) {
	if len(given) == 0 {
		return u, nil
	}
	if len(u.Params) == 0 {
		return u, fmt.Errorf("parameter %.60q: unit %s has none", given[0].Name, u.Name)
	}
	s := append(Settings(nil), u.Settings...)
	seen := map[string]bool{}
	for _, g := range given {
		at := -1
		var names []string
		for i, p := range u.Params {
			names = append(names, p.Name)
			if p.Name == g.Name {
				at = i
			}
		}
		switch {
		case at < 0:
			return u, fmt.Errorf("parameter %s: unit %s has none of the name; it has %s", suggest.Quote(g.Name), u.Name,
				strings.Join(names, ", "))
		case seen[g.Name]:
			return u, fmt.Errorf("parameter %s is given twice", g.Name)
		case !u.Params[at].allows(g.Value):
			return u, fmt.Errorf("parameter %s=%d of unit %s: want %v", g.Name, g.Value, u.Name, u.Params[at])
		}
		seen[g.Name] = true
		s[at].Value = g.Value
	}
	v, err := u.make(s)
	if err != nil {
		return u, fmt.Errorf("parameters %v of unit %s: %w", s, u.Name, err)
	}
	v.Params, v.Settings, v.make, v.Profile = u.Params, s, u.make, u.Profile
	if v.RTL == "" {
		v.RTL = u.RTL
	}
	if v.FromFrames == nil {
		v.FromFrames = u.FromFrames
	}
	if v.RTL, err = v.setRTL(v.RTL); err != nil {
		return u, err
	}
	return v, nil
}

// setRTL gives the parameters of the module their values, as new defaults: a simulator then needs none.
func (u Unit) setRTL(text string) (string, error) {
	if text == "" {
		return text, nil
	}
	head := regexp.MustCompile(`(?m)^\s*module\s+` + u.Module() + `\b`).FindStringIndex(text)
	for i, p := range u.Params {
		if p.RTL == "" {
			continue
		}
		if head == nil {
			return "", fmt.Errorf("unit %s: its RTL has no module %s", u.Name, u.Module())
		}
		before, after := text[:head[0]], text[head[0]:]
		at := regexp.MustCompile(`(\bparameter\s+(?:\[[^\]]*\]\s*)?` + p.RTL +
			`\s*=\s*)([0-9'a-fh_]+)`).FindStringSubmatchIndex(after)
		if at == nil {
			return "", fmt.Errorf("unit %s: its RTL has no parameter %s", u.Name, p.RTL)
		}
		value := strconv.FormatUint(u.Settings[i].Value, 10)
		if u.Settings[i].Value > 1<<31-1 { // beyond what a number without a width holds
			value = "64'd" + value
		}
		text = before + after[:at[4]] + value + after[at[5]:]
	}
	return text, nil
}

var paramName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// checkParams wants parameters that can stand on a command line.
func (u Unit) checkParams() error {
	seen := map[string]bool{}
	for _, p := range u.Params {
		if !paramName.MatchString(p.Name) || seen[p.Name] || p.Help == "" {
			return fmt.Errorf("unit %s: parameter %q: want a name of its own, of lower-case letters, digits and _, and help",
				u.Name, p.Name)
		}
		if err := checkLine("help", p.Help); err != nil {
			return fmt.Errorf("unit %s: parameter %s: %w", u.Name, p.Name, err)
		}
		seen[p.Name] = true
	}
	return nil
}
