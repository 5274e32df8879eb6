package cosim

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Calls that a simulator answers out of itself, its command line or a file: random bits, its time, arguments. Two
// simulators give two answers, and Yosys none.
var simulatorCall = regexp.MustCompile(
	`\$(?:u?random\w*|dist_\w+|s?time|realtime|(?:test|value)\$plusargs|f(?:scanf|gets|getc|read)|system)\b`,
)

// Statements that print change nothing.
var printing = regexp.MustCompile(`(?s)\$(?:f?(?:display|write|strobe|monitor)[bho]?|error|warning|info|fatal)\b[^;]*;`)

var (
	definition = regexp.MustCompile("^\\s*`define\\b")
	assertion  = regexp.MustCompile(`\bassert\b`)
	hidden     = regexp.MustCompile(`(?i)(?:synopsys|synthesis|pragma)\s+translate_off`)
	word       = regexp.MustCompile(`[$\w]+|;`)
)

// readCode returns the text of a file without comments and strings, each line in its place.
func readCode(path string) (raw, code string, ok bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", "", false
	}
	return string(data), string(notCode.ReplaceAllFunc(data, blank)), true
}

// at is a place for the line of a verdict.
func at(path string, line int) string { return fmt.Sprintf("%s:%d", filepath.Base(path), line+1) }

// withoutInitial blanks initial blocks: their values are one of the contents from which runs start.
func withoutInitial(code string) string {
	out, depth, inside := []byte(code), 0, false
	from := 0
	erase := func(to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	for _, m := range word.FindAllStringIndex(code, -1) {
		switch w := code[m[0]:m[1]]; {
		case !inside && w == "initial":
			inside, depth, from = true, 0, m[0]
		case !inside:
		case w == "begin":
			depth++
		case w == "end":
			depth--
		}
		if w := code[m[0]:m[1]]; inside && depth == 0 && (w == ";" || w == "end") {
			erase(m[1])
			inside = false
		}
	}
	return string(out)
}

// simulatorCalls are the places of calls that a simulator answers out of itself.
func simulatorCalls(files []string) (list []string) {
	for _, path := range files {
		_, code, ok := readCode(path)
		if !ok || !simulatorCall.MatchString(code) {
			continue
		}
		code = withoutInitial(string(printing.ReplaceAllFunc([]byte(code), blank)))
		for n, line := range strings.Split(code, "\n") {
			if call := simulatorCall.FindString(line); call != "" && !definition.MatchString(line) {
				list = append(list, fmt.Sprintf("a call of %s at %s", call, at(path, n)))
			}
		}
	}
	return list
}

// finalStop matches a final block with a $stop: Icarus ends without a word there.
var finalStop = regexp.MustCompile(`\bfinal\s+(?:begin\b(?:[^$]|\$[^s])*?|[^;$]*)\$stop\b`)

// finalStops are the places of $stop in final blocks.
func finalStops(files []string) (list []string) {
	for _, path := range files {
		_, code, _ := readCode(path)
		for _, m := range finalStop.FindAllStringIndex(code, -1) {
			list = append(list, "a $stop in a final block at "+at(path, strings.Count(code[:m[1]], "\n")))
		}
	}
	return list
}

// yosysReads lists text that Yosys and the simulators read differently, each kind once, with its place. Yosys
// defines macros of its own and skips the text after translate_off; a proof asks nothing of the RTL's own assertions.
func (d Design) yosysReads(files []string) (list []string) {
	set := map[string]bool{}
	for _, m := range d.Defines {
		set[m.Name] = true
	}
	told := map[string]bool{}
	add := func(kind, format string, args ...any) {
		if !told[kind] {
			told[kind] = true
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	for _, path := range files {
		raw, code, ok := readCode(path)
		if !ok {
			continue
		}
		for n, line := range strings.Split(raw, "\n") {
			if hidden.MatchString(line) {
				add("translate_off", "what stands after translate_off left out (%s)", at(path, n))
			}
		}
		for n, line := range strings.Split(code, "\n") {
			for _, m := range lookedAt.FindAllStringSubmatch(line, -1) {
				if name := m[1]; (name == "SYNTHESIS" || name == "YOSYS") && !set[name] {
					add(name, "%s defined, as yosys does (%s)", name, at(path, n))
				}
			}
			if assertion.MatchString(line) {
				add("assert", "the RTL's own assertions not asked (%s)", at(path, n))
			}
		}
	}
	return list
}

// own are the files that were read, without doubles, in a fixed order.
func own(lists ...[]string) []string {
	files := slices.Concat(lists...)
	slices.Sort(files)
	return slices.Compact(files)
}
