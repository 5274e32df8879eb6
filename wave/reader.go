package wave

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// Limits on what a dump may hold, so that a malformed one cannot cost the machine its memory.
const (
	maxToken  = 1 << 20 // characters; a value of a million bits
	maxVars   = 1 << 20
	maxBits   = 1 << 25 // of all variables
	maxShared = 1 << 20 // bits of the variables that share an identifier: each change is one of all
	maxName   = 4096    // characters of a name
	maxPaths  = 1 << 26 // characters of all paths
	maxWords  = 1 << 16 // characters that are kept of a command
)

// Declared is a variable that a dump declares.
type Declared struct {
	Path  string // scopes and name joined by dots, without the bit range
	Width int
	Kind  string // "wire", "reg", "real", …

	Left, Right int  // of the bit range, if Ranged: the index of the most significant bit and of the least
	Ranged      bool // a range is declared
}

// Reader reads a VCD file, as any simulator writes it, change by change.
type Reader struct {
	// Vars has the variables in the order of their declaration.
	Vars []Declared
	// Scale is the file's time unit.
	Scale Scale

	name string
	in   *bufio.Reader
	line int
	ids  map[string][]int // identifier code to variables: several may share one
	time uint64
	base int // line of the token last read
	cut  bool

	bits, paths int            // declared so far
	shared      map[string]int // bits by identifier
}

// Line returns the line of the file that was read last.
func (d *Reader) Line() int { return d.base }

// Partial tells, at the end of the file, whether it ended inside a line: every simulator ends its dump with a newline.
func (d *Reader) Partial() bool { return d.cut }

// Change is a variable's new value.
type Change struct {
	Time  uint64
	Var   int
	Value string // one of 0, 1, x, z a bit, most significant first, as many as the variable has bits; of a real its text
}

// NewReader reads the header. The name is for errors.
func NewReader(r io.Reader, name string) (*Reader, error) {
	d := &Reader{name: name, in: bufio.NewReaderSize(r, 1<<16), line: 1, ids: map[string][]int{}, shared: map[string]int{}, Scale: Picoseconds}
	return d, d.header()
}

func (d *Reader) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", d.name, d.base, fmt.Sprintf(format, args...))
}

// token returns the next word, "" at the end of the file.
func (d *Reader) token() (string, error) {
	var b []byte
	for {
		c, err := d.in.ReadByte()
		if errors.Is(err, io.EOF) {
			d.base = d.line
			d.cut = d.cut || b != nil
			return string(b), nil
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", d.name, err)
		}
		if c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v' {
			if c == '\n' {
				d.line++
			}
			if b != nil {
				if c == '\n' {
					d.base = d.line - 1
				} else {
					d.base = d.line
				}
				return string(b), nil
			}
			continue
		}
		if len(b) == maxToken {
			d.base = d.line
			return "", d.errorf("a word of more than %d characters", maxToken)
		}
		b = append(b, c)
	}
}

// untilEnd returns the words up to $end.
func (d *Reader) untilEnd(command string) ([]string, error) {
	var words []string
	kept := 0
	for {
		w, err := d.token()
		if err != nil {
			return nil, err
		}
		switch w {
		case "$end":
			return words, nil
		case "":
			return nil, d.errorf("the file ends inside %s, want $end", command)
		}
		if kept += len(w); len(words) < 1024 && kept < maxWords { // a long comment is skipped
			words = append(words, w)
		}
	}
}

func (d *Reader) header() error {
	var scopes []string
	for {
		w, err := d.token()
		if err != nil {
			return err
		}
		switch w {
		case "":
			return d.errorf("the file ends in its header, want $enddefinitions")
		case "$enddefinitions":
			_, err := d.untilEnd(w)
			return err
		}
		if !strings.HasPrefix(w, "$") {
			return d.errorf("%q in the header, want a command such as $var", clip(w))
		}
		words, err := d.untilEnd(w)
		if err != nil {
			return err
		}
		switch w {
		case "$scope":
			if len(words) != 2 {
				return d.errorf("$scope with %d words, want its type and its name", len(words))
			}
			if len(words[1]) > maxName {
				return d.errorf("a scope's name of more than %d characters", maxName)
			}
			if len(scopes) > 1000 {
				return d.errorf("scopes more than 1000 deep")
			}
			scopes = append(scopes, words[1])
		case "$upscope":
			if len(scopes) == 0 {
				return d.errorf("$upscope without an open scope")
			}
			scopes = scopes[:len(scopes)-1]
		case "$timescale":
			if d.Scale, err = ParseScale(strings.Join(words, "")); err != nil {
				return d.errorf("%v", err)
			}
		case "$var":
			if err := d.declare(scopes, words); err != nil {
				return err
			}
		}
	}
}

