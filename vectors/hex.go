package vectors

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/rtl"
)

// A row is written as one number in hexadecimal: the fields of one direction, the first in the most significant bits.

// lane is the fields of one direction: their columns in the set's rows and their widths.
type lane struct {
	columns []int
	widths  []int
	names   []string
	bits    int
}

func laneOf(fields []Field, dir rtl.Direction) lane {
	var l lane
	for i, f := range fields {
		if f.Dir == dir {
			l.columns = append(l.columns, i)
			l.widths = append(l.widths, f.Width)
			l.names = append(l.names, f.Name)
			l.bits += f.Width
		}
	}
	return l
}

// digits is the length of a row's number.
func (l lane) digits() int { return (l.bits + 3) / 4 }

const hexDigits = "0123456789abcdef"

// appendRow appends the row's number. Bits fill a digit from the most significant end; the padding comes first.
func (l lane) appendRow(dst []byte, row []uint64) []byte {
	digit, filled := uint64(0), l.digits()*4-l.bits
	for i, c := range l.columns {
		for left := l.widths[i]; left > 0; {
			take := min(left, 4-filled)
			left -= take
			digit = digit<<take | row[c]>>left&(1<<take-1)
			if filled += take; filled == 4 {
				dst = append(dst, hexDigits[digit])
				digit, filled = 0, 0
			}
		}
	}
	return dst
}

// parseRow reads what appendRow wrote into the row.
func (l lane) parseRow(row []uint64, text string) error {
	if len(text) != l.digits() {
		return fmt.Errorf("%q has %d characters, want %d hexadecimal digits", abridged(text), len(text), l.digits())
	}
	digit, left := uint64(0), 0 // left: bits of the digit not yet taken
	next := func() error {
		d := strings.IndexByte(hexDigits, text[0])
		if d < 0 {
			return fmt.Errorf("%q is no digit, want 0-9 or a-f", text[:1])
		}
		digit, left, text = uint64(d), 4, text[1:]
		return nil
	}
	if pad := l.digits()*4 - l.bits; pad > 0 {
		if err := next(); err != nil {
			return err
		}
		left -= pad
		if digit>>left != 0 {
			return fmt.Errorf("the number starts with %x, want at most %d bits in all", digit, l.bits)
		}
	}
	for i, c := range l.columns {
		row[c] = 0
		for want := l.widths[i]; want > 0; {
			if left == 0 {
				if err := next(); err != nil {
					return err
				}
			}
			take := min(want, left)
			want, left = want-take, left-take
			row[c] = row[c]<<take | digit>>left&(1<<take-1)
		}
	}
	return nil
}

func abridged(s string) string {
	const most = 40
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

// writeHex writes the lane of all rows as a $readmemh file.
func (l lane) writeHex(w io.Writer, unit string, rows [][]uint64) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "// %s: {%s}, %d bits, one row a cycle\n", unit, strings.Join(l.names, ", "), l.bits)
	var line []byte
	for _, row := range rows {
		line = append(l.appendRow(line[:0], row), '\n')
		b.Write(line)
	}
	return b.Flush()
}

// readHex reads a $readmemh file that writeHex wrote into the lane's columns of the rows, which it makes if rows is nil.
// Comment and empty lines are skipped.
func (l lane) readHex(name string, data []byte, rows [][]uint64, fields, cycles int) ([][]uint64, error) {
	fresh := rows == nil
	k, number := 0, 0
	for line := range bytes.Lines(data) {
		number++
		text := string(bytes.TrimRight(line, "\r\n"))
		if text == "" || strings.HasPrefix(text, "//") {
			continue
		}
		if k == cycles {
			return nil, fmt.Errorf("%s:%d: row %d, want the file to end after %d rows", name, number, k, cycles)
		}
		if fresh {
			rows = append(rows, make([]uint64, fields))
		}
		if err := l.parseRow(rows[k], text); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		k++
	}
	if k != cycles {
		return nil, fmt.Errorf("%s:%d: the file ends after %d rows, want %d", name, number, k, cycles)
	}
	return rows, nil
}

// hexValue returns a value with the digits of its width, as %h does in Verilog.
func hexValue(v uint64, width int) string { return fmt.Sprintf("%0*x", (width+3)/4, v) }

// writeCSV writes all fields of all rows, in hexadecimal without 0x, under a line of their names.
func (s *Set) writeCSV(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString("cycle")
	for _, f := range s.Fields {
		b.WriteString("," + f.Name)
	}
	b.WriteByte('\n')
	var line []byte
	for k, row := range s.Rows {
		line = strconv.AppendInt(line[:0], int64(k), 10)
		for i, f := range s.Fields {
			line = append(line, ',')
			line = lane{columns: []int{i}, widths: []int{f.Width}, bits: f.Width}.appendRow(line, row)
		}
		b.Write(append(line, '\n'))
	}
	return b.Flush()
}
