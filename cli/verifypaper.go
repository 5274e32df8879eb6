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

	"github.com/goldwire/goldwire/claims"
)

// paperState is a file with the results of `verify --paper`: a line of JSON with the program and the seed, and a line
// for each claim that is measured. A line that a kill cut short is measured again.
type paperState struct {
	file  *os.File
	known map[string]claims.Measurement
	err   error // the first in writing
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

// paperLine is one claim's result.
type paperLine struct {
	Claim  string             `json:"claim"`
	Result claims.Measurement `json:"result"`
}

// mostState bounds what a state file may have.
const mostState = 16 << 20

// openPaperState reads a state file and makes it ready for more lines; a file that is not there becomes a new one.
func openPaperState(path string, seed uint64) (*paperState, error) {
	program, err := thisProgram()
	if err != nil {
		return nil, fmt.Errorf("--state: %w", err)
	}
	head := paperHead{program, seed}
	s := &paperState{known: map[string]claims.Measurement{}}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("--state: %w", err)
	case !info.Mode().IsRegular() || info.Size() > mostState:
		return nil, fmt.Errorf("--state %s: want a file of at most %d MB", path, mostState>>20)
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
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil || l.Claim == "" {
			return nil, fmt.Errorf("--state %s:%d: want a claim and its result as JSON", path, n)
		}
		s.known[l.Claim] = l.Result
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

// ended keeps a result.
func (s *paperState) ended(id string, m claims.Measurement) {
	if s.err == nil {
		s.err = s.write(paperLine{id, m})
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
