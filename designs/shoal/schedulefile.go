package shoal

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
)

// ReadSchedule reads a schedule: one row a line, with the receiver of node 0, 1, … separated by blanks, and "-" where a
// node is idle. Text after # is a comment, an empty line is none. The first row says how many nodes there are. Errors
// name file and line.
func ReadSchedule(r io.Reader, name string, channels int) (*Schedule, error) {
	var rows [][]int16
	lines := input.NewLines(r, 64<<10)
	n := 0
	for lines.Scan() {
		n++
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		if len(rows) == 4*MaxNodes {
			return nil, fmt.Errorf("%s:%d: more than %d rows", name, n, 4*MaxNodes)
		}
		if len(words) > MaxNodes {
			return nil, fmt.Errorf("%s:%d: %d entries, want at most %d nodes", name, n, len(words), MaxNodes)
		}
		if len(rows) > 0 && len(words) != len(rows[0]) {
			return nil, fmt.Errorf("%s:%d: %d entries, want %d as in the first row", name, n, len(words), len(rows[0]))
		}
		row := make([]int16, len(words))
		taken := make(map[int]int, len(words))
		for i, w := range words {
			if w == "-" {
				row[i] = Idle
				continue
			}
			j, err := strconv.Atoi(w)
			if err != nil || j < 0 || j >= len(words) || j == i {
				return nil, fmt.Errorf(
					"%s:%d: node %d sends to %q, want another node of 0 to %d, or -", name, n, i, w, len(words)-1,
				)
			}
			if other, ok := taken[j]; ok {
				return nil, fmt.Errorf("%s:%d: nodes %d and %d both send to node %d", name, n, other, i, j)
			}
			taken[j], row[i] = i, int16(j)
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, n+1, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: no rows, want one line a slot", name)
	}
	return NewSchedule(name, len(rows[0]), channels, rows)
}

// ReadScheduleFile reads a file as ReadSchedule does.
func ReadScheduleFile(path string, channels int) (*Schedule, error) {
	f, err := input.Open(path, input.MostText)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadSchedule(f, path, channels)
}

// Write writes the schedule as ReadSchedule reads it.
func (s *Schedule) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "# %s, %d nodes: line t has the receivers of nodes 0 to %d in slot t\n", s.name, s.nodes, s.nodes-1)
	for _, row := range s.to {
		for i, j := range row {
			if i > 0 {
				b.WriteByte(' ')
			}
			if j == Idle {
				b.WriteByte('-')
			} else {
				b.WriteString(strconv.Itoa(int(j)))
			}
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}
