package cosim

import (
	"context"
	"fmt"
	"strings"
)

// Waiver passes differences that are known, with a reason.
type Waiver struct {
	Field string `yaml:"field"`
	// Bits, if not 0, are those in which the sides may differ: one more that does is no difference of this waiver.
	Bits uint64 `yaml:"bits,omitempty"`
	// Model and RTL, if not empty, are the values that the sides show, in hexadecimal, as wide as the field; ? stands for
	// any digit.
	Model string `yaml:"model,omitempty"`
	RTL   string `yaml:"rtl,omitempty"`
	// Reason is printed wherever the waiver is.
	Reason string `yaml:"reason"`

	count uint64
}

// Waivers are a run's waivers. They count the differences that they pass.
type Waivers []*Waiver

// ReadWaivers reads a YAML file: a list of waivers.
func ReadWaivers(ctx context.Context, path string) (Waivers, error) {
	var list Waivers
	if err := readYAML(ctx, path, &list); err != nil {
		return nil, err
	}
	for i, w := range list {
		if w == nil || w.Field == "" || strings.TrimSpace(w.Reason) == "" {
			return nil, fmt.Errorf("%s: waiver %d: want a field and a reason", path, i+1)
		}
	}
	return list, nil
}

// check wants fields that are outputs, and values of their widths.
func (l Waivers) check(v *view) error {
next:
	for _, w := range l {
		for _, c := range v.outputs {
			f := v.fields[c]
			if f.Name != w.Field {
				continue
			}
			for _, text := range []string{w.Model, w.RTL} {
				if text != "" && (len(text) != (f.Width+3)/4 || strings.Trim(strings.ToLower(text), "0123456789abcdefx?") != "") {
					return fmt.Errorf("waiver of %s: value %s, want %d hexadecimal digits or ?", w.Field, quote(text), (f.Width+3)/4)
				}
			}
			continue next
		}
		return fmt.Errorf("waiver of %s: the unit has no such output", quote(w.Field))
	}
	return nil
}

// find returns the first waiver that passes a difference, nil if there is none.
func (l Waivers) find(field string, width int, differs, want, got, unknown uint64) *Waiver {
	for _, w := range l {
		if w.Field == field && (w.Bits == 0 || differs&^w.Bits == 0) && shows(w.Model, hexOf(want, 0, width)) &&
			shows(w.RTL, hexOf(got, unknown, width)) {
			return w
		}
	}
	return nil
}

// shows tells whether a value fits a pattern.
func shows(pattern, value string) bool {
	if pattern == "" {
		return true
	}
	for i := range len(pattern) {
		if c := pattern[i] | 0x20; pattern[i] != '?' && c != value[i]|0x20 {
			return false
		}
	}
	return true
}

// unused returns what the waivers that passed nothing are about.
func (l Waivers) unused() []string {
	var list []string
	for _, w := range l {
		if w.count == 0 {
			list = append(list, w.Field+": "+w.Reason)
		}
	}
	return list
}

// reset forgets the counts.
func (l Waivers) reset() {
	for _, w := range l {
		w.count = 0
	}
}
