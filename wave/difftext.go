package wave

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goldwire/goldwire/internal/plural"
)

// String tells the outcome for a person: the first divergence with its neighbourhood.
func (r *DiffResult) String() string {
	var b strings.Builder
	list := func(what string, paths []string) {
		const most = 20
		if len(paths) > 0 {
			more := ""
			if n := len(paths) - most; n > 0 {
				paths, more = paths[:most], fmt.Sprintf(" and %d more", n)
			}
			fmt.Fprintf(&b, "%s: %s%s\n", what, printable(strings.Join(paths, ", ")), more)
		}
	}
	more := func(what string, n uint64) {
		if n > 0 {
			fmt.Fprintf(&b, "%s goes on for %s more\n", what, plural.Of(n, "sample"))
		}
	}
	lists := func() {
		list("only in A", r.OnlyA)
		list("only in B", r.OnlyB)
		list("not compared, since they are not the same", r.Unlike)
		if r.Gaps > 0 {
			fmt.Fprintf(&b, "not compared, since a file has a gap there: %s\n", plural.Of(r.Gaps, "sample"))
		}
		for _, n := range r.Notes {
			fmt.Fprintln(&b, printable(n))
		}
	}
	if r.First == nil {
		fmt.Fprintf(&b, "no difference in %s over %s\n", plural.Of(r.Compared, "variable"), plural.Of(r.Samples, "sample"))
		lists()
		more("A", r.RestA)
		more("B", r.RestB)
		return b.String()
	}
	d := r.First
	fmt.Fprintf(&b, "first difference at sample %d (time %d in A, %d in B)\n", d.Sample, d.TimeA, d.TimeB)
	for _, s := range d.Signals {
		hex := hex
		if s.text {
			hex = printable
		}
		fmt.Fprintf(&b, "\n%s: A has %s, B has %s\n", printable(s.Path), hex(s.A), hex(s.B))
		cell := 6
		for _, v := range append(append([]string(nil), s.AroundA...), s.AroundB...) {
			cell = max(cell, len(hex(v)))
		}
		b.WriteString("  sample")
		for k := range s.AroundA {
			fmt.Fprintf(&b, "  %*d", cell, d.From+uint64(k))
		}
		for side, values := range [][]string{s.AroundA, s.AroundB} {
			fmt.Fprintf(&b, "\n  %-6s", "AB"[side:side+1])
			for _, v := range values {
				fmt.Fprintf(&b, "  %*s", cell, hex(v))
			}
		}
		b.WriteString("\n        ")
		for k := range s.AroundA {
			mark := ""
			if s.AroundA[k] != s.AroundB[k] {
				mark = "^"
			}
			fmt.Fprintf(&b, "  %*s", cell, mark)
		}
		b.WriteByte('\n')
	}
	text := strings.Split(b.String(), "\n")
	for i := range text {
		text[i] = strings.TrimRight(text[i], " ")
	}
	b.Reset()
	b.WriteString(strings.Join(text, "\n"))
	lists()
	return b.String()
}

// printable returns a text from a file with characters escaped that a terminal could take for a command.
func printable(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 && utf8.ValidString(s) {
		return s
	}
	quoted := strconv.QuoteToGraphic(s)
	return quoted[1 : len(quoted)-1]
}

// hex writes a binary value in hexadecimal, or as it is if it has an x or z.
func hex(bits string) string {
	n, ok := new(big.Int).SetString(bits, 2)
	if !ok {
		return bits
	}
	return fmt.Sprintf("%0*x", (len(bits)+3)/4, n)
}
