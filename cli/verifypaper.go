package cli

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"github.com/goldwire/goldwire/claims"
)

// paperState is a file with the results of `verify --paper`: a line of JSON with the program and the seed, and a line
// for each claim, and for each run of an experiment that claims ask for. A line that a kill cut short is measured
// again.
//
//	{"goldwire":"v0.1.0, program 0123456789ab","seed":1}
//	{"run":"8a1f…","result":{"Short":{"Flows":28749,…},…}}
//	{"claim":"shoal/fig15a/mean/dctcp","result":{"value":1.18,…}}
type paperState struct {
	file  *os.File
	known map[string]claims.Measurement
	runs  map[string]json.RawMessage

	mu  sync.Mutex // of the file and err: claims and runs end at any time
	err error      // the first in writing
}

// paperHead is the first line: results of another program or seed are refused.
type paperHead struct {
	Program string `json:"goldwire"`
	Seed    uint64 `json:"seed"`
}

// thisProgram names the program by its version and its own bytes: another build may give other results.
func thisProgram() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return fmt.Sprintf("%s, program %x", version(), sum[:6]), nil
}

// paperLine is the result of a claim or of a run.
type paperLine struct {
	Claim  string          `json:"claim,omitempty"`
	Run    string          `json:"run,omitempty"` // [experiment.Records]
	Result json.RawMessage `json:"result"`
}

// mostState bounds what a state file may have.
const mostState = 64 << 20

// openPaperState reads a state file and makes it ready for more lines; a file that is not there becomes a new one.
func openPaperState(path string, seed uint64) (*paperState, error) {
	program, err := thisProgram()
	if err != nil {
		return nil, fmt.Errorf("--state: %w", err)
	}
	head := paperHead{program, seed}
	s := &paperState{known: map[string]claims.Measurement{}, runs: map[string]json.RawMessage{}}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("--state: %w", err)
	case !info.Mode().IsRegular() || info.Size() > mostState:
		return nil, fmt.Errorf("--state %s: want a regular file of at most %d MB", path, mostState>>20)
	}
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--state: %w", err)
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	lines := bufio.NewScanner(bytes.NewReader(whole))
	lines.Buffer(nil, mostState)
	for n := 1; lines.Scan(); n++ {
		if n == 1 {
			var h paperHead
			if err := json.Unmarshal(lines.Bytes(), &h); err != nil || h.Program == "" {
				return nil, fmt.Errorf("--state %s:1: want the results of goldwire verify --paper", path)
			}
			if h != head {
				return nil, fmt.Errorf("--state %s: results of goldwire %s with seed %d, want those of %s with seed %d",
					path, h.Program, h.Seed, head.Program, head.Seed)
			}
			continue
		}
		var l paperLine
		var m claims.Measurement
		err := json.Unmarshal(lines.Bytes(), &l)
		switch {
		case err == nil && l.Run != "" && l.Claim == "" && len(l.Result) > 0:
			s.runs[l.Run] = l.Result
		case err == nil && l.Claim != "" && l.Run == "" && json.Unmarshal(l.Result, &m) == nil:
			s.known[l.Claim] = m
		default:
			return nil, fmt.Errorf("--state %s:%d: want a claim or a run and its result as JSON", path, n)
		}
	}
	if s.file, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666); err != nil {
		return nil, fmt.Errorf("--state: %w", err)
	}
	if err = s.file.Truncate(int64(len(whole))); err == nil {
		_, err = s.file.Seek(int64(len(whole)), 0)
	}
	if err == nil && len(whole) == 0 {
		err = s.write(head)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("--state: %w", err), s.file.Close())
	}
	return s, nil
}

func (s *paperState) write(line any) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = s.file.Write(append(text, '\n'))
	return err
}

// ended keeps a claim's result.
func (s *paperState) ended(id string, m claims.Measurement) {
	text, err := json.Marshal(m)
	s.keep(paperLine{Claim: id, Result: text}, err)
}

// ran keeps a run's result.
func (s *paperState) ran(key string, result json.RawMessage) {
	s.keep(paperLine{Run: key, Result: result}, nil)
}

func (s *paperState) keep(l paperLine, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err = errors.Join(s.err, err); s.err == nil {
		s.err = s.write(l)
	}
}

// close reports the first result that could not be kept.
func (s *paperState) close() error { return errors.Join(s.err, s.file.Close()) }

// atPaper keeps the claims that can be measured at the paper's own point.
func atPaper(set *claims.Set) (*claims.Set, error) {
	var kept []claims.Claim
	for c := range set.All() {
		if c.PaperTakes != "" {
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 {
		return nil, errors.New("--paper: no claim among these can be measured at another point than its own")
	}
	return claims.NewSet(kept)
}
