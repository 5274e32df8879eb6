package wave

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Limits on the contents of a dump, so that a malformed one cannot cost the machine its memory.
const (
	maxToken  = 1 << 20 // characters; a value of a million bits
	maxVars   = 1 << 20
	maxBits   = 1 << 25 // of all variables
	maxShared = 1 << 20 // bits of the variables that share an identifier: each change is one of all
	maxName   = 4096    // characters of a name
	maxPaths  = 1 << 26 // characters of all paths
	maxWords  = 1 << 16 // characters that are kept of a command
	maxEarly  = 1 << 16 // words of values in the header
)

// Reader reads a VCD file, as any simulator writes it, change by change.
type Reader struct {
	// Vars has the variables in the order of their declaration.
	Vars []Declared
	// Scale is the file's time unit.
	Scale Scale

	scanner
	loose  []bool         // variables whose indexes say nothing of their direction
	joined []*joined      // variables declared in parts; nil for the others
	ids    map[string]int // identifier codes, to their places
	places [][]place      // several variables may share a code
	dirty  []int          // joined variables that have changed at this time
	value  []byte         // last read
	scopes map[string]string
	time   uint64
	gaps   []Gap

	vars, bits, paths int            // declared so far
	shared            map[string]int // bits by identifier
}

// Line returns the line of the file that was read last.
func (d *Reader) Line() int { return d.base }

// Partial tells, at the end of the file, whether it ended inside a line. Some tools leave out the last newline; a file
// that was cut looks the same if the cut is after a whole word.
func (d *Reader) Partial() bool { return d.cut }

// ScopeKind returns the kind of a scope, such as "interface" or "struct", by its path; "" if there is no such scope.
func (d *Reader) ScopeKind(path string) string { return d.scopes[path] }

// Gap is a time in which nothing was dumped: from a $dumpoff to the next $dumpon.
type Gap struct {
	From, To uint64
	Open     bool // the file ends in it
}

// In tells whether a time is in the gap.
func (g Gap) In(time uint64) bool { return g.From <= time && (g.Open || time < g.To) }

// Gaps returns the gaps up to where the file has been read.
func (d *Reader) Gaps() []Gap { return d.gaps }

// Change is a variable's new value.
type Change struct {
	Time uint64
	Var  int
	// one of 0, 1, x, z a bit, most significant first, as many as the variable has bits; text of a real or a string
	Value string
}

// NewReader reads the header. The name is for errors.
func NewReader(r io.Reader, name string) (*Reader, error) {
	d := &Reader{scanner: newScanner(r, name), ids: map[string]int{}, shared: map[string]int{},
		scopes: map[string]string{}, Scale: Picoseconds}
	return d, d.header()
}

func (d *Reader) header() error {
	var scopes []string
	var parts []part
	var open []int // numbers of the open scopes
	var early []string
	prefix := "" // of the paths of the variables in the scope
	count := 0
	for first := true; ; first = false {
		word, err := d.word()
		if err != nil {
			return err
		}
		w := string(word)
		if first {
			w = strings.TrimPrefix(w, "\ufeff") // some editors put it at the start
		}
		if w == "" {
			return d.errorf("the file ends in its header, want $enddefinitions")
		}
		if w == "$enddefinitions" {
			_, err := d.untilEnd(w)
			d.join(parts)
			d.early = early
			return err
		}
		if d.isEarly(w, early) {
			if early = append(early, w); len(early) > maxEarly {
				return d.errorf("more than %d values in the header, want $enddefinitions", maxEarly)
			}
			continue
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
			if len(words) == 0 {
				return d.errorf("$scope with 0 words, want its type and its name")
			}
			name := strings.Join(words[1:], " ") // some have none
			if len(name) > maxName {
				return d.errorf("a scope's name of more than %d characters", maxName)
			}
			if len(scopes) > 1000 {
				return d.errorf("scopes more than 1000 deep")
			}
			scopes, open = append(scopes, unescape(name)), append(open, count)
			count++
			prefix = ""
			if words[0] != "module" { // most are
				path := joinPath(scopes)
				if d.paths += len(path); d.paths > maxPaths {
					return d.errorf("paths of more than %d characters", maxPaths)
				}
				d.scopes[path] = words[0]
			}
		case "$upscope":
			if len(scopes) == 0 {
				return d.errorf("$upscope without an open scope")
			}
			scopes, open, prefix = scopes[:len(scopes)-1], open[:len(open)-1], ""
		case "$timescale":
			if d.Scale, err = parseAnyScale(strings.Join(words, "")); err != nil {
				return d.errorf("%v", err)
			}
		case "$var":
			if prefix == "" {
				if prefix = joinPath(scopes); prefix != "" {
					prefix += "."
				}
			}
			p, err := d.declare(prefix, words)
			if err != nil {
				return err
			}
			if len(open) > 0 {
				p.scope = open[len(open)-1] + 1
			}
			parts = append(parts, p)
		case "$dumpports", "$dumpportsall":
			return d.errorf("%s: an extended VCD (IEEE 1364-2005 18.4), want one of $dumpvars", w)
		}
	}
}

