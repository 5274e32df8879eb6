package vectors

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
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
func (l lane) parseRow(row []uint64, text []byte) error {
	if len(text) != l.digits() {
		return fmt.Errorf("%q has %d characters, want %d hexadecimal digits", abridged(string(text)), len(text), l.digits())
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

// hexWriter writes the lane of each row as a line of a $readmemh file.
type hexWriter struct {
	lane
	out  *bufio.Writer
	line []byte
}

func newHexWriter(w io.Writer, unit string, l lane) *hexWriter {
	x := &hexWriter{lane: l, out: bufio.NewWriterSize(w, fileBuffer)}
	fmt.Fprintf(x.out, "// %s: {%s}, %d bits, one row a cycle\n", unit, strings.Join(l.names, ", "), l.bits)
	return x
}

func (x *hexWriter) row(row []uint64) {
	x.line = append(x.appendRow(x.line[:0], row), '\n')
	x.out.Write(x.line)
}

func (x *hexWriter) end() error { return x.out.Flush() }

// longestLine bounds a line of a $readmemh file: a row of a thousand fields, or their names, is shorter.
const longestLine = 1 << 20

// hexReader reads the rows of a $readmemh file that a hexWriter wrote. Comment and empty lines are skipped.
type hexReader struct {
	lane
	name   string
	in     *input.Lines
	number int // of the line
	rows   int // read so far
	want   int
}

func newHexReader(name string, r io.Reader, l lane, rows int) *hexReader {
	x := &hexReader{lane: l, name: name, in: input.NewLines(r, longestLine), want: rows}
	return x
}

// next returns the text of the next row, nothing at the end of the file.
func (x *hexReader) next() ([]byte, error) {
	for x.in.Scan() {
		x.number++
		if text := bytes.TrimRight(x.in.Bytes(), "\r"); len(text) > 0 && !bytes.HasPrefix(text, []byte("//")) {
			return text, nil
		}
	}
	if err := x.in.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", x.name, x.number+1, err)
	}
	return nil, nil
}

// read reads the next row into the lane's columns.
func (x *hexReader) read(row []uint64) error {
	text, err := x.next()
	if err != nil {
		return err
	}
	if len(text) == 0 {
		return fmt.Errorf("%s:%d: the file ends after %d rows, want %d", x.name, x.number, x.rows, x.want)
	}
	if err := x.parseRow(row, text); err != nil {
		return fmt.Errorf("%s:%d: %w", x.name, x.number, err)
	}
	x.rows++
	return nil
}

// readAll reads the next row, and wants the file to end after the last one.
func (x *hexReader) readAll(row []uint64) error {
	if err := x.read(row); err != nil || x.rows < x.want {
		return err
	}
	return x.end()
}

// end wants no more rows.
func (x *hexReader) end() error {
	text, err := x.next()
	if err == nil && len(text) > 0 {
		err = fmt.Errorf("%s:%d: row %d, want the file to end after %d rows", x.name, x.number, x.rows, x.want)
	}
	return err
}

// hexValue returns a value with the digits of its width, as %h does in Verilog.
func hexValue(v uint64, width int) string { return fmt.Sprintf("%0*x", (width+3)/4, v) }

// csvWriter writes all fields of each row, in hexadecimal without 0x, under a line of their names.
type csvWriter struct {
	out   *bufio.Writer
	cells []lane // one a field
	cycle int64
	line  []byte
}

func newCSVWriter(w io.Writer, fields []Field) *csvWriter {
	x := &csvWriter{out: bufio.NewWriterSize(w, fileBuffer)}
	x.out.WriteString("cycle")
	for i, f := range fields {
		x.out.WriteString("," + f.Name)
		x.cells = append(x.cells, lane{columns: []int{i}, widths: []int{f.Width}, bits: f.Width})
	}
	x.out.WriteByte('\n')
	return x
}

func (x *csvWriter) row(row []uint64) {
	x.line = strconv.AppendInt(x.line[:0], x.cycle, 10)
	for _, cell := range x.cells {
		x.line = cell.appendRow(append(x.line, ','), row)
	}
	x.out.Write(append(x.line, '\n'))
	x.cycle++
}

func (x *csvWriter) end() error { return x.out.Flush() }
