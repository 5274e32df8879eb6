// Package suggest finds the names that somebody may have meant, for error messages.
package suggest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

const (
	most   = 3  // names that are suggested
	quoted = 60 // bytes of a given text that are shown
)

// Names returns at most three of the names, nearest first: names that contain the given text, then names with the
// fewest edits to it, counted for the whole name or for its part after the last slash.
func Names(given string, names []string) []string {
	edits := func(name string) int {
		if given != "" && strings.Contains(name, given) {
			return 0
		}
		return min(distance(given, name), distance(given, name[strings.LastIndexByte(name, '/')+1:]))
	}
	if len(given) > quoted {
		given = given[:quoted] // no name is as long
	}
	sorted := slices.Clone(names)
	slices.SortStableFunc(sorted, func(a, b string) int { return cmp.Compare(edits(a), edits(b)) })
	return sorted[:min(most, len(sorted))]
}

// Quote quotes a given text, cut if it is long.
func Quote(given string) string {
	if len(given) > quoted {
		return strconv.Quote(given[:quoted]) + "… (" + strconv.Itoa(len(given)) + " bytes)"
	}
	return strconv.Quote(given)
}

// distance is Levenshtein's: the least number of bytes to insert, delete or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
