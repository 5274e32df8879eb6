package cosim

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// ReportedError is RTL that agrees with the model and complains: of $error, $fatal, or a file that it does not find.
type ReportedError struct {
	Lines []string // as the simulator wrote them, the first ones
}

func (e *ReportedError) Error() string {
	more := ""
	if n := len(e.Lines) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return "the RTL reported: " + clip(e.Lines[0], 200) + more
}

// tail keeps the end of a process's output, for the user to read, and its first complaints. Nothing is parsed of the
// end: complaints are told line by line, as they come.
type tail struct {
	mu     sync.Mutex
	data   []byte // the end
	line   []byte // the one being written
	bad    []said
	marked int
	noise  bool
}

// said is a complaint, and the cycle in which it was written, where that is known.
type said struct {
	text  string
	cycle int
}

// unknownCycle is the cycle of a complaint after which no cycle was named.
const unknownCycle = -1

const (
	tailBytes     = 16 << 10
	tailLine      = 16 << 10 // names of files are shorter
	mostComplains = 20
)

// Lines of the harness's own.
const (
	lineMark  = "\x01mark"
	lineNoise = "\x01noise" // the RTL runs on noise: it may complain
	lineQuiet = "\x01quiet"
	lineFresh = "\x01fresh"  // a new RTL: what the last one complained of is not its own
	lineCycle = "\x01cycle " // and a number: lines since the last such line are of this cycle
	lineOpen  = "\x01"       // at the end of a line: the harness ended it, and what the RTL says next goes on with it
)

// complaint is how the simulators begin messages of $error, $fatal and $readmemh: Verilator "%Error: …", "[12] %Error:
// …", "%Warning: x.hex:0: $readmem file not found", Icarus "ERROR: …", "FATAL: …", "…: $readmemh: Unable to open x.hex
// for reading."
var complaint = regexp.MustCompile(
	`^(\[[^\]]*\] )?%(Error|Fatal)|^%Warning: .*\$readmem|^(ERROR|FATAL): |\$readmem[hb]:? .*[Uu]nable`,
)

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	for len(b) > 0 {
		part, rest, ended := bytes.Cut(b, []byte{'\n'})
		b = rest
		t.line = append(t.line, part[:min(len(part), max(0, tailLine-len(t.line)))]...)
		if ended {
			t.endLine()
		}
	}
	return n, nil
}

func (t *tail) endLine() {
	whole, open := strings.CutSuffix(string(t.line), lineOpen)
	text := strings.TrimRight(whole, "\r ")
	t.line = t.line[:0]
	switch text {
	case lineMark:
		t.marked++
		return
	case lineNoise, lineQuiet:
		t.noise = text == lineNoise
		return
	case lineFresh:
		t.bad = nil
		return
	}
	if number, ok := strings.CutPrefix(text, lineCycle); ok {
		cycle, err := strconv.Atoi(number)
		for i := len(t.bad) - 1; err == nil && i >= 0 && t.bad[i].cycle == unknownCycle; i-- {
			t.bad[i].cycle = cycle
		}
		return
	}
	if t.noise {
		return
	}
	if len(t.bad) < mostComplains && complaint.MatchString(text) {
		t.bad = append(t.bad, said{text, unknownCycle})
	}
	if open {
		t.data = append(t.data, whole...)
	} else if n := len(t.data); text != "" || n > 0 && t.data[n-1] != '\n' { // empty lines are left out
		t.data = append(append(t.data, text...), '\n')
	}
	if len(t.data) > tailBytes {
		t.data = append([]byte(nil), t.data[len(t.data)-tailBytes/2:]...)
	}
}

func (t *tail) marks() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.marked
}

// complaints returns the complaints that were not written after a cycle.
func (t *tail) complaints(last int) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var texts []string
	for _, b := range t.bad {
		if b.cycle <= last {
			texts = append(texts, b.text)
		}
	}
	return texts
}

// String returns the kept part of the output.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.data) + string(t.line)
}

// text returns its first complaint, or its last line, for an error message.
func (t *tail) text() string {
	lines := strings.Split(strings.TrimSpace(t.String()), "\n")
	if bad := t.complaints(math.MaxInt); len(bad) > 0 {
		lines = bad[:1]
	}
	if lines[0] == "" {
		return ""
	}
	return "; it said: " + clip(lines[len(lines)-1], 160)
}
