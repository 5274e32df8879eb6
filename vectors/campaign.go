package vectors

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/internal/output"
	"github.com/goldwire/goldwire/rtl"
)

// The stimulus of a unit's golden file.
const (
	GoldenCycles = 4096
	GoldenSeed   = 1
)

// Campaign holds the verdicts on mutants of a unit's reference RTL under the rows of its golden file, and the rows
// that were added to the stimulus. It lies beside the golden file, as MODULE.mutants.json; goldwire mutants --record
// writes it.
type Campaign struct {
	Module    string   `json:"module"`     // the unit's name
	DecidedBy string   `json:"decided_by"` // see [CampaignKey]
	Asked     int      `json:"asked"`      // most mutants
	Seconds   float64  `json:"seconds"`    // of the processor, for each search
	Mutants   *Mutants `json:"mutants"`
	Cycles    int      `json:"cycles"` // rows in all
	Inputs    []string `json:"inputs"` // fields of a row below
	// Directed are the rows after the stimulus: the values of the inputs, in hexadecimal. "500 x " before them repeats a
	// row.
	Directed []string `json:"directed"`
	// Restarts are short runs beside those rows, each from the reset on, whose first row stands in the reset too. They
	// show mutants that need other inputs in the reset, or other inputs soon after it.
	Restarts [][]string `json:"from_reset,omitempty"`
}

// CampaignFile is where the campaign of a unit lies in the folder of its golden file.
func (u Unit) CampaignFile() string { return u.Module() + ".mutants.json" }

// NewCampaign makes a campaign of a set, whose first rows are the stimulus's, and of runs from the reset on.
func NewCampaign(u Unit, stimulus, all *Set, runs []*Set, asked int, seconds float64) *Campaign {
	c := &Campaign{Module: u.Name, DecidedBy: CampaignKey(u, stimulus, asked), Asked: asked, Seconds: seconds,
		Mutants: all.Mutants,
		Cycles:  len(all.Rows), Directed: []string{}}
	for _, f := range all.Fields {
		if f.Dir == rtl.Input {
			c.Inputs = append(c.Inputs, f.Name)
		}
	}
	c.Directed = all.inputs(all.Rows[len(stimulus.Rows):])
	for _, run := range runs {
		c.Restarts = append(c.Restarts, run.inputs(run.Rows))
	}
	return c
}

// inputs writes the inputs of rows, a line for each that differs from the one before.
func (s *Set) inputs(rows [][]uint64) []string {
	list := []string{}
	for _, row := range rows {
		var values []string
		for i, f := range s.Fields {
			if f.Dir == rtl.Input {
				values = append(values, strconv.FormatUint(row[i], 16))
			}
		}
		list = append(list, strings.Join(values, " "))
	}
	return repeated(list)
}

// repeated writes rows that follow each other and are equal as one.
func repeated(rows []string) []string {
	list := []string{}
	for i := 0; i < len(rows); {
		k := i
		for k < len(rows) && rows[k] == rows[i] {
			k++
		}
		text := rows[i]
		if k-i > 1 {
			text = fmt.Sprintf("%d x %s", k-i, text)
		}
		list = append(list, text)
		i = k
	}
	return list
}

// mostDirected bounds what a file may want.
const mostDirected = 1_000_000

// comment is what a line of Verilog says beside the code.
var comment = regexp.MustCompile(`[ \t]*//.*`)

