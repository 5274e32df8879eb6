package workload

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/internal/output"
)

// The columns of a trace, without and with results.
const (
	messageColumns = "id,type,source,destination,bytes,start_ns"
	resultColumns  = messageColumns + ",finish_ns,latency_ns"
)

const (
	maxLine = 4096 // bytes of a line of a trace; the longest that is right has some 120

	psPerNs    = 1000
	psDecimals = 3 // of a nanosecond
)

// ReadMessagesFile reads the trace at path. See [ReadMessages].
func ReadMessagesFile(path string, nodes int) ([]Message, error) {
	file, err := input.Open(path, input.MostTrace)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadMessages(file, path, nodes)
}

// ReadMessages reads a trace of messages between the given number of nodes, as [WriteMessages] writes it, and sorts it
// by start, then id. The name stands for the trace in errors.
//
// A line is a message, a type read, write or cas, a time nanoseconds with up to three decimals. Nothing is guessed: an
// error, one line with name and line, tells the first field that is not as it should be, an id that is there twice, or
// that the trace is cut off: its last line, too, ends with a line feed.
func ReadMessages(r io.Reader, name string, nodes int) ([]Message, error) {
	lines := bufio.NewReaderSize(r, maxLine)
	var messages []Message
	seen := map[uint64]int{} // line of an id
	for number := 1; ; number++ {
		line, err := readLine(lines)
		if err == io.EOF {
			if number == 1 {
				return nil, fmt.Errorf("%s:1: no header, want %s", name, messageColumns)
			}
			if len(messages) == 0 {
				return nil, fmt.Errorf("%s:2: no message, want at least one", name)
			}
			break
		}
		switch {
		case err != nil:
		case number == 1:
			if line != messageColumns {
				err = fmt.Errorf("header %q, want %s", line, messageColumns)
			}
		default:
			var m Message
			if m, err = parseMessage(line, nodes); err != nil {
				break
			}
			if first := seen[m.ID]; first > 0 {
				err = fmt.Errorf("id %d is that of line %d, want each once", m.ID, first)
				break
			}
			seen[m.ID] = number
			messages = append(messages, m)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
	}
	slices.SortFunc(messages, func(a, b Message) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.ID, b.ID))
	})
	return messages, nil
}

// readLine returns the next line without its end, or io.EOF after the last one.
func readLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return "", fmt.Errorf("line of more than %d bytes", maxLine)
	case err == io.EOF && len(line) > 0:
		return "", fmt.Errorf("truncated: the trace ends in %q, want a line feed", line)
	case err != nil:
		return "", err
	}
	return strings.TrimSuffix(string(line[:len(line)-1]), "\r"), nil
}

func parseMessage(line string, nodes int) (m Message, err error) {
	fields := strings.Split(line, ",")
	if want := strings.Count(messageColumns, ",") + 1; len(fields) != want {
		return m, fmt.Errorf("%d columns, want %d: %s", len(fields), want, messageColumns)
	}
	if m.ID, err = strconv.ParseUint(fields[0], 10, 64); err != nil {
		return m, fmt.Errorf("id %q, want a whole number below 2^64", fields[0])
	}
	if m.Type, err = ParseMessageType(fields[1]); err != nil {
		return m, fmt.Errorf("type %q, want %s", fields[1], typesWanted)
	}
	if m.Source, err = parseNode("source", fields[2], nodes); err != nil {
		return m, err
	}
	if m.Dest, err = parseNode("destination", fields[3], nodes); err != nil {
		return m, err
	}
	if m.Source == m.Dest {
		return m, fmt.Errorf("destination %d is the source, want another node", m.Dest)
	}
	if m.Bytes, err = strconv.Atoi(fields[4]); err != nil || m.Bytes < 1 || fields[4][0] == '+' {
		return m, fmt.Errorf("bytes %q, want a whole number from 1 on", fields[4])
	}
	var ok bool
	if m.Start, ok = parseNs(fields[5]); !ok {
		return m, fmt.Errorf("start_ns %q, want nanoseconds from 0 on, less than 2^63 ps, with at most %d decimals",
			fields[5], psDecimals)
	}
	return m, nil
}

func parseNode(column, field string, nodes int) (int, error) {
	n, err := strconv.ParseUint(field, 10, 64)
	if err != nil || n >= uint64(max(nodes, 0)) {
		return 0, fmt.Errorf("%s %q, want a node from 0 to %d", column, field, nodes-1)
	}
	return int(n), nil
}

