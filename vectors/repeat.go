package vectors

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	numberOne = regexp.MustCompile(`\[0\]|\*0 \+:`)
	lastComma = regexp.MustCompile(`,([ \t]*(?://[^\n]*)?\n\);)`)
)

// RepeatPorts takes RTL with numbered ports (in_0_data, in_1_data, ...) and returns it with n of each, numbered 0 to
// n-1. Names are the ports' names without the number: "in" for in_0_data. A line of port 0, or several of them in a
// row, is repeated for each number k: its in_0, [0] and *0 +: become in_k, [k] and *k +:. The text's own lines of
// ports 1 and higher are left out.
func RepeatPorts(text string, n int, names ...string) string {
	name := `\b(?:` + strings.Join(names, "|") + `)`
	first := regexp.MustCompile(name + `(?:_0(?:_|\b)|\[0\])`)
	others := regexp.MustCompile(name + `(?:_[1-9][0-9]*(?:_|\b)|\[[1-9][0-9]*\])`)
	var b strings.Builder
	var block [][]string // lines, each cut where the number is
	passed := false      // lines of higher numbers than the block's
	flush := func() {
		for k := range n {
			for _, pieces := range block {
				for i, piece := range pieces {
					if i > 0 {
						b.WriteString(strconv.Itoa(k))
					}
					b.WriteString(piece)
				}
			}
		}
		block, passed = nil, false
	}
	named := func(line string) bool { // expressions are slow: every command makes all units when it starts
		return slices.ContainsFunc(names,
			func(name string) bool { return strings.Contains(line, name+"_") || strings.Contains(line, name+"[") })
	}
	for line := range strings.Lines(text) {
		switch {
		case !named(line):
			flush()
			b.WriteString(line)
		case others.MatchString(line):
			passed = true
		case first.MatchString(line):
			if passed { // lines of another port's block follow
				flush()
			}
			block = append(block, cut(line, first, numberOne))
		default:
			flush()
			b.WriteString(line)
		}
	}
	flush()
	return lastComma.ReplaceAllString(b.String(), "$1")
}

// cut returns the line without the first 0 of each match, in pieces.
func cut(line string, of ...*regexp.Regexp) (pieces []string) {
	var zeros []int
	for _, e := range of {
		for _, at := range e.FindAllStringIndex(line, -1) {
			zeros = append(zeros, at[0]+strings.IndexByte(line[at[0]:], '0'))
		}
	}
	slices.Sort(zeros)
	from := 0
	for _, zero := range slices.Compact(zeros) {
		pieces = append(pieces, line[from:zero])
		from = zero + 1
	}
	return append(pieces, line[from:])
}