// isEarly tells whether a word of the header is one of the values, which some tools write there.
func (d *Reader) isEarly(w string, early []string) bool {
	switch w[0] {
	case '$':
		return w == "$dumpvars" || w == "$end"
	case '#', '0', '1', 'x', 'X', 'z', 'Z', 'b', 'B', 'r', 'R':
		return true
	}
	last := ""
	if len(early) > 0 {
		last = early[len(early)-1]
	}
	return last != "" && strings.IndexByte("bBrR", last[0]) >= 0 // an identifier
}

// joinPath joins scopes; one without a name is left out.
func joinPath(names []string) string {
	size := 0
	for _, n := range names {
		size += len(n) + 1
	}
	var b strings.Builder
	b.Grow(size)
	for _, n := range names {
		if n == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(n)
	}
	return b.String()
}

// declare takes a $var: type, size, identifier code, reference, and maybe a bit range.
func (d *Reader) declare(prefix string, words []string) (part, error) {
	if len(words) < 4 {
		return part{}, d.errorf("$var with %d words, want type, size, identifier and name", len(words))
	}
	if words[0] == "port" {
		return part{}, d.errorf("$var port: an extended VCD (IEEE 1364-2005 18.4), want one of $dumpvars")
	}
	width, err := strconv.Atoi(words[1])
	if err != nil || width < 0 || width > maxToken {
		return part{}, d.errorf("$var of size %q, want a number of bits", clip(words[1]))
	}
	v := Declared{Width: max(width, 1), Kind: words[0]}
	ref := parseReference(words[3:], v.Width, v.Text())
	v.Path = prefix + ref.name
	v.Left, v.Right, v.Ranged = ref.left, ref.right, ref.ranged
	if len(ref.name) > maxName {
		return part{}, d.errorf("a variable's name of more than %d characters", maxName)
	}
	d.vars++
	d.bits += width
	d.paths += len(v.Path)
	d.shared[words[2]] += width
	switch {
	case d.vars > maxVars:
		return part{}, d.errorf("more than %d variables", maxVars)
	case d.bits > maxBits:
		return part{}, d.errorf("variables of more than %d bits", maxBits)
	case d.paths > maxPaths:
		return part{}, d.errorf("paths of more than %d characters", maxPaths)
	case d.shared[words[2]] > maxShared:
		return part{}, d.errorf("more than %d bits share the identifier %q", maxShared, clip(words[2]))
	}
	return part{Declared: v, id: words[2], bit: ref.bit}, nil
}

// Next calls f for each variable that the next change in the file concerns. At the end of the file it returns io.EOF.
// The changes of the parts of one variable at one time are one change, told when the time has passed.
func (d *Reader) Next(f func(Change)) error {
	for {
		w, err := d.word()
		if err != nil {
			return err
		}
		if len(w) == 0 {
			if d.tell(f) {
				return nil
			}
			return io.EOF
		}
		switch c := w[0]; c {
		case '#':
			told, err := d.stamp(w, f)
			if told || err != nil {
				return err
			}
		case 'b', 'B':
			if err := d.takeBits(w); err != nil {
				return err
			}
			if w, err = d.identifier(c); err != nil {
				return err
			}
			if len(d.value) == 0 {
				if bits, ok := d.shared[string(w)]; !ok || bits > 0 {
					return d.errorf("the value of %q has no digits, want 0, 1, x or z after b", clip(string(w)))
				}
				d.value = append(d.value, 'x')
			}
			return d.emit(w, f)
		case 'r', 'R', 's', 'S':
			return d.takeText(string(w[1:]), c == 's' || c == 'S', f)
		case '$':
			told, err := d.command(string(w), f)
			if told || err != nil {
				return err
			}
		default:
			v := nine[c]
			if v == 0 {
				return d.errorf("%q is neither a time nor a change", clip(string(w)))
			}
			id := w[1:]
			if len(id) == 0 { // some tools part value and identifier
				if id, err = d.identifier(c); err != nil {
					return err
				}
			}
			if _, ok := d.ids[string(id)]; !ok && strings.IndexByte("01xXzZ", c) < 0 {
				return d.errorf("%q is neither a time nor a change", clip(string(w)))
			}
			d.value = append(d.value[:0], v)
			return d.emit(id, f)
		}
	}
}

// stamp takes a time. What changed before it in parts is told.
func (d *Reader) stamp(w []byte, f func(Change)) (told bool, err error) {
	t, err := strconv.ParseUint(string(w[1:]), 10, 64)
	if err != nil {
		return false, d.errorf("%q is not a time, want # and a number below 2^64", clip(string(w)))
	}
	if t < d.time {
		return false, d.errorf("time %d comes after time %d, want times that do not go back", t, d.time)
	}
	if t > d.time {
		told = d.tell(f)
	}
	d.time = t
	return told, nil
}

