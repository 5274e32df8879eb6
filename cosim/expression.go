package cosim

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*$`)

// bit is one bit of an RTL port, or a constant.
type bit struct {
	port   int // index; constantBit if the value is place, absentBit if nothing stands there
	place  int // 0 for the least significant
	invert bool
}

// Values of bit.port that are no port's.
const (
	constantBit = -1
	absentBit   = -2
)

var (
	portSlice = regexp.MustCompile(
		`^(~?)\s*([A-Za-z_][A-Za-z0-9_$]*)` +
			`((?:\s*\.\s*[A-Za-z_][A-Za-z0-9_$]*|\s*\[\s*-?\d{1,9}\s*(?::\s*-?\d{1,9}\s*)?\])*)$`,
	)
	// escapedSlice matches an escaped name, up to its blank, and a slice of it: "\in[0] [7:0]".
	escapedSlice = regexp.MustCompile(`^(~?)\s*\\(\S+)((?:\s+(?:\[\s*-?\d{1,9}\s*(?::\s*-?\d{1,9}\s*)?\]\s*)*)?)$`)
	blanks       = regexp.MustCompile(`\s+`)
	constant     = regexp.MustCompile(`^(\d{1,2})'([bdhBDH])([0-9a-fA-F_]{1,80})$`)
	slice        = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)\s*(?:\[\s*(\d{1,9})\s*(?::\s*(\d{1,9})\s*)?\])?$`)
)

// maxExpression bounds the text of an expression, and so the cost of reading it.
const maxExpression = 4096

// parseBits reads what a map says of a field, in Verilog's form: "data", "~empty", "block[65:2]", "{hi, 2'b01, lo[0]}".
// A range that runs against the port's own is in reverse bit order. The most significant bit comes first.
func parseBits(ports []Port, text string) ([]bit, error) {
	text = strings.TrimSpace(text)
	if len(text) > maxExpression {
		return nil, fmt.Errorf("%s: an expression of %d characters, want at most %d", quote(text), len(text), maxExpression)
	}
	parts := []string{text}
	if strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") {
		parts = strings.Split(text[1:len(text)-1], ",")
	}
	var bits []bit
	for _, part := range parts {
		part = strings.TrimSpace(part)
		if c := constant.FindStringSubmatch(part); c != nil {
			more, err := constantBits(c)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", quote(text), err)
			}
			bits = append(bits, more...)
			continue
		}
		m := portSlice.FindStringSubmatch(part)
		if m == nil {
			if m = escapedSlice.FindStringSubmatch(part); m == nil {
				return nil, fmt.Errorf(
					"%s, want a port, a slice port[hi:lo], a member port.member, each with ~ before it, a constant 4'h0, or several "+
						"in {a, b}",
					quote(text),
				)
			}
			m[2] = unescape(ports, m[2])
		}
		index, selectors := findPort(ports, m[2], blanks.ReplaceAllString(m[3], ""))
		if index < 0 {
			return nil, fmt.Errorf(
				"%s: %w %s; it has %s", quote(text), errNoPort, clip(m[2]+m[3], 40), clip(portNames(ports), 140),
			)
		}
		places, err := ports[index].choose(selectors)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", quote(text), err)
		}
		for _, place := range places {
			bits = append(bits, bit{index, place, m[1] == "~"})
		}
		if len(bits) > mostBits {
			return nil, fmt.Errorf("%s: more than %d bits, and no field has them", quote(text), mostBits)
		}
	}
	return bits, nil
}

// errNoPort is a name that stands for nothing in the RTL.
var errNoPort = errors.New("the RTL has no port")

// unescape returns the name of the port that an escaped name, from behind its backslash, stands for. Some simulators
// end it with another one.
func unescape(ports []Port, name string) string {
	if short := strings.TrimSuffix(name, `\`); portIndex(ports, name) < 0 && short != "" {
		return short
	}
	return name
}

// mostNested bounds how many selectors are looked at for a port's name.
const mostNested = 8

// findPort returns the port of a name, or the signal of an interface, and the selectors after it. The longest name
// counts: "b.d" is a port of its own before it is a member of b.
func findPort(ports []Port, name, selectors string) (int, string) {
	cuts := []int{0}
	for at := 0; len(cuts) <= mostNested; {
		m := selector.FindStringIndex(selectors[at:])
		if m == nil {
			break
		}
		at += m[1]
		cuts = append(cuts, at)
	}
	for _, cut := range slices.Backward(cuts) {
		if i := portIndex(ports, name+selectors[:cut]); i >= 0 {
			return i, selectors[cut:]
		}
	}
	return -1, ""
}

// constantBits are the bits of 4'h5, most significant first.
func constantBits(c []string) ([]bit, error) {
	width, _ := strconv.Atoi(c[1]) // the form is checked
	base := map[string]int{"b": 2, "d": 10, "h": 16}[strings.ToLower(c[2])]
	v, err := strconv.ParseUint(strings.ReplaceAll(c[3], "_", ""), base, 64)
	if err != nil || width < 1 || width > 64 || width < 64 && v>>width != 0 {
		return nil, fmt.Errorf("constant %s, want a value of 1 to 64 bits that fits its width", c[0])
	}
	bits := make([]bit, width)
	for i := range bits {
		bits[i] = bit{port: constantBit, place: int(v >> (width - 1 - i) & 1)}
	}
	return bits, nil
}

// fieldSlice is a field of the unit, or some bits of it: "out_data[7:0]".
type fieldSlice struct {
	name   string
	hi, lo int // -1 for all
}

func (s fieldSlice) width() int { return s.hi - s.lo + 1 }

// mask has the slice's bits in place.
func (s fieldSlice) mask() uint64 { return ^uint64(0) >> (64 - s.width()) << s.lo }

// parseSlice reads the left side of a map's line.
func parseSlice(text string) (fieldSlice, bool) {
	m := slice.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return fieldSlice{}, false
	}
	s := fieldSlice{m[1], -1, -1}
	if m[2] != "" {
		s.hi, _ = strconv.Atoi(m[2]) // the form is checked
		s.lo = s.hi
		if m[3] != "" {
			s.lo, _ = strconv.Atoi(m[3])
		}
	}
	return s, true
}

// clip cuts a text for an error message.
func clip(s string, most int) string {
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// quote quotes a user's text, cut.
func quote(s string) string { return strconv.Quote(clip(s, 60)) }

func portIndex(ports []Port, name string) int {
	for i, p := range ports {
		if p.Name == name {
			return i
		}
	}
	return -1
}

func portNames(ports []Port) string {
	var names []string
	for _, p := range ports {
		names = append(names, p.String())
	}
	return strings.Join(names, ", ")
}

// formatBits is the inverse of parseBits, as short as can be. Bits that stand for nothing are "-".
func formatBits(ports []Port, bits []bit) string {
	var parts []string
	for i := 0; i < len(bits); {
		text, n := formatRun(ports, bits[i:])
		parts = append(parts, text)
		i += n
	}
	switch len(parts) {
	case 0:
		return ""
	case 1:
		return parts[0]
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// formatRun formats as many bits as stand for one part, and returns how many.
func formatRun(ports []Port, bits []bit) (text string, n int) {
	b := bits[0]
	if b.port < 0 {
		for n < len(bits) && bits[n].port == b.port {
			text += strconv.Itoa(bits[n].place)
			n++
		}
		if b.port == absentBit {
			return "-", n
		}
		return fmt.Sprintf("%d'b%s", n, text), n
	}
	step := 0
	for n = 1; n < len(bits); n++ {
		next := bits[n]
		d := next.place - bits[n-1].place
		if next.port != b.port || next.invert != b.invert || d != 1 && d != -1 || step != 0 && d != step {
			break
		}
		step = d
	}
	text, n = ports[b.port].name(b.place, n, step == 1)
	if b.invert {
		text = "~" + text
	}
	return text, n
}
