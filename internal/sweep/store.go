package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/internal/output"
)

// Store is a directory with a plan and results:
//
//	plan.json            what is asked for
//	inputs/              files that the experiment reads
//	results/1f/1f6c….json  what came out, by the key of the point
//	times/1f/1f6c….json    how long it took, and where
type Store struct{ Dir string }

// CheckOwn refuses a directory that holds other files and no plan: a sweep would be mixed with them. It need not be
// there yet.
func (s Store) CheckOwn() error {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Lstat(s.PlanPath()); err == nil {
		_, err := ReadPlan(s.PlanPath())
		return err
	}
	for _, e := range entries {
		if !slices.Contains([]string{"inputs", "results", "times"}, e.Name()) || !e.IsDir() {
			return fmt.Errorf("%s: it holds %s and no plan: want an empty directory, or a sweep's", s.Dir,
				experiment.Quote(e.Name()))
		}
	}
	return nil
}

// record is the file of a result. It holds the identity of its point, which tells it from another point's, and the
// checksum of the outcome, which shows a change.
type record struct {
	Identity json.RawMessage `json:"identity"`
	SHA256   string          `json:"sha256"` // of the outcome, or of the error's text
	Outcome  json.RawMessage `json:"outcome,omitempty"`
	Error    string          `json:"error,omitempty"` // what kept the experiment from an outcome
}

// mostResult is how long the file of a result may be, in bytes.
const mostResult = 256 << 20

// Result is the outcome of a point.
type Result struct {
	// Outcome is what `goldwire run --json` prints, without its spaces; empty if there is an Error.
	Outcome json.RawMessage
	// Error is what kept the experiment from an outcome.
	Error string
	// Failed are the checks that failed.
	Failed []string
}

// ok tells whether all checks passed.
func (r *Result) ok() bool { return r.Error == "" && len(r.Failed) == 0 }

// Faults are the error or the checks that failed.
func (r *Result) Faults() []string {
	if r.Error != "" {
		return []string{r.Error}
	}
	return r.Failed
}

func (s Store) path(kind, key string) string {
	return filepath.Join(s.Dir, kind, key[:2], key+".json")
}

// PlanPath is the file of the plan.
func (s Store) PlanPath() string { return filepath.Join(s.Dir, "plan.json") }

// encode writes the file of a result.
func encode(pt *Point, r *Result) ([]byte, error) {
	what, fault := []byte(r.Outcome), strings.ToValidUTF8(r.Error, "\uFFFD") // as JSON has it
	if fault != "" {
		what = []byte(fault)
	}
	sum := sha256.Sum256(what)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(record{pt.identity, hex.EncodeToString(sum[:]), r.Outcome, fault})
	return b.Bytes(), err
}

// decode is the inverse of encode. It returns an error for a file that is not the result of the point.
func decode(data []byte, pt *Point) (*Result, error) {
	var rec record
	if err := json.Unmarshal(data, &rec); err != nil {
		return nil, fmt.Errorf("no result of a sweep, or not the whole of one: %w", err)
	}
	if !bytes.Equal(rec.Identity, pt.identity) {
		return nil, errors.New("the result of another point than its name says")
	}
	r := &Result{Outcome: rec.Outcome, Error: rec.Error}
	what := []byte(r.Outcome)
	if r.Error != "" {
		what = []byte(r.Error)
	}
	if sum := sha256.Sum256(what); hex.EncodeToString(sum[:]) != rec.SHA256 || len(what) == 0 {
		return nil, errors.New("its checksum is another: the file was changed")
	}
	if r.Error == "" {
		var envelope struct {
			Failed []string `json:"failed"`
		}
		if err := json.Unmarshal(r.Outcome, &envelope); err != nil {
			return nil, fmt.Errorf("its outcome: %w", err)
		}
		r.Failed = envelope.Failed
	}
	return r, nil
}

// has tells whether there is a result of the point, without reading it.
func (s Store) has(pt *Point) bool {
	_, err := os.Stat(s.path("results", pt.Key))
	return err == nil
}

// Get returns the result of a point, nil if there is none.
func (s Store) Get(pt *Point) (*Result, error) {
	path := s.path("results", pt.Key)
	data, err := input.Read(path, mostResult)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r, err := decode(data, pt)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// ErrDiffers is in the error of a result that differs from the stored one: the same point gave other bytes.
var ErrDiffers = errors.New("the same point gave another result before")

// Put writes the result of a point. If there is one already, both must be the same, byte for byte: a model's result
// does not depend on the machine. If they are not, the new one is kept beside the old one, with the ending .differs.
func (s Store) Put(pt *Point, r *Result, took time.Duration) error {
	data, err := encode(pt, r)
	if err != nil {
		return err
	}
	host, _ := os.Hostname() // for the eye
	times, err := json.Marshal(map[string]any{"seconds": took.Seconds(), "host": host})
	if err != nil {
		return err
	}
	if err := s.put(pt, data); err != nil {
		return err
	}
	return writeInto(s.path("times", pt.Key), append(times, '\n'))
}

func (s Store) put(pt *Point, data []byte) error {
	path := s.path("results", pt.Key)
	old, err := input.Read(path, mostResult)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return writeInto(path, data)
	case err != nil:
		return err
	case bytes.Equal(old, data):
		return nil
	}
	if _, err := decode(old, pt); err != nil {
		return fmt.Errorf("%s: %w: remove it", path, err)
	}
	beside := strings.TrimSuffix(path, ".json") + ".differs"
	if err := writeInto(beside, data); err != nil {
		return err
	}
	return fmt.Errorf("point %d: %w: %s and %s; the model depends on more than its parameters and its seed", pt.Number,
		ErrDiffers, path, beside)
}

// differs returns the file with the other result of a point, empty if there is none.
func (s Store) differs(pt *Point) string {
	path := strings.TrimSuffix(s.path("results", pt.Key), ".json") + ".differs"
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

// Take adds the results of the sweep's points that another store has, and returns how many this one had not.
func (s Store) Take(from Store, of *Sweep) (added int, err error) {
	for c := range of.combinations() {
		for n := range of.Seeds.most() {
			pt, err := of.point(c, n)
			if err != nil {
				return added, err
			}
			path := from.path("results", pt.Key)
			data, err := input.Read(path, mostResult)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return added, err
			}
			if _, err := decode(data, pt); err != nil {
				return added, fmt.Errorf("%s: %w", path, err)
			}
			if !s.has(pt) {
				added++
			}
			if err := s.put(pt, data); err != nil {
				return added, err
			}
		}
	}
	return added, nil
}

// writeInto writes a file whole, and makes its directory.
func writeInto(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return output.WriteFile(path, data)
}
