// Package abc reads the messages of yosys-abc, in all its versions.
package abc

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/goldwire/goldwire/internal/aiger"
)

// Status is print_status' word on a property.
type Status string

// The statuses. An undecided property may still be a proved one: see Solved.
const (
	undecided Status = "-1"
	Refuted   Status = "0"
	Proved    Status = "1"
)

var status = regexp.MustCompile(`Status = (-?\d)`)

// StatusIn finds print_status' word in a line.
func StatusIn(line string) (s Status, ok bool) {
	m := status.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	return Status(m[1]), true
}

// Solved decides a property that pdr left undecided. Where the simplification before it brings every output to 0, pdr
// of 2022 says "proved", and pdr of 2026 "undecided", since it has nothing to do. The file is the simplified graph.
func Solved(s Status, file string) (Status, error) {
	if s != undecided {
		return s, nil
	}
	zero, err := Zeros(file)
	if err != nil {
		return "", err
	}
	for _, z := range zero {
		if !z {
			return undecided, nil
		}
	}
	return Proved, nil
}

// Zeros tells of each output of a graph whether it is the constant 0.
func Zeros(file string) ([]bool, error) {
	g, err := aiger.Read(file)
	if err != nil {
		return nil, fmt.Errorf("yosys-abc wrote %w", err)
	}
	if len(g.Bads)+len(g.Constraints) > 0 {
		return nil, errors.New("yosys-abc wrote a graph with bad states or constraints, want outputs only")
	}
	zero := make([]bool, len(g.Outputs))
	for i, l := range g.Outputs {
		zero[i] = l == aiger.False
	}
	return zero, nil
}
