package vectors

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
)

// AXI4-Stream CSV has a row a cycle under the header cycle,tvalid,tready,tdata,tkeep,tlast,tuser. Values are
// hexadecimal, the cycle is decimal. A cycle that is left out is a pause. Of a port, tdata is its leaf data or
// payload, tkeep keep, tlast last; all others stand in tuser, the first in the most significant bits. What a port does
// not have is 0, tready and tlast 1.

const axiHeader = "cycle,tvalid,tready,tdata,tkeep,tlast,tuser"

// axiColumns says where a port's leaves stand.
type axiColumns struct {
	port             string
	valid, ready     int // columns of the set, -1 for none
	data, keep, last int
	user             []int
}

// axiPort finds the columns of a port that has a valid bit.
func axiPort(fields []Field, port string, ready map[string]string) (axiColumns, bool) {
	a := axiColumns{port: port, valid: -1, ready: -1, data: -1, keep: -1, last: -1}
	for c, f := range fields {
		if f.Name == ready[port] && ready[port] != "" {
			a.ready = c
		}
		if f.Port != port {
			continue
		}
		switch leaf := strings.TrimPrefix(f.Name, port+"_"); {
		case leaf == "valid" && f.Width == 1:
			a.valid = c
		case (leaf == "data" || leaf == "payload") && a.data < 0:
			a.data = c
		case leaf == "keep":
			a.keep = c
		case leaf == "last" && f.Width == 1:
			a.last = c
		default:
			a.user = append(a.user, c)
		}
	}
	bits := 0
	for _, c := range a.user {
		bits += fields[c].Width
	}
	return a, a.valid >= 0 && a.data >= 0 && bits <= 64
}

// axiPorts finds the ports with a valid bit and data.
func (s *Set) axiPorts() []axiColumns {
	var ports []axiColumns
	var done []string
	for _, f := range s.Fields {
		if slices.Contains(done, f.Port) {
			continue
		}
		done = append(done, f.Port)
		if a, ok := axiPort(s.Fields, f.Port, s.Ready); ok {
			ports = append(ports, a)
		}
	}
	return ports
}

// axiWriter writes the rows of a port as AXI4-Stream CSV.
type axiWriter struct {
	axiColumns
	fields []Field
	out    *bufio.Writer
	cycle  int64
	line   []byte
	user   lane
}

func newAXIWriter(w io.Writer, s *Set, a axiColumns) *axiWriter {
	x := &axiWriter{axiColumns: a, fields: s.Fields, out: bufio.NewWriterSize(w, fileBuffer)}
	fmt.Fprintf(x.out, "# %s, port %s, seed %d", s.Unit, a.port, s.Seed)
	if len(a.user) > 0 {
		x.out.WriteString("; tuser is {")
		for i, c := range a.user {
			if i > 0 {
				x.out.WriteString(", ")
			}
			fmt.Fprintf(x.out, "%s[%d]", s.Fields[c].Name, s.Fields[c].Width)
			x.user.columns, x.user.widths = append(x.user.columns, c), append(x.user.widths, s.Fields[c].Width)
			x.user.bits += s.Fields[c].Width
		}
		x.out.WriteString("}")
	}
	x.out.WriteString("\n" + axiHeader + "\n")
	return x
}

// cell appends a column's value, or none if the port has no such column.
func (x *axiWriter) cell(column int, none byte, row []uint64) {
	x.line = append(x.line, ',')
	if column < 0 {
		x.line = append(x.line, none)
		return
	}
	width := x.fields[column].Width
	x.line = lane{columns: []int{column}, widths: []int{width}, bits: width}.appendRow(x.line, row)
}

func (x *axiWriter) row(row []uint64) {
	x.line = strconv.AppendInt(x.line[:0], x.cycle, 10)
	x.cell(x.valid, '0', row)
	x.cell(x.ready, '1', row)
	x.cell(x.data, '0', row)
	x.cell(x.keep, '0', row)
	x.cell(x.last, '1', row)
	x.line = append(x.line, ',')
	if x.user.bits == 0 {
		x.line = append(x.line, '0')
	} else {
		x.line = x.user.appendRow(x.line, row)
	}
	x.out.Write(append(x.line, '\n'))
	x.cycle++
}

func (x *axiWriter) end() error { return x.out.Flush() }

// Beat is a row of AXI4-Stream CSV.
type Beat struct {
	Cycle            int
	Valid, Ready     bool
	Data, Keep, User uint64
	Last             bool
}

// maxBeatCycle bounds a file's cycles, so that a wrong number costs no memory.
const maxBeatCycle = 1 << 28

