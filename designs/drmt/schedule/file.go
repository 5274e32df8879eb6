package schedule

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/goldwire/goldwire/internal/input"
)

// maxFile bounds what Read reads.
const maxFile = 16 << 20

// file is a schedule as JSON: {"graph": NAME, "ipc": 1, "period": P, "start": {OPERATION: CYCLE, ...}}.
type file struct {
	Graph  string `json:"graph"`
	IPC    int    `json:"ipc"`
	Period int    `json:"period"`
	Start  starts `json:"start"`
}

// starts are start times by operation. A file that names an operation twice is refused: which one counts, it does not
// say.
type starts map[string]int

// UnmarshalJSON reads an object.
func (s *starts) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, (*map[string]int)(s)); err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	seen := map[string]bool{}
	for {
		token, err := dec.Token()
		if err != nil { // io.EOF: the object has been read before
			return nil
		}
		if name, ok := token.(string); ok {
			if seen[name] {
				return fmt.Errorf("operation %s is there twice", name)
			}
			seen[name] = true
		}
	}
}

// Write writes the schedule as JSON, operations by name.
func (s *Schedule) Write(w io.Writer) error {
	f := file{s.Graph.Name, s.Limits.IPC, s.Period, map[string]int{}}
	for v, n := range s.Graph.Nodes {
		f.Start[n.Name] = s.Start[v]
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(f)
}

// Read reads a schedule of a graph and validates it. name is for messages. The limits are the given ones; the file's
// IPC must be theirs. A schedule that breaks a limit is an error of one line, the first one broken and how many more
// there are.
func Read(name string, r io.Reader, g *Graph, l Limits) (*Schedule, error) {
	s, ipc, err := ReadUnchecked(name, r, g, l)
	if err != nil {
		return nil, err
	}
	if ipc != l.IPC {
		return nil, fmt.Errorf("%s: a schedule for IPC %d, expected %d", name, ipc, l.IPC)
	}
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, firstOf(err))
	}
	return s, nil
}

// ReadUnchecked reads a schedule of a graph, and its IPC, which the limits' need not be, and does not validate it.
func ReadUnchecked(name string, r io.Reader, g *Graph, l Limits) (s *Schedule, ipc int, err error) {
	defer func() { err = input.OneLine(err) }()
	dec := json.NewDecoder(io.LimitReader(r, maxFile))
	dec.DisallowUnknownFields()
	var f file
	if err := dec.Decode(&f); err != nil {
		return nil, 0, fmt.Errorf("%s: byte %d: %w", name, dec.InputOffset(), err)
	}
	s = &Schedule{Graph: g, Limits: l, Period: f.Period}
	for _, n := range g.Nodes {
		t, ok := f.Start[n.Name]
		if !ok {
			return nil, 0, fmt.Errorf("%s: operation %s has no start", name, n.Name)
		}
		s.Start = append(s.Start, t)
		delete(f.Start, n.Name)
	}
	if len(f.Start) > 0 {
		var more []string
		for n := range f.Start {
			more = append(more, n)
		}
		return nil, 0, fmt.Errorf("%s: operation %s is not in graph %s", name, slices.Min(more), g.Name)
	}
	return s, f.IPC, nil
}

// firstOf returns the first of joined errors, with the number of the others.
func firstOf(err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || len(joined.Unwrap()) < 2 {
		return err
	}
	return fmt.Errorf("%w (and %d more)", joined.Unwrap()[0], len(joined.Unwrap())-1)
}
