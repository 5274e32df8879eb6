package vectors

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	numberOne = regexp.MustCompile(`\[0\]|\*0 \+:`)
	lastComma = regexp.MustCompile(`,([ \t]*(?://[^\n]*)?\n\);)`)
)

// RepeatPorts returns RTL whose ports come in numbers, in_0_data and in_1_data, with n of them in place of those that the text has. Names are
// the ports' without numbers: "in". What the text has for number 0, lines one by one or several in a row, stands there for each number: in
// such a line in_0, [0] and *0 +: get it. Lines of higher numbers are left out.
func RepeatPorts(text string, n int, names ...string) string {
	name := `\b(?:` + strings.Join(names, "|") + `)`
	first := regexp.MustCompile(name + `(?:_0(?:_|\b)|\[0\])`)
	others := regexp.MustCompile(name + `(?:_[1-9][0-9]*(?:_|\b)|\[[1-9][0-9]*\])`)
	number := func(match string, k int) string { return strings.Replace(match, "0", strconv.Itoa(k), 1) }
	var b strings.Builder
	var block []string
	passed := false // lines of higher numbers than the block's
	flush := func() {
		for k := range n {
			for _, line := range block {
				line = first.ReplaceAllStringFunc(line, func(s string) string { return number(s, k) })
				b.WriteString(numberOne.ReplaceAllStringFunc(line, func(s string) string { return number(s, k) }))
			}
		}
		block, passed = nil, false
	}
	for line := range strings.Lines(text) {
		switch {
		case others.MatchString(line):
			passed = true
		case first.MatchString(line):
			if passed { // those of another name follow
				flush()
			}
			block = append(block, line)
		default:
			flush()
			b.WriteString(line)
		}
	}
	flush()
	return lastComma.ReplaceAllString(b.String(), "$1")
}