// CampaignKey is a checksum of everything that decides a campaign's verdicts: the number of mutants, the reference RTL
// without its comments, the unit's ports and rules, and the rows of the stimulus.
func CampaignKey(u Unit, stimulus *Set, asked int) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "campaign 1, %d mutants\n%s\n%s\n%s\n", asked, u.Name, comment.ReplaceAllString(u.RTL, ""),
		comment.ReplaceAllString(u.Environment, ""))
	for _, of := range []map[string]string{u.Ready, u.Valid} {
		for _, key := range slices.Sorted(maps.Keys(of)) {
			fmt.Fprintf(sum, "%s: %s\n", key, of[key])
		}
		fmt.Fprintln(sum)
	}
	for _, f := range stimulus.Fields {
		fmt.Fprintf(sum, "%v %s %d %s\n", f.Dir, f.Name, f.Width, f.Valid)
	}
	for _, row := range stimulus.Rows {
		binary.Write(sum, binary.BigEndian, row)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// ReadCampaign reads a unit's campaign. Without a file it returns nil.
func ReadCampaign(path string, u Unit) (c *Campaign, err error) {
	defer func() { err = input.OneLine(err) }()
	text, err := input.Read(path, input.MostText)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c = &Campaign{}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(c); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := c.check(u); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

func (c *Campaign) check(u Unit) error {
	m := c.Mutants
	switch {
	case c.Module != u.Name:
		return fmt.Errorf("the campaign is of %.60q, want %s", c.Module, u.Name)
	case m == nil || m.Killed+m.Equal+len(m.Open) != m.Of:
		return errors.New("want mutants that are killed, proved equal or open, as many as there are")
	case m.Of < 1 || m.Killed < 0 || m.Equal < 0:
		return fmt.Errorf("%d mutants, %d killed and %d proved equal, want at least one in all", m.Of, m.Killed, m.Equal)
	case (m.Directed == 0) != (len(c.Directed) == 0):
		return fmt.Errorf("%d lines of rows that are added, for %d cycles", len(c.Directed), m.Directed)
	case m.Directed < len(c.Directed) || m.Directed > mostDirected || c.Cycles != GoldenCycles+m.Directed:
		return fmt.Errorf("%d cycles, of them %d added, want %d and at most %d that are added", c.Cycles, m.Directed,
			GoldenCycles, mostDirected)
	}
	for k, run := range c.Restarts {
		if len(run) == 0 {
			return fmt.Errorf("run %d from the reset has no rows", k)
		}
	}
	for _, x := range m.Open {
		if x.Mutant == "" || x.Reason == "" {
			return errors.New("an open mutant, want its name and the reason")
		}
	}
	return nil
}

// Write writes the campaign.
func (c *Campaign) Write(path string) error {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return output.WriteFile(path, append(text, '\n'))
}

// Extend returns the stimulus with the campaign's rows after it, all run through the model. It returns an error if the
// campaign is not of this unit and stimulus.
func (c *Campaign) Extend(u Unit, stimulus *Set) (*Set, error) {
	if err := c.isOf(u, stimulus); err != nil {
		return nil, err
	}
	all := *stimulus
	if all.Mutants = c.Mutants; len(c.Directed) == 0 {
		return &all, nil
	}
	rows, err := c.rows(u, stimulus, c.Directed)
	if err != nil {
		return nil, err
	}
	if all.Rows = append(slices.Clone(stimulus.Rows), rows...); len(all.Rows) != c.Cycles {
		return nil, fmt.Errorf("%s: the rows are not as many as it says, %d", u.CampaignFile(), c.Cycles)
	}
	return Replay(u, &all)
}

// Runs returns the campaign's runs from the reset on, all run through the model.
func (c *Campaign) Runs(u Unit, stimulus *Set) (runs []*Set, err error) {
	if err := c.isOf(u, stimulus); err != nil {
		return nil, err
	}
	for _, lines := range c.Restarts {
		run := *stimulus
		if run.Rows, err = c.rows(u, stimulus, lines); err != nil {
			return nil, err
		}
		answered, err := Replay(u, &run)
		if err != nil {
			return nil, err
		}
		runs = append(runs, answered)
	}
	return runs, nil
}

// isOf returns an error unless the campaign was made with this RTL, these ports and this stimulus.
func (c *Campaign) isOf(u Unit, stimulus *Set) error {
	if c.DecidedBy != CampaignKey(u, stimulus, c.Asked) {
		return fmt.Errorf(
			"unit %s: its RTL, its ports or its stimulus are no longer those of %s: run mutants %s --record . of the command "+
				"that has it, at the root, then GOLDWIRE_UPDATE=1 go test here",
			u.Name, u.CampaignFile(), u.Name,
		)
	}
	return nil
}

// rows reads lines of inputs as rows of the set's fields.
func (c *Campaign) rows(u Unit, of *Set, lines []string) (rows [][]uint64, err error) {
	for k, text := range lines {
		times := 1
		if count, rest, ok := strings.Cut(text, " x "); ok {
			n, err := strconv.Atoi(count)
			if err != nil || n < 1 || n > mostDirected-len(rows) {
				return nil, fmt.Errorf("%s: row %d: %.40q, want how often it comes", u.CampaignFile(), k, count)
			}
			times, text = n, rest
		}
		values := strings.Fields(text)
		if len(values) != len(c.Inputs) {
			return nil, fmt.Errorf("%s: row %d has %d values, want %d", u.CampaignFile(), k, len(values), len(c.Inputs))
		}
		row := make([]uint64, len(of.Fields))
		for i, name := range c.Inputs {
			x, err := strconv.ParseUint(values[i], 16, 64)
			column := of.Column(name)
			if err != nil || column < 0 {
				return nil, fmt.Errorf("%s: row %d: want hexadecimal values of inputs, not %.40q of %.40q",
					u.CampaignFile(), k, values[i], name)
			}
			row[column] = x
		}
		for range times {
			rows = append(rows, row)
		}
	}
	return rows, nil
}
