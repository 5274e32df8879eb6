package vectors

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// AXI4-Stream CSV has a row a cycle under the header cycle,tvalid,tready,tdata,tkeep,tlast,tuser. Values are hexadecimal, the
// cycle is decimal. A cycle that is left out is a pause. Of a port, tdata is its leaf data or payload, tkeep keep, tlast
// last; all others stand in tuser, the first in the most significant bits. What a port does not have is 0, tready and tlast
// 1.

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

// axiStreams writes MODULE_PORT.csv for each port with a valid bit and data.
func (s *Set) axiStreams() ([]file, error) {
	var files []file
	var done []string
	for _, f := range s.Fields {
		if slices.Contains(done, f.Port) {
			continue
		}
		done = append(done, f.Port)
		a, ok := axiPort(s.Fields, f.Port, s.Ready)
		if !ok {
			continue
		}
		var b bytes.Buffer
		fmt.Fprintf(&b, "# %s, port %s, seed %d", s.Unit, f.Port, s.Seed)
		if len(a.user) > 0 {
			b.WriteString("; tuser is {")
			for i, c := range a.user {
				if i > 0 {
					b.WriteString(", ")
				}
				fmt.Fprintf(&b, "%s[%d]", s.Fields[c].Name, s.Fields[c].Width)
			}
			b.WriteString("}")
		}
		b.WriteString("\n" + axiHeader + "\n")
		for k, row := range s.Rows {
			at := func(c int, none uint64) (uint64, int) {
				if c < 0 {
					return none, 1
				}
				return row[c], s.Fields[c].Width
			}
			var user uint64
			bits := 1
			for _, c := range a.user {
				user = user<<s.Fields[c].Width | row[c]
				bits += s.Fields[c].Width
			}
			fmt.Fprintf(&b, "%d", k)
			for _, v := range []struct {
				c    int
				none uint64
			}{{a.valid, 0}, {a.ready, 1}, {a.data, 0}, {a.keep, 0}, {a.last, 1}} {
				x, width := at(v.c, v.none)
				b.WriteString("," + hexValue(x, width))
			}
			b.WriteString("," + hexValue(user, max(bits-1, 1)) + "\n")
		}
		files = append(files, file{s.module() + "_" + f.Port + ".csv", b.Bytes()})
	}
	return files, nil
}

// Beat is a row of AXI4-Stream CSV.
type Beat struct {
	Cycle            int
	Valid, Ready     bool
	Data, Keep, User uint64
	Last             bool
}

// maxBeatCycle bounds a file's cycles, so that a wrong number costs no memory.
const maxBeatCycle = 1 << 28

// ReadAXIStream reads AXI4-Stream CSV. The name is for errors, which are one line with the place and what was expected.
func ReadAXIStream(name string, r io.Reader) ([]Beat, error) {
	in := bufio.NewScanner(r)
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
		beats = append(beats, Beat{Cycle: cycle, Valid: v[1] == 1, Ready: v[2] == 1, Data: v[3], Keep: v[4], Last: v[5] == 1, User: v[6]})
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, line+1, err)
	}
	if !headed || len(beats) == 0 {
		return nil, fmt.Errorf("%s:%d: no beats, want the header %s and rows", name, line, axiHeader)
	}
	return beats, nil
}

// RowsFromBeats returns rows of the fields with the beats at an input port, cycle by cycle; all other inputs are 0, or what
// others says.
func RowsFromBeats(fields []Field, port string, beats []Beat, others map[string]uint64) ([][]uint64, error) {
	a, ok := axiPort(fields, port, nil)
	if !ok || fields[a.valid].Dir != 0 {
		return nil, fmt.Errorf("port %s: want an input with the leaves valid and data or payload", port)
	}
	for name := range others {
		if !slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name && f.Dir == 0 && f.Port != port }) {
			return nil, fmt.Errorf("no other input %s", name)
		}
	}
	rows := make([][]uint64, beats[len(beats)-1].Cycle+1)
	for k := range rows {
		rows[k] = make([]uint64, len(fields))
		for c, f := range fields {
			rows[k][c] = others[f.Name]
		}
	}
	for _, b := range beats {
		row := rows[b.Cycle]
		set := func(c int, v uint64) error {
			if c < 0 {
				return nil
			}
			if v > fields[c].max() {
				return fmt.Errorf("cycle %d: %#x has more than the %d bits of %s", b.Cycle, v, fields[c].Width, fields[c].Name)
			}
			row[c] = v
			return nil
		}
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
			if err := set(x.c, x.v); err != nil {
				return nil, err
			}
		}
		user := b.User
		for i := len(a.user) - 1; i >= 0; i-- {
			c := a.user[i]
			row[c] = user & fields[c].max()
			user = user >> (fields[c].Width - 1) >> 1 // a width of 64 leaves nothing
		}
		if user != 0 {
			return nil, fmt.Errorf("cycle %d: tuser %#x has more bits than port %s has beside data, keep and last", b.Cycle, b.User, port)
		}
	}
	return rows, nil
}
