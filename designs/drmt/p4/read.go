package p4

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// ReadAnyGraph reads a graph from a file in any of the forms: a Python file by its name, otherwise BMv2's JSON if it
// has __meta__ or header_types, whose graph is derived, or the JSON form of [ReadGraph].
func ReadAnyGraph(file string, r io.Reader) (*schedule.Graph, error) {
	return ReadGraphOf(file, r, (*Program).Graph)
}

// ReadGraphOf is [ReadAnyGraph] with another way to derive a program's graph.
func ReadGraphOf(file string, r io.Reader, graph func(*Program) (*schedule.Graph, error)) (*schedule.Graph, error) {
	if strings.HasSuffix(file, ".py") {
		return ReadPythonGraph(file, r)
	}
	data, err := readBounded(file, r)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(data, []byte(`"__meta__"`)) || bytes.Contains(data, []byte(`"header_types"`)) {
		p, err := ParseBMv2(file, bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		return graph(p)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, fmt.Errorf("%s: the file is empty", file)
	}
	return ReadGraph(file, bytes.NewReader(data))
}