// command takes a word with a dollar between the changes.
func (d *Reader) command(w string, f func(Change)) (told bool, err error) {
	switch w {
	case "$dumpvars", "$dumpall", "$end":
	case "$dumpoff":
		if n := len(d.gaps); n == 0 || !d.gaps[n-1].Open {
			d.gaps = append(d.gaps, Gap{From: d.time, Open: true})
		}
	case "$dumpon":
		if n := len(d.gaps); n > 0 && d.gaps[n-1].Open {
			g := &d.gaps[n-1]
			if g.To, g.Open = d.time, false; g.From == g.To {
				d.gaps = d.gaps[:n-1] // nothing is missing
			}
		}
	case "$var", "$scope", "$upscope":
		return false, d.errorf("%s after $enddefinitions, want all variables before it", w)
	case "$dumpports", "$dumpportsall", "$dumpportson", "$dumpportsoff":
		return false, d.errorf("%s: an extended VCD (IEEE 1364-2005 18.4), want one of $dumpvars", w)
	default:
		_, err = d.untilEnd(w)
	}
	return false, err
}

// tell gives out the joined variables that have changed.
func (d *Reader) tell(f func(Change)) bool {
	if len(d.dirty) == 0 {
		return false
	}
	for _, v := range d.dirty {
		j := d.joined[v]
		j.dirty = false
		f(Change{d.time, v, string(j.bits)})
	}
	d.dirty = d.dirty[:0]
	return true
}

// takeBits reads a binary value.
func (d *Reader) takeBits(w []byte) error {
	bits := w[1:]
	if len(bits) > 2 && bits[0] == '0' && bits[1] == 'b' { // as Python writes numbers
		bits = bits[2:]
	}
	d.value = d.value[:0]
	for _, c := range bits {
		v := nine[c]
		if v == 0 {
			return d.errorf("%q is not a binary value, want 0, 1, x, z, or one of std_logic's U, W, L, H, -", clip(string(w)))
		}
		d.value = append(d.value, v)
	}
	return nil
}

// identifier reads the identifier that follows a value.
func (d *Reader) identifier(kind byte) ([]byte, error) {
	id, err := d.word()
	if err == nil && len(id) == 0 {
		value := string(kind)
		if nine[kind] == 0 {
			value += string(d.value)
		}
		err = d.errorf("the file ends after the value %q, want an identifier", clip(value))
	}
	return id, err
}

// emit passes the value to each variable with the identifier.
func (d *Reader) emit(id []byte, f func(Change)) error {
	k, ok := d.ids[string(id)]
	if !ok {
		return d.errorf("a change of %q, which no $var declares", clip(string(id)))
	}
	for _, p := range d.places[k] {
		if p.text {
			f(Change{d.time, p.variable, string(d.value)})
			continue
		}
		text, ok := extend(d.value, p.width)
		if !ok {
			return d.errorf("a value of %d digits for %s, which has %d bits", len(d.value),
				clip(d.Vars[p.variable].Path), p.width)
		}
		j := d.joined[p.variable]
		if j == nil {
			f(Change{d.time, p.variable, text})
			continue
		}
		copy(j.bits[p.at:], text)
		if !j.dirty {
			j.dirty = true
			d.dirty = append(d.dirty, p.variable)
		}
	}
	return nil
}

// takeText reads a real number or a string, and the identifier after it. A string may have blanks, and words in it that
// are identifiers of bits: its identifier is the first declared one of a text, or the last word of the line.
func (d *Reader) takeText(text string, blanks bool, f func(Change)) error {
	for {
		id, err := d.word()
		if err != nil {
			return err
		}
		if len(id) == 0 {
			return d.errorf("the file ends after the value %q, want an identifier", clip(text))
		}
		k, ok := d.ids[string(id)]
		if word := string(id); !ok || blanks && !d.places[k][0].text && d.sameLine() {
			if !ok && !d.sameLine() {
				return d.errorf("a change of %q, which no $var declares", clip(word))
			}
			if text += " " + word; len(text) > maxToken {
				return d.errorf("a text of more than %d characters", maxToken)
			}
			continue
		}
		for _, p := range d.places[k] {
			f(Change{d.time, p.variable, text})
		}
		return nil
	}
}

// Notes returns lines for a person about the missing parts of the file: gaps, and a last line without its end.
func (d *Reader) Notes() []string {
	var notes []string
	for i, g := range d.gaps {
		if i == 3 {
			notes = append(notes, fmt.Sprintf("%s: %d gaps more", d.name, len(d.gaps)-i))
			break
		}
		end := fmt.Sprintf("to $dumpon at time %d", g.To)
		if g.Open {
			end = "to the end"
		}
		notes = append(notes, fmt.Sprintf("%s: a gap from $dumpoff at time %d %s, not compared", d.name, g.From, end))
	}
	if d.cut {
		notes = append(notes, fmt.Sprintf("%s:%d: the file ends without a newline: its last word is taken as whole", d.name,
			d.base))
	}
	return notes
}
