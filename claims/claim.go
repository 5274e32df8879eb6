package claims

import (
	"fmt"
	"regexp"
	"strings"
)

// Verdict is a claim's outcome, or its record.
type Verdict int

// The zero Verdict is none of these, so that a claim without a record is noticed.
const (
	Holds       Verdict = iota + 1 // the measured figure satisfies the judge
	Deviates                       // it does not
	NotModelled                    // the model has nothing to measure it on
	Given                          // a parameter of the model, taken from the paper; never measured
	Failed                         // the measurement failed; never on record
)

// String returns the verdict as reports print it.
func (v Verdict) String() string {
	switch v {
	case Holds:
		return "holds"
	case Deviates:
		return "deviates"
	case NotModelled:
		return "not modelled"
	case Given:
		return "given"
	case Failed:
		return "error"
	}
	return fmt.Sprintf("Verdict(%d)", int(v))
}

// Claim is one figure of one paper. All texts are a single line.
type Claim struct {
	// ID is a lower-case path of at least two elements, unique in its set: "edm/table1/pcs/tx".
	ID string
	// Source is the paper and the place in it: "EDM Table 1".
	Source string
	// Text is the claim in one sentence of our own.
	Text string
	// Printed is the figure as the paper prints it, "5.12 ns"; an equation or a word of it if it prints no figure. What we
	// compute ourselves is no claim of the paper: it belongs in a test.
	Printed string

	// Judge decides whether a measurement is what the paper claims. Optional for a claim that is given or not modelled.
	Judge Judge
	// Measure measures the figure on a running model. It is nil exactly when the claim is given or not modelled.
	Measure Measure

	// Expect is the verdict on record: Holds, Deviates, NotModelled or Given.
	Expect Verdict
	// Reason says why a claim deviates or is not modelled, or which parameter of which model has a given figure; it is
	// empty exactly when the claim holds.
	Reason string
	// Recorded, which only a deviating claim may have, is the figure the model is known to give instead.
	Recorded Judge
	// PaperPoint is the point at which the paper has the figure, if it depends on one: nodes, load, flows, runs. OwnPoint
	// is ours, if it is another; empty: the paper's. See [AtPoints].
	PaperPoint, OwnPoint string
	// PaperTakes is about how long Measure takes at the paper's point on two processors: "40 min". Empty: it cannot be
	// asked for it. Only a claim with an OwnPoint has one. See [Run.Paper].
	PaperTakes string
	// PaperFigure is the figure that Measure gave at the paper's point, where Judge refuses that figure; its Detail is the
	// day: Count(16, "cells", "27 November 2026"). The claim then deviates, whatever our own point gives. Only a claim
	// with PaperTakes has one.
	PaperFigure Measurement
	// Note, which any claim may have, is the reading or the profile chosen where the paper is silent.
	Note string
}

// Run is what a measurement gets from the runner. The zero Run has seed 0 and discards its log.
type Run struct {
	// Seed is the only source of randomness a measurement may use.
	Seed uint64
	// Paper asks a claim with [Claim.PaperTakes] for its figure at the paper's point, in place of its own.
	Paper bool

	logf func(format string, args ...any)
}

// Count returns how many flows, messages or runs a measurement has: our own number, or the paper's.
func (r *Run) Count(own, paper int) int {
	if r.Paper {
		return paper
	}
	return own
}

// Logf reports progress inside a long measurement. Nothing logged becomes part of a report.
func (r *Run) Logf(format string, args ...any) {
	if r.logf != nil {
		r.logf(format, args...)
	}
}

// An ID's elements begin with a letter or digit, so that "..." and "*" can only be patterns.
var validID = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*(/[a-z0-9][a-z0-9.-]*)+$`)

// refuted tells whether the claim has a PaperFigure.
func (c *Claim) refuted() bool { return c.PaperFigure.Detail != "" }

// paperFigure is the PaperFigure as reports show it, "16 cells on 27 November 2026", or empty.
func (c *Claim) paperFigure() string {
	if !c.refuted() {
		return ""
	}
	return c.PaperFigure.String() + " on " + c.PaperFigure.Detail
}

// faults lists everything that is wrong with the claim by itself.
func (c *Claim) faults() []error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }

	if strings.HasPrefix(c.Printed, "recomputed") {
		fault("Printed %q is a figure of our own; a claim is judged against the paper's", c.Printed)
	}
	if !validID.MatchString(c.ID) {
		fault(`ID %q is not a lower-case path such as "edm/table1/pcs/tx"`, c.ID)
	}
	for _, f := range []struct {
		name, text string
		required   bool
	}{
		{"Source", c.Source, true},
		{"Text", c.Text, true},
		{"Printed", c.Printed, true},
		{"Reason", c.Reason, c.Expect == Deviates || c.Expect == NotModelled || c.Expect == Given},
		{"Note", c.Note, false},
		{"PaperPoint", c.PaperPoint, c.OwnPoint != ""},
		{"OwnPoint", c.OwnPoint, c.PaperTakes != ""},
		{"PaperTakes", c.PaperTakes, c.refuted()},
	} {
		switch {
		case f.required && strings.TrimSpace(f.text) == "":
			fault("%s is missing", f.name)
		case strings.ContainsAny(f.text, "\r\n"):
			fault("%s is more than one line", f.name)
		}
	}

	switch c.Expect {
	case Holds, Deviates:
		if c.Measure == nil {
			fault("Measure is missing")
		}
		if c.Judge.isZero() {
			fault("Judge is missing")
		}
	case NotModelled, Given:
		if c.Measure != nil {
			fault("Measure is there for a claim whose record is %q", c.Expect)
		}
	default:
		fault("Expect is %v, want Holds, Deviates, NotModelled or Given", c.Expect)
	}
	if c.Expect == Holds && c.Reason != "" {
		fault("Reason is given for a claim that holds; a remark belongs in Note")
	}
	if c.refuted() {
		if c.Expect != Deviates {
			fault("PaperFigure is given for a claim that is not recorded as deviating")
		}
		if m, err := c.PaperFigure.complete(c.Judge.unit); err != nil {
			fault("PaperFigure: %w", err)
		} else if holds, err := c.Judge.judge(m); err != nil || holds {
			fault("PaperFigure is %s, which Judge does not refuse", m)
		}
	}
	if c.Judge.fault != nil {
		fault("Judge: %w", c.Judge.fault)
	}

	if !c.Recorded.isZero() {
		switch {
		case c.Expect != Deviates:
			fault("Recorded is given for a claim that is not recorded as deviating")
		case c.Recorded.fault != nil:
			fault("Recorded: %w", c.Recorded.fault)
		case c.Judge.fault == nil && c.Recorded.unit != c.Judge.unit:
			fault("Recorded is in %q, Judge in %q", c.Recorded.unit, c.Judge.unit)
		}
	}
	return faults
}
