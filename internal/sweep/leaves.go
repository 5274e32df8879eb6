package sweep

import (
	"bytes"
	"encoding/json"
)

// leaf is a number, text, truth value or null in JSON, outside of arrays.
type leaf struct {
	path  string // names joined by dots: "reads.p99"
	value any
	text  string // as it stands
}

// leaves returns the leaves of a JSON object in their order. An array has no leaves, as it is no single figure.
func leaves(data json.RawMessage) []leaf {
	return leavesBelow(nil, "", data)
}

func leavesBelow(list []leaf, path string, data json.RawMessage) []leaf {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] == '[' {
		return list
	}
	if data[0] != '{' {
		l := leaf{path: path, text: string(data)}
		if json.Unmarshal(data, &l.value) != nil {
			return list
		}
		return append(list, l)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return list
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return list
		}
		var inner json.RawMessage
		if err := d.Decode(&inner); err != nil {
			return list
		}
		below, _ := name.(string) // names of an object are texts
		if path != "" {
			below = path + "." + below
		}
		list = leavesBelow(list, below, inner)
	}
	return list
}