// declare takes a $var: type, size, identifier code, reference, and maybe a bit range.
func (d *Reader) declare(scopes, words []string) error {
	if len(words) < 4 {
		return d.errorf("$var with %d words, want type, size, identifier and name", len(words))
	}
	width, err := strconv.Atoi(words[1])
	if err != nil || width < 0 || width > maxToken {
		return d.errorf("$var of size %q, want a number of bits", clip(words[1]))
	}
	if len(d.Vars) == maxVars {
		return d.errorf("more than %d variables", maxVars)
	}
	name, span := words[3], strings.Join(words[4:], "")
	if i := strings.LastIndexByte(name, '['); i > 0 && strings.HasSuffix(name, "]") && strings.Contains(name[i:], ":") {
		name, span = name[:i], name[i:] // "data[63:0]" in one word; "mem[3]" is a name
	}
	path := strings.Join(append(append([]string(nil), scopes...), strings.TrimPrefix(name, `\`)), ".")
	if len(name) > maxName {
		return d.errorf("a variable's name of more than %d characters", maxName)
	}
	d.bits += width
	d.paths += len(path)
	d.shared[words[2]] += width
	switch {
	case d.bits > maxBits:
		return d.errorf("variables of more than %d bits", maxBits)
	case d.paths > maxPaths:
		return d.errorf("paths of more than %d characters", maxPaths)
	case d.shared[words[2]] > maxShared:
		return d.errorf("more than %d bits share the identifier %q", maxShared, clip(words[2]))
	}
	d.ids[words[2]] = append(d.ids[words[2]], len(d.Vars))
	v := Declared{Path: path, Width: max(width, 1), Kind: words[0]}
	if m := bitRange.FindStringSubmatch(span); m != nil {
		v.Left, _ = strconv.Atoi(m[1]) // the form is checked
		v.Right, _ = strconv.Atoi(m[2])
		v.Ranged = max(v.Left, v.Right)-min(v.Left, v.Right)+1 == v.Width
	}
	d.Vars = append(d.Vars, v)
	return nil
}

var bitRange = regexp.MustCompile(`^\[(-?\d{1,8}):(-?\d{1,8})\]$`)

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

// Next calls f for each variable that the next change in the file concerns. At the end of the file it returns io.EOF.
func (d *Reader) Next(f func(Change)) error {
	for {
		w, err := d.token()
		if err != nil {
			return err
		}
		if w == "" {
			return io.EOF
		}
		switch c := w[0]; c {
		case '#':
			t, err := strconv.ParseUint(w[1:], 10, 64)
			if err != nil {
				return d.errorf("%q is not a time, want # and a number", clip(w))
			}
			if t < d.time {
				return d.errorf("time %d comes after time %d, want times that do not go back", t, d.time)
			}
			d.time = t
		case '0', '1', 'x', 'X', 'z', 'Z':
			return d.emit(w[:1], w[1:], f)
		case 'b', 'B', 'r', 'R', 's', 'S':
			id, err := d.token()
			if err != nil {
				return err
			}
			if id == "" {
				return d.errorf("the file ends after the value %q, want an identifier", clip(w))
			}
			if c == 'b' || c == 'B' {
				if w = w[1:]; w == "" || strings.Trim(w, "01xXzZ") != "" {
					return d.errorf("%q is not a binary value", clip("b"+w))
				}
				return d.emit(w, id, f)
			}
			return d.emitText(w[1:], id, f)
		case '$':
			switch w {
			case "$dumpvars", "$dumpall", "$dumpon", "$dumpoff", "$end":
			default:
				if _, err := d.untilEnd(w); err != nil {
					return err
				}
			}
		default:
			return d.errorf("%q is neither a time nor a change", clip(w))
		}
	}
}

func (d *Reader) lookup(id string) ([]int, error) {
	vars, ok := d.ids[id]
	if !ok {
		return nil, d.errorf("a change of %q, which no $var declares", clip(id))
	}
	return vars, nil
}

func (d *Reader) emit(bits, id string, f func(Change)) error {
	vars, err := d.lookup(id)
	if err != nil {
		return err
	}
	for _, v := range vars {
		f(Change{d.time, v, extend(strings.ToLower(bits), d.Vars[v].Width)})
	}
	return nil
}

func (d *Reader) emitText(text, id string, f func(Change)) error {
	vars, err := d.lookup(id)
	if err != nil {
		return err
	}
	for _, v := range vars {
		f(Change{d.time, v, text})
	}
	return nil
}

// extend brings a value to its width as IEEE 1364-2005 18.2.1 says: by zeros, or by x or z if that leads. What is too long
// loses its leading bits.
func extend(bits string, width int) string {
	switch {
	case len(bits) == width:
		return bits
	case len(bits) > width:
		return bits[len(bits)-width:]
	case bits[0] == 'x' || bits[0] == 'z':
		return strings.Repeat(bits[:1], width-len(bits)) + bits
	}
	return strings.Repeat("0", width-len(bits)) + bits
}
