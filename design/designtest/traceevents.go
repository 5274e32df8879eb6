package designtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/workload/journey"
)

// CheckTraceEvents holds a log's JSON trace to the rules of the published "Trace Event Format", and wants a complete
// event for each stage.
func CheckTraceEvents(t *testing.T, log *journey.Log) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, log.Write("x.json", &b))
	complete, err := TraceEvents(b.Bytes())
	require.NoError(t, err)
	stages := 0
	for _, j := range log.Journeys {
		stages += len(j.Stages)
	}
	require.Equal(t, stages, complete)
	require.Positive(t, complete, "nothing was compared")
}

// slice is a complete event, in microseconds.
type slice struct{ from, to *big.Rat }

// TraceEvents reads a file in the "JSON Object Format" of the "Trace Event Format" and returns how many complete
// events it has. It shares no code with the writer of such files, and knows of the phases complete ("X") and metadata
// ("M") alone. A viewer accepts more; an event that it would show in another way than meant, or leave out in silence,
// is an error here.
func TraceEvents(data []byte) (complete int, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var file map[string]any
	if err := d.Decode(&file); err != nil {
		return 0, err
	}
	if _, err := d.Token(); err != io.EOF {
		return 0, fmt.Errorf("something stands after the object")
	}
	if u, ok := file["displayTimeUnit"]; ok && u != "ms" && u != "ns" {
		return 0, fmt.Errorf(`displayTimeUnit %v, want "ms" or "ns"`, u)
	}
	events, ok := file["traceEvents"].([]any)
	if !ok {
		return 0, fmt.Errorf("traceEvents is no array")
	}
	threads := map[string][]slice{}
	for i, e := range events {
		event, ok := e.(map[string]any)
		if !ok {
			return 0, fmt.Errorf("event %d is no object", i)
		}
		if err := traceEvent(event, threads); err != nil {
			return 0, fmt.Errorf("event %d: %w", i, err)
		}
	}
	for thread, slices := range threads {
		if err := nested(slices); err != nil {
			return 0, fmt.Errorf("thread %s: %w", thread, err)
		}
		complete += len(slices)
	}
	return complete, nil
}

// traceEvent checks an event and adds it to its thread.
func traceEvent(e map[string]any, threads map[string][]slice) error {
	name, ok := e["name"].(string)
	if !ok || name == "" {
		return fmt.Errorf("it has no name")
	}
	if c, ok := e["cat"]; ok {
		if _, text := c.(string); !text {
			return fmt.Errorf("cat is no text")
		}
	}
	for _, id := range []string{"pid", "tid"} {
		n, _ := e[id].(json.Number)
		if _, err := n.Int64(); err != nil {
			return fmt.Errorf("%s is no whole number", id)
		}
	}
	args := map[string]any{}
	if a, ok := e["args"]; ok {
		if args, ok = a.(map[string]any); !ok {
			return fmt.Errorf("args is no object")
		}
	}
	switch e["ph"] {
	case "M":
		want := map[string]string{"process_name": "name", "process_labels": "labels", "process_sort_index": "sort_index",
			"thread_name": "name", "thread_sort_index": "sort_index"}[name]
		value, ok := args[want]
		_, text := value.(string)
		if want == "" || !ok || text == (want == "sort_index") {
			return fmt.Errorf("metadata %q with %v", name, args)
		}
		return nil
	case "X":
		var s [2]*big.Rat
		for i, field := range []string{"ts", "dur"} {
			n, _ := e[field].(json.Number)
			x, ok := new(big.Rat).SetString(n.String())
			if !ok || x.Sign() < 0 {
				return fmt.Errorf("%s is %v, want microseconds", field, e[field])
			}
			s[i] = x
		}
		thread := fmt.Sprint(e["pid"], "/", e["tid"])
		threads[thread] = append(threads[thread], slice{s[0], s[1].Add(s[0], s[1])})
		return nil
	}
	return fmt.Errorf("phase %v", e["ph"])
}

// nested wants events of a thread to lie apart or one in the other: a viewer draws them as a stack.
func nested(all []slice) error {
	slices.SortStableFunc(all, func(a, b slice) int { return cmp.Or(a.from.Cmp(b.from), b.to.Cmp(a.to)) })
	var open []slice
	for _, s := range all {
		for len(open) > 0 && open[len(open)-1].to.Cmp(s.from) <= 0 {
			open = open[:len(open)-1]
		}
		if n := len(open); n > 0 && open[n-1].to.Cmp(s.to) < 0 {
			return fmt.Errorf("an event from %s to %s overlaps with one to %s", s.from.FloatString(6), s.to.FloatString(6),
				open[n-1].to.FloatString(6))
		}
		open = append(open, s)
	}
	return nil
}
