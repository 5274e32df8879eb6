package claims

import (
	"fmt"
	"strings"
)

// Points are the points of a group of claims: all whose ID is the prefix, or begins with it and a slash.
type Points struct {
	Prefix string
	Paper  string // [Claim.PaperPoint]
	Own    string // [Claim.OwnPoint]
	Takes  string // [Claim.PaperTakes]
}

// AtPoints puts the points into the claims, so that a design has them in one table. The longest prefix counts. It
// panics if a prefix belongs to no claim: that is a mistake in the program.
func AtPoints(list []Claim, table ...Points) []Claim {
	used := make([]bool, len(table))
	for i := range list {
		best := -1
		for k, p := range table {
			if id := list[i].ID; id != p.Prefix && !strings.HasPrefix(id, p.Prefix+"/") {
				continue
			}
			used[k] = true
			if best < 0 || len(p.Prefix) > len(table[best].Prefix) {
				best = k
			}
		}
		if best >= 0 {
			p := &table[best]
			list[i].PaperPoint, list[i].OwnPoint, list[i].PaperTakes = p.Paper, p.Own, p.Takes
		}
	}
	for k, u := range used {
		if !u {
			panic(fmt.Sprintf("claims: no claim has the prefix %s", table[k].Prefix))
		}
	}
	return list
}

// point is the line of a verbose report.
func (c *Claim) point() string {
	switch {
	case c.PaperPoint == "":
		return ""
	case c.OwnPoint == "":
		return "the paper's: " + c.PaperPoint
	}
	s := c.OwnPoint + "; the paper's: " + c.PaperPoint
	if c.PaperTakes != "" {
		s += " (--paper, " + c.PaperTakes + ")"
	}
	return s
}