// parseNs returns picoseconds.
func parseNs(field string) (int64, bool) {
	whole, part, hasPart := strings.Cut(field, ".")
	ns, err := strconv.ParseUint(whole, 10, 63)
	if err != nil || ns > math.MaxInt64/psPerNs || hasPart && (part == "" || len(part) > psDecimals) {
		return 0, false
	}
	ps, err := strconv.ParseUint(part+"000"[len(part):], 10, 63)
	if err != nil || ns*psPerNs+ps > math.MaxInt64 {
		return 0, false
	}
	return int64(ns*psPerNs + ps), true
}

// appendNs appends picoseconds as nanoseconds, without zeros after the last decimal.
func appendNs(b []byte, ps int64) []byte {
	b = strconv.AppendInt(b, ps/psPerNs, 10)
	if part := ps % psPerNs; part > 0 {
		b = append(b, '.', byte('0'+part/100), byte('0'+part/10%10), byte('0'+part%10))
		for b[len(b)-1] == '0' {
			b = b[:len(b)-1]
		}
	}
	return b
}

// Result is the outcome of a message.
type Result struct {
	Message
	Finished bool
	Finish   int64 // picoseconds
}

// Latency returns the time from start to finish in picoseconds.
func (r Result) Latency() int64 { return r.Finish - r.Start }

// WriteMessagesFile writes the trace at path, which appears whole or not at all. See [WriteMessages].
func WriteMessagesFile(path string, messages []Message) error {
	return output.Write(path, func(w io.Writer) error { return WriteMessages(w, messages) })
}

// WriteMessages writes a trace, in the order given: equal messages give equal bytes. An error names a message that
// [ReadMessages] would refuse for whatever number of nodes; that ids differ is not looked at.
func WriteMessages(w io.Writer, messages []Message) error {
	return writeRows(w, messageColumns, messages, func(line []byte, m Message) ([]byte, error) {
		return appendMessage(line, m)
	})
}

// WriteResultsFile writes results to the file at path, which appears whole or not at all. See [WriteResults].
func WriteResultsFile(path string, results []Result) error {
	return output.Write(path, func(w io.Writer) error { return WriteResults(w, results) })
}

// WriteResults writes a trace with two more columns, finish_ns and latency_ns, which are empty for a message that has
// not finished.
func WriteResults(w io.Writer, results []Result) error {
	return writeRows(w, resultColumns, results, func(line []byte, r Result) ([]byte, error) {
		line, err := appendMessage(line, r.Message)
		switch {
		case err != nil:
			return nil, err
		case !r.Finished:
			return append(line, ",,"...), nil
		case r.Finish < r.Start:
			return nil, fmt.Errorf("message %d: finish %d ps, want no earlier than its start, %d ps", r.ID, r.Finish, r.Start)
		}
		line = appendNs(append(line, ','), r.Finish)
		return appendNs(append(line, ','), r.Latency()), nil
	})
}

func writeRows[T any](w io.Writer, header string, rows []T, appendRow func([]byte, T) ([]byte, error)) error {
	if len(rows) == 0 {
		return errors.New("no message to write, want at least one")
	}
	buffered := bufio.NewWriter(w)
	buffered.WriteString(header + "\n") // an error stays until Flush
	var line []byte
	for _, row := range rows {
		var err error
		if line, err = appendRow(line[:0], row); err != nil {
			return err
		}
		buffered.Write(append(line, '\n'))
	}
	return buffered.Flush()
}

func appendMessage(line []byte, m Message) ([]byte, error) {
	switch {
	case int(m.Type) >= len(messageTypes):
		return nil, fmt.Errorf("message %d: type %v, want %s", m.ID, m.Type, typesWanted)
	case m.Source < 0 || m.Dest < 0 || m.Source == m.Dest:
		return nil, fmt.Errorf("message %d: from node %d to node %d, want two nodes from 0 on", m.ID, m.Source, m.Dest)
	case m.Bytes < 1:
		return nil, fmt.Errorf("message %d: %d bytes, want at least 1", m.ID, m.Bytes)
	case m.Start < 0:
		return nil, fmt.Errorf("message %d: start %d ps, want at least 0", m.ID, m.Start)
	case m.Class != 0:
		return nil, fmt.Errorf("message %d: class %d, want 0: traces have no classes", m.ID, m.Class)
	}
	line = strconv.AppendUint(line, m.ID, 10)
	line = append(append(line, ','), m.Type.String()...)
	for _, n := range []int{m.Source, m.Dest, m.Bytes} {
		line = strconv.AppendInt(append(line, ','), int64(n), 10)
	}
	return appendNs(append(line, ','), m.Start), nil
}
