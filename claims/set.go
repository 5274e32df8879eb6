package claims

import (
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/internal/suggest"
)

// Set is a list of claims that are complete and have distinct IDs.
type Set struct {
	claims []Claim
}

// NewSet joins groups of claims, keeping their order, which is the report's too. The error lists every fault of every
// claim, one a line.
func NewSet(groups ...[]Claim) (*Set, error) {
	s := &Set{claims: slices.Concat(groups...)}
	if len(s.claims) == 0 {
		return nil, errors.New("a set without claims verifies nothing")
	}
	var faults []error
	seen := make(map[string]bool)
	for i := range s.claims {
		c := &s.claims[i]
		for _, fault := range c.faults() {
			name := fmt.Sprintf("claim %q", c.ID)
			if c.ID == "" {
				name = fmt.Sprintf("claim number %d", i+1)
			}
			faults = append(faults, fmt.Errorf("%s: %w", name, fault))
		}
		if c.ID != "" && seen[c.ID] {
			faults = append(faults, fmt.Errorf("claim %q: ID is used twice", c.ID))
		}
		seen[c.ID] = true
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return s, nil
}

// Len returns the number of claims.
func (s *Set) Len() int { return len(s.claims) }

// All yields the claims in order.
func (s *Set) All() iter.Seq[Claim] { return slices.Values(s.claims) }

// Filter returns the claims that match at least one pattern, in the order of s; without patterns, all.
//
// A pattern names a claim or everything below a path; its elements may have the wildcards of [path.Match], which do not
// match a slash. "edm", "edm/..." and "edm/*" are the whole of EDM, "edm/*/pcs" is the PCS in all its tables. A pattern
// that is malformed or matches nothing is an error.
func (s *Set) Filter(patterns ...string) (*Set, error) {
	if len(patterns) == 0 {
		return s, nil
	}
	kept, err := selected(s.claims, func(c *Claim) string { return c.ID }, patterns)
	if err != nil {
		return nil, err
	}
	return &Set{claims: kept}, nil
}

// selected returns the claims whose IDs match at least one pattern.
func selected[C any](list []C, id func(*C) string, patterns []string) ([]C, error) {
	ids, keep := make([]string, len(list)), make([]bool, len(list))
	for i := range list {
		ids[i] = id(&list[i])
	}
	var faults []error
	for _, pattern := range patterns {
		found := false
		for i := range ids {
			ok, err := match(pattern, ids[i])
			if err != nil {
				return nil, fmt.Errorf("pattern %s: %w", suggest.Quote(pattern), err)
			}
			keep[i] = keep[i] || ok
			found = found || ok
		}
		if !found {
			faults = append(
				faults,
				fmt.Errorf("pattern %s matches none of %d claims, near it are %s", suggest.Quote(pattern), len(ids),
					strings.Join(suggest.Names(pattern, ids), ", ")),
			)
		}
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	var kept []C
	for i, c := range list {
		if keep[i] {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// match compares element by element; what the ID has beyond the pattern does not matter.
func match(pattern, id string) (bool, error) {
	elements := strings.Split(id, "/")
	globs := strings.Split(pattern, "/")
	if last := len(globs) - 1; globs[last] == "..." {
		globs = globs[:last]
	}
	matched := len(globs) <= len(elements)
	for i, glob := range globs {
		if glob == "" || glob == "..." {
			return false, errors.New(`want elements with a slash between them, "..." only as the last`)
		}
		element := ""
		if i < len(elements) {
			element = elements[i]
		}
		ok, err := path.Match(glob, element)
		if err != nil {
			return false, err
		}
		matched = matched && ok
	}
	return matched, nil
}
