package wave

import (
	"strconv"
	"strings"
)

// Declared is a variable that a dump declares. What a dump declares bit by bit or in slices is one variable if its
// parts are of one scope and make up a range without a hole:
//
//	$var wire 1 ! n [1] $end          n, of 2 bits, [1:0]
//	$var wire 1 " n [0] $end
type Declared struct {
	Path  string // scopes and name joined by dots, without the bit range and without the backslashes that escape names
	Width int
	Kind  string // "wire", "reg", "real", …

	Left, Right int  // of the bit range, if Ranged: the index of the most significant bit and of the least
	Ranged      bool // a range is declared
}

// Text tells that the variable's values are text: a number with a fraction, or a string.
func (v Declared) Text() bool { return v.real() || v.Kind == "string" }

func (v Declared) real() bool {
	switch v.Kind {
	case "real", "realtime", "shortreal", "real_parameter":
		return true
	}
	return false
}

// reference is a variable's name as $var has it.
type reference struct {
	name        string
	left, right int
	ranged      bool // a range, or the index of a bit, that fits the width
	bit         bool // an index
}

// parseReference reads "data [7:0]", "data[7:0]", "data [3]", "mem[3] [7:0]", "\esc[0] ", "a name [3:0]". Brackets at
// the end are the bit range if they span as many bits as the variable has; otherwise they belong to the name.
func parseReference(words []string, width int, text bool) reference {
	name, rest := words[0], words[1:]
	for len(rest) > 0 && !strings.HasPrefix(rest[0], "[") {
		name, rest = name+" "+rest[0], rest[1:]
	}
	selectors := strings.Join(rest, "")
	escaped := strings.HasPrefix(name, `\`)
	name = unescape(name)
	last, before, ok := cutSelector(selectors)
	if !ok && selectors == "" {
		// An escaped name is a name with all its brackets, but for the range of the whole.
		var front string
		if last, front, ok = cutSelector(name); ok && front != "" && (!escaped || last.colon && last.width() == width) {
			name, before = front, ""
		} else {
			ok = false
		}
	}
	r := reference{name: name + before}
	switch {
	case !ok:
		r.name = name + selectors
	case last.colon:
		r.ranged = last.width() == width && !text
	case width == 1 && !text:
		r.ranged, r.bit = true, true
	default:
		r.name += "[" + strconv.Itoa(last.left) + "]"
	}
	if r.ranged {
		r.left, r.right = last.left, last.right
	}
	return r
}

// unescape removes the backslash at the start of an escaped name, and a backslash at its end, which some simulators
// add.
func unescape(name string) string {
	if rest, ok := strings.CutPrefix(name, `\`); ok && rest != "" {
		if short := strings.TrimSuffix(rest, `\`); short != "" {
			return short
		}
		return rest
	}
	return name
}

// PlainPath is a path as [Declared] has it: without the backslashes of escaped names, so that "tb.\dut.core[0]" finds
// the variable "tb.dut.core[0]" of a dump.
func PlainPath(path string) string {
	if !strings.Contains(path, `\`) {
		return path
	}
	path = strings.TrimSuffix(strings.TrimPrefix(path, `\`), `\`)
	return strings.ReplaceAll(strings.ReplaceAll(path, `\.`, "."), `.\`, ".")
}

// bounds are the numbers in a pair of brackets.
type bounds struct {
	left, right int
	colon       bool
}

func (b bounds) width() int { return max(b.left, b.right) - min(b.left, b.right) + 1 }

// cutSelector takes the last brackets off a text: "a[3][7:0]" has 7:0 and "a[3]".
func cutSelector(text string) (b bounds, before string, ok bool) {
	i := strings.LastIndexByte(text, '[')
	if i < 0 || !strings.HasSuffix(text, "]") {
		return b, text, false
	}
	left, right, colon := strings.Cut(text[i+1:len(text)-1], ":")
	if !colon {
		right = left
	}
	const most = 8 // digits
	var errLeft, errRight error
	b.left, errLeft = strconv.Atoi(left)
	b.right, errRight = strconv.Atoi(right)
	b.colon = colon
	ok = errLeft == nil && errRight == nil && len(left) <= most+1 && len(right) <= most+1 &&
		left[0] != '+' && right[0] != '+'
	return b, text[:i], ok
}
