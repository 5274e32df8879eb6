package claims_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
)

func ids(set *claims.Set) []string {
	var out []string
	for c := range set.All() {
		out = append(out, c.ID)
	}
	return out
}

func TestSetReportsEveryFaultAtOnce(t *testing.T) {
	bad := holding("edm/bad")
	bad.Judge = claims.Exactly("5,12", "ns")
	bad.Reason = "because"
	bad.Text = "two\nlines"

	deviating := holding("edm/deviating")
	deviating.Expect = claims.Deviates
	deviating.Reason = "  "
	deviating.Recorded = claims.AtMost("6", "cycles")

	recorded := holding("edm/recorded")
	recorded.Recorded = claims.AtMost("6", "ns")

	unreadable := holding("edm/unreadable")
	unreadable.Expect, unreadable.Reason = claims.Deviates, "known"
	unreadable.Recorded = claims.Within("0", "2%", "ns")

	missing := holding("edm/missing")
	missing.Expect = claims.NotModelled

	ours := holding("edm/ours")
	ours.Printed = "recomputed: 5.12 ns"

	failing := holding("edm/failing")
	failing.Expect = claims.Failed

	_, err := claims.NewSet(
		[]claims.Claim{holding("edm/a"), {}, holding("EDM/a"), bad},
		[]claims.Claim{
			holding("edm/a"), deviating, recorded, unreadable, missing, ours, failing, {ID: "edm/none", Expect: claims.Holds},
		},
	)
	require.Error(t, err)
	require.Equal(t, strings.TrimSpace(`
claim number 2: ID "" is not a lower-case path such as "edm/table1/pcs/tx"
claim number 2: Source is missing
claim number 2: Text is missing
claim number 2: Printed is missing
claim number 2: Expect is Verdict(0), want Holds, Deviates, NotModelled or Given
claim "EDM/a": ID "EDM/a" is not a lower-case path such as "edm/table1/pcs/tx"
claim "edm/bad": Text is more than one line
claim "edm/bad": Reason is given for a claim that holds; a remark belongs in Note
claim "edm/bad": Judge: "5,12" is not a number such as "5.12" or "51200/33"
claim "edm/a": ID is used twice
claim "edm/deviating": Reason is missing
claim "edm/deviating": Recorded is in "cycles", Judge in "ns"
claim "edm/recorded": Recorded is given for a claim that is not recorded as deviating
claim "edm/unreadable": Recorded: tolerance "2%" around "0"
claim "edm/missing": Reason is missing
claim "edm/missing": Measure is there for a claim whose record is "not modelled"
claim "edm/ours": Printed "recomputed: 5.12 ns" is a figure of our own; a claim is judged against the paper's
claim "edm/failing": Expect is error, want Holds, Deviates, NotModelled or Given
claim "edm/none": Source is missing
claim "edm/none": Text is missing
claim "edm/none": Printed is missing
claim "edm/none": Measure is missing
claim "edm/none": Judge is missing
`), err.Error())
}

func TestEmptySetIsRefused(t *testing.T) {
	_, err := claims.NewSet(nil, []claims.Claim{})
	require.EqualError(t, err, "a set without claims verifies nothing")
}

func TestIDs(t *testing.T) {
	for id, valid := range map[string]bool{
		"edm/table1/pcs/tx": true,
		"rifl/f-256":        true,
		"edm/load-0.9":      true,
		"8023/49":           true,
		"edm":               false,
		"/edm/a":            false,
		"edm//a":            false,
		"edm/a/":            false,
		"edm/Table1":        false,
		"edm/...":           false,
		"edm/*":             false,
		"edm/a b":           false,
		"edm/a\n":           false,
		"edm/µ":             false,
	} {
		_, err := claims.NewSet([]claims.Claim{holding(id)})
		require.Equal(t, valid, err == nil, id)
	}
}

func TestJudgesThatCannotJudge(t *testing.T) {
	for want, judge := range map[string]claims.Judge{
		`"" is not a number`:            claims.AtLeast("", "ns"),
		`"5.12 ns" is not a number`:     claims.AtMost("5.12 ns", "ns"),
		`"x" is not a number`:           claims.Within("1", "x", "ns"),
		`tolerance "-1" around "5"`:     claims.Within("5", "-1", "ns"),
		`tolerance "-1%" around "5"`:    claims.Within("5", "-1%", "ns"),
		`a shape without a predicate`:   claims.Shape("rises", "ns", nil),
		`a shape without a description`: claims.Shape(" ", "ns", func(claims.Measurement) bool { return true }),
		`a shape's description is more than one li`: claims.Shape("a\nb", "ns",
			func(claims.Measurement) bool { return true }),
	} {
		c := holding("a/b")
		c.Judge = judge
		_, err := claims.NewSet([]claims.Claim{c})
		require.ErrorContains(t, err, `claim "a/b": Judge: `+want)
	}
}

func TestFilter(t *testing.T) {
	all := []string{"edm/table1/pcs/tx", "edm/table1/pcs/rx", "edm/table10/pcs", "edm/fig8a", "shoal/table1/slot"}
	var group []claims.Claim
	for _, id := range all {
		group = append(group, holding(id))
	}
	set, err := claims.NewSet(group)
	require.NoError(t, err)
	require.Equal(t, len(all), set.Len())

	for _, c := range []struct {
		patterns string
		want     []string
	}{
		{"", all},
		{"...", all},
		{"edm", all[:4]},
		{"edm/...", all[:4]},
		{"edm/*", all[:4]},
		{"edm/table1", all[:2]}, // not table10: elements are whole
		{"edm/table1/...", all[:2]},
		{"edm/table1*", all[:3]},
		{"*/table1", []string{all[0], all[1], all[4]}},
		{"edm/*/pcs", all[:3]},
		{"edm/table1/pcs/[rt]x", all[:2]},
		{"edm/fig8a", all[3:4]},
		{"edm/fig8a/...", all[3:4]},
		{"shoal edm/fig8a edm/f*", all[3:]}, // a union, in the set's order
	} {
		got, err := set.Filter(strings.Fields(c.patterns)...)
		require.NoError(t, err, c.patterns)
		require.Equal(t, c.want, ids(got), c.patterns)
	}
	require.Equal(t, all, ids(set), "filtering leaves the set as it was")
}

func TestFilterErrors(t *testing.T) {
	set, err := claims.NewSet([]claims.Claim{holding("edm/table1/tx"), holding("edm/table1/rx")})
	require.NoError(t, err)
	for _, c := range []struct {
		patterns []string
		want     string
	}{
		{[]string{"edm", "rifl/...", "edm/table1/tx/more"},
			"pattern \"rifl/...\" matches none of 2 claims, near it are edm/table1/rx, edm/table1/tx\n" +
				"pattern \"edm/table1/tx/more\" matches none of 2 claims, near it are edm/table1/tx, edm/table1/rx"},
		{[]string{"edm/[a"}, `pattern "edm/[a": syntax error in pattern`},
		{[]string{"rifl/table1/tx/[a"}, `pattern "rifl/table1/tx/[a": syntax error in pattern`},
		{[]string{""}, `pattern "": want elements with a slash between them, "..." only as the last`},
		{[]string{"/edm"}, `pattern "/edm": want elements with a slash between them, "..." only as the last`},
		{[]string{"edm/.../tx"}, `pattern "edm/.../tx": want elements with a slash between them, "..." only as the last`},
	} {
		_, err := set.Filter(c.patterns...)
		require.EqualError(t, err, c.want)
	}
}
