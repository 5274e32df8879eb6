package verilator

import (
	"fmt"
	"regexp"
	"strings"
)

// classes is what Verilator's makefile of classes says of a program.
type classes struct {
	Runtime []string // files of the runtime, without ".cpp", in the order in which they stand there
	Trace   bool     // the program can write waveforms
}

// ReadClasses reads the text of a file TOP_classes.mk.
func ReadClasses(text string) (classes, error) {
	var c classes
	v := variables(text)
	for _, name := range []string{"VM_GLOBAL_FAST", "VM_GLOBAL_SLOW"} {
		parts, ok := v[name]
		if !ok {
			return c, fmt.Errorf("no variable %s in Verilator's list of classes, want the runtime's files in it", name)
		}
		c.Runtime = append(c.Runtime, parts...)
	}
	if len(c.Runtime) == 0 {
		return c, fmt.Errorf(
			"no files in VM_GLOBAL_FAST and VM_GLOBAL_SLOW of Verilator's list of classes, want the runtime's",
		)
	}
	c.Trace = strings.Join(v["VM_TRACE"], " ") == "1"
	return c, nil
}

var assignment = regexp.MustCompile(`^\s*([A-Za-z_][A-Za-z0-9_]*)\s*(\+=|\?=|::?=|=)(.*)$`)

// variables reads the assignments of a makefile: their words. A line that ends in a backslash goes on in the next one,
// however that is indented.
//
//	VM_GLOBAL_FAST += \
//	  verilated \
//	  verilated_threads \
func variables(makefile string) map[string][]string {
	v := map[string][]string{}
	makefile = strings.ReplaceAll(makefile, "\r\n", "\n")
	for line := range strings.Lines(strings.ReplaceAll(makefile, "\\\n", " ")) {
		line, _, _ = strings.Cut(strings.TrimSuffix(line, "\n"), "#")
		m := assignment.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		words := strings.Fields(m[3])
		switch _, set := v[m[1]]; {
		case m[2] == "+=":
			v[m[1]] = append(v[m[1]], words...)
		case m[2] != "?=" || !set:
			v[m[1]] = words
		}
	}
	return v
}
