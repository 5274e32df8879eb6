package cosim

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*$`)

// bit is one bit of an RTL port.
type bit struct {
	port   int // index
	place  int // 0 for the least significant
	invert bool
}

var portSlice = regexp.MustCompile(`^(~?)\s*([A-Za-z_][A-Za-z0-9_$]*)\s*(?:\[\s*(-?\d+)\s*(?::\s*(-?\d+)\s*)?\])?$`)

// parseBits reads what a map says of a field, in Verilog's form: "data", "~empty", "block[65:2]", "{hi, lo[0]}". A range
// that runs against the port's own is in reverse bit order. The most significant bit comes first.
func parseBits(ports []Port, text string) ([]bit, error) {
	text = strings.TrimSpace(text)
	parts := []string{text}
	if strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") {
		parts = strings.Split(text[1:len(text)-1], ",")
	}
	var bits []bit
	for _, part := range parts {
		m := portSlice.FindStringSubmatch(strings.TrimSpace(part))
		if m == nil {
			return nil, fmt.Errorf("%q, want a port, a slice port[hi:lo], either with ~ before it, or several in {a, b}", text)
		}
		index := portIndex(ports, m[2])
		if index < 0 {
			return nil, fmt.Errorf("%q: the RTL has no port %s; it has %s", text, m[2], portNames(ports))
		}
		p := ports[index]
		first, last := p.Left, p.Right
		if m[3] != "" {
			first, _ = strconv.Atoi(m[3]) // the form is checked
			last = first
			if m[4] != "" {
				last, _ = strconv.Atoi(m[4])
			}
		}
		step := 1
		if last < first {
			step = -1
		}
		for i := first; ; i += step {
			place, ok := p.place(i)
			if !ok {
				return nil, fmt.Errorf("%q: bit %d is not in %v", text, i, p)
			}
			bits = append(bits, bit{index, place, m[1] == "~"})
			if i == last {
				break
			}
		}
	}
	return bits, nil
}

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

// formatBits is the inverse of parseBits, as short as can be.
func formatBits(ports []Port, bits []bit) string {
	if len(bits) == 0 {
		return ""
	}
	var parts []string
	for i := 0; i < len(bits); {
		b := bits[i]
		p := ports[b.port]
		n, step := 1, 0
		for i+n < len(bits) {
			next := bits[i+n]
			d := next.place - bits[i+n-1].place
			if next.port != b.port || next.invert != b.invert || d != 1 && d != -1 || step != 0 && d != step {
				break
			}
			step = d
			n++
		}
		text := p.Name
		index := func(place int) int {
			if p.Left >= p.Right {
				return p.Right + place
			}
			return p.Right - place
		}
		switch {
		case n == p.Width() && step != 1:
		case n == 1:
			text += fmt.Sprintf("[%d]", index(b.place))
		default:
			text += fmt.Sprintf("[%d:%d]", index(b.place), index(bits[i+n-1].place))
		}
		if b.invert {
			text = "~" + text
		}
		parts = append(parts, text)
		i += n
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
