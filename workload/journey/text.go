package journey

import (
	"fmt"
	"io"
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/plural"
)

// mostColumns is how wide a table is: in longer logs a column is several cycles.
const mostColumns = 160

// WriteText writes the log as a table: a row a journey, a column a cycle (or several, said so), with the letter of the
// stage under way when the column begins; below it what the letters mean, how often they were met, and how long they
// took on average.
func (l *Log) WriteText(w io.Writer) error {
	var b strings.Builder
	from, to := l.span()
	kinds, index := l.kinds()
	cycles := ceil(to.Sub(from).In(l.Cycle))
	each := max(1, (cycles+mostColumns-1)/mostColumns) // cycles a column
	columns := max(1, (cycles+each-1)/each)
	fmt.Fprintf(&b, "%s\n", l.Title)
	cycle := "one cycle"
	if each > 1 {
		cycle = fmt.Sprintf("%d cycles", each)
	}
	fmt.Fprintf(
		&b, "%s; a column is %s of %s, the first begins at %s\n\n", plural.Of(len(l.Journeys), "journey"), cycle,
		nanoseconds(l.Cycle), nanoseconds(from),
	)
	label := 0
	for _, j := range l.Journeys {
		label = max(label, utf8.RuneCountInString(j.Name))
	}
	ruler := []byte(strings.Repeat(" ", int(columns)))
	for k := int64(0); k < columns; k += 10 {
		mark := fmt.Sprintf("|%d", k*each)
		if k+int64(len(mark)) <= columns {
			copy(ruler[k:], mark)
		}
	}
	fmt.Fprintf(&b, "%*s  %s\n", label, "cycle", strings.TrimRight(string(ruler), " "))
	column := l.Cycle.Times(each)
	for _, j := range l.Journeys {
		row := []byte(strings.Repeat(" ", int(columns)))
		for _, s := range j.Stages {
			// columns that begin in the stage
			for k := ceil(s.From.Sub(from).In(column)); k < ceil(s.To.Sub(from).In(column)); k++ {
				row[k] = letter(index[s.Name()])
			}
		}
		fmt.Fprintf(&b, "%s%s  %-*s  %s\n", j.Name, strings.Repeat(" ", label-utf8.RuneCountInString(j.Name)), columns, row,
			nanoseconds(j.Total()))
	}
	b.WriteString("\n")
	widest := 0
	for _, k := range kinds {
		widest = max(widest, utf8.RuneCountInString(k.name))
	}
	for i, k := range kinds {
		mean, _ := k.sum.In(clock.Nanosecond).Float64()
		inCycles, _ := k.sum.In(l.Cycle).Float64()
		each := fmt.Sprintf("%.4g", inCycles/float64(k.n))
		unit := "cycles"
		if each == "1" {
			unit = "cycle"
		}
		fmt.Fprintf(&b, "%c  %-*s  %3d ×  %8.2f ns  %7s %s\n", letter(i), widest, k.name, k.n, mean/float64(k.n), each, unit)
	}
	if l.Missed > 0 {
		fmt.Fprintf(&b, "\n%d more began when there was no room\n", l.Missed)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// ceil is the least whole number that is not less.
func ceil(r *big.Rat) int64 {
	n := new(big.Int).Add(r.Num(), new(big.Int).Sub(r.Denom(), big.NewInt(1)))
	return n.Div(n, r.Denom()).Int64()
}
