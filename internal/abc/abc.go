// Package abc reads the messages and graphs of yosys-abc, in all its versions.
package abc

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
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

// Zeros tells of each output of a graph whether it is the constant 0. The graph is binary AIGER without bad states and
// constraints of their own.
func Zeros(file string) ([]bool, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	head, rest, _ := strings.Cut(string(data), "\n")
	var sizes [5]int // of all, inputs, latches, outputs and ands
	_, err = fmt.Sscanf(head, "aig %d %d %d %d %d", &sizes[0], &sizes[1], &sizes[2], &sizes[3], &sizes[4])
	latches, outputs := sizes[2], sizes[3]
	if err != nil || latches < 0 || outputs < 0 || latches+outputs > len(rest) {
		return nil, fmt.Errorf("yosys-abc wrote %.60q, want the head of a graph", head)
	}
	if len(strings.Fields(head)) > 6 {
		return nil, fmt.Errorf("yosys-abc wrote %.60q, want a graph with outputs only", head)
	}
	lines := strings.SplitN(rest, "\n", latches+outputs+1)
	if len(lines) <= latches+outputs {
		return nil, errors.New("yosys-abc wrote a graph that ends among its outputs")
	}
	zero := make([]bool, outputs)
	for i := range zero {
		zero[i] = lines[latches+i] == "0"
	}
	return zero, nil
}