// ReadAXIStream reads AXI4-Stream CSV. The name is for errors: one line each, with the place and the expected text.
func ReadAXIStream(name string, r io.Reader) ([]Beat, error) {
	in := input.NewLines(r, longestLine)
	var beats []Beat
	line, headed, last := 0, false, -1
	for in.Scan() {
		line++
		text := strings.TrimSpace(in.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if !headed {
			if text != axiHeader {
				return nil, fmt.Errorf("%s:%d: header %q, want %s", name, line, abridged(text), axiHeader)
			}
			headed = true
			continue
		}
		cells := strings.Split(text, ",")
		if len(cells) != 7 {
			return nil, fmt.Errorf("%s:%d: %d columns, want 7: %s", name, line, len(cells), axiHeader)
		}
		cycle, err := strconv.Atoi(strings.TrimSpace(cells[0]))
		if err != nil || cycle <= last || cycle > maxBeatCycle {
			return nil, fmt.Errorf("%s:%d: cycle %q, want a number above %d", name, line, abridged(cells[0]), last)
		}
		last = cycle
		var v [7]uint64
		for i := 1; i < 7; i++ {
			if v[i], err = strconv.ParseUint(strings.TrimPrefix(strings.TrimSpace(cells[i]), "0x"), 16, 64); err != nil {
				return nil, fmt.Errorf("%s:%d: %s %q, want a hexadecimal number of at most 64 bits", name, line,
					strings.Split(axiHeader, ",")[i], abridged(cells[i]))
			}
		}
		if v[1] > 1 || v[2] > 1 || v[5] > 1 {
			return nil, fmt.Errorf("%s:%d: tvalid, tready or tlast is more than 1", name, line)
		}
		beats = append(beats, Beat{Cycle: cycle, Valid: v[1] == 1, Ready: v[2] == 1, Data: v[3], Keep: v[4],
			Last: v[5] == 1, User: v[6]})
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, line+1, err)
	}
	if !headed || len(beats) == 0 {
		return nil, fmt.Errorf("%s:%d: no beats, want the header %s and rows", name, line, axiHeader)
	}
	return beats, nil
}

// RowsFromBeats returns a function that fills in rows of the fields with the beats at an input port, cycle by cycle,
// and the number of rows. Other inputs take their values from others, or 0.
func RowsFromBeats(fields []Field, port string, beats []Beat,
	others map[string]uint64) (next func(row []uint64) bool, rows int, err error) {
	a, ok := axiPort(fields, port, nil)
	if !ok || fields[a.valid].Dir != 0 {
		return nil, 0, fmt.Errorf("port %s: want an input with the leaves valid and data or payload", port)
	}
	for name := range others {
		if !slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name && f.Dir == 0 && f.Port != port }) {
			return nil, 0, fmt.Errorf("no other input %s", name)
		}
	}
	pause := make([]uint64, len(fields))
	for c, f := range fields {
		pause[c] = others[f.Name]
	}
	scratch := make([]uint64, len(fields))
	for _, b := range beats {
		if err := a.put(scratch, fields, b); err != nil {
			return nil, 0, err
		}
	}
	rows = beats[len(beats)-1].Cycle + 1
	cycle := 0
	return func(row []uint64) bool {
		if cycle == rows {
			return false
		}
		copy(row, pause)
		if beats[0].Cycle == cycle {
			if err := a.put(row, fields, beats[0]); err != nil {
				panic(fmt.Sprintf("vectors: a beat that was put before: %v", err))
			}
			beats = beats[1:]
		}
		cycle++
		return true
	}, rows, nil
}

// put sets the port's columns of a row.
func (a *axiColumns) put(row []uint64, fields []Field, b Beat) error {
	bit := func(x bool) uint64 {
		if x {
			return 1
		}
		return 0
	}
	for _, x := range []struct {
		c int
		v uint64
	}{{a.valid, bit(b.Valid)}, {a.data, b.Data}, {a.keep, b.Keep}, {a.last, bit(b.Last)}} {
		if x.c < 0 {
			continue
		}
		if x.v > fields[x.c].max() {
			return fmt.Errorf("cycle %d: %#x has more than the %d bits of %s", b.Cycle, x.v, fields[x.c].Width, fields[x.c].Name)
		}
		row[x.c] = x.v
	}
	user := b.User
	for i := len(a.user) - 1; i >= 0; i-- {
		c := a.user[i]
		row[c] = user & fields[c].max()
		user = user >> (fields[c].Width - 1) >> 1 // a width of 64 leaves nothing
	}
	if user != 0 {
		return fmt.Errorf("cycle %d: tuser %#x has more bits than port %s has beside data, keep and last",
			b.Cycle, b.User, a.port)
	}
	return nil
}
