package sweep_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/sweep"
)

func TestValues(t *testing.T) {
	for text, want := range map[string]string{
		"1,2,4":                  "1 2 4",
		"srpt, fcfs":             "srpt fcfs",
		"1..5":                   "1 2 3 4 5",
		"7..7":                   "7",
		"-1..1":                  "-1 0 1",
		"0.1..0.5+0.1":           "0.1 0.2 0.3 0.4 0.5", // 0.1+0.2 is 0.30000000000000004 in float64
		"0..1+0.4":               "0 0.4 0.8",
		"128..2048*2":            "128 256 512 1024 2048",
		"1e-9..1e-5*10":          "1e-09 1e-08 1e-07 1e-06 1e-05",
		"1e-3..1e-1/3":           "0.001 0.01 0.1",
		"1..10/4":                "1 2.154 4.642 10",
		"1..12345.6/3":           "1 111.1 12345.6", // the ends stay as they are
		"0.5..0.5+1":             "0.5",
		"10ns..30ns+10ns":        "10ns 20ns 30ns",
		"1ns..3ns":               "1ns 2ns 3ns",
		"0,1e-9..1e-7*10,1e-3":   "0 1e-09 1e-08 1e-07 1e-3",
		"../a/b.csv,x..y":        "../a/b.csv x..y",
		"fixed:64,hadoop":        "fixed:64 hadoop",
		"9007199254740993":       "9007199254740993", // more than a float64 holds
		"1000000000..1000000002": "1000000000 1000000001 1000000002",
	} {
		got, err := sweep.Values(text)
		require.NoError(t, err, text)
		require.Equal(t, strings.Fields(want), got, text)
	}
	for text, want := range map[string]string{
		"5..1-1":          ``,
		"NaN..5":          ``,
		"1..NaN":          ``,
		"1..1e999":        ``,
		"1..5+-1":         `"1..5+-1": want a step above 0`,
		"1..5+NaN":        `"1..5+NaN": want a number after +`,
		"1..inf+1":        `"1..inf+1": want a number after ..`,
		"1..1e99+1e-99":   `"1..1e99+1e-99": more than 10000 values`,
		"-2..-1/3":        `"-2..-1/3": want 2 to 10000 values and a start above 0`,
		"1..8/1e30":       `"1..8/1e30": want 2 to 10000 values and a start above 0`,
		"1e-9..1e-5":      `"1e-9..1e-5": want whole numbers, or a step: 0.1..0.9+0.2, 1e-9..1e-5*10`,
		"0.5..3":          `"0.5..3": want whole numbers, or a step: 0.1..0.9+0.2, 1e-9..1e-5*10`,
		"0..0.5":          `"0..0.5": want whole numbers, or a step: 0.1..0.9+0.2, 1e-9..1e-5*10`,
		"5..1":            `"5..1": want the lower end first`,
		"1..5+0":          `"1..5+0": want a step above 0`,
		"1..5+x":          `"1..5+x": want a number after +`,
		"1..8*1":          `"1..8*1": want a factor above 1 and a start above 0`,
		"0..8*2":          `"0..8*2": want a factor above 1 and a start above 0`,
		"1..8/1":          `"1..8/1": want 2 to 10000 values and a start above 0`,
		"1..8/2.5":        `"1..8/2.5": want 2 to 10000 values and a start above 0`,
		"1ns..8":          `"1ns..8": want the same unit at both ends, and after +`,
		"1ns..8us+1ns":    `"1ns..8us+1ns": want the same unit at both ends, and after +`,
		"1..b+1":          `"1..b+1": want a number after ..`,
		"1..1e9":          `"1..1e9": more than 10000 values`,
		"1..1e90*1.00001": `"1..1e90*1.00001": more than 200 factors`,
		"1..6000,1..6000": `more than 10000 values`,
	} {
		values, err := sweep.Values(text)
		if want == "" { // no range: the parameter refuses it
			require.NoError(t, err, text)
			require.Equal(t, []string{text}, values)
			p := plan()
			p.Vary[0].Values = values
			_, err = sweep.New(p, dice)
			require.ErrorContains(t, err, text+`: want 2 to 100`)
			continue
		}
		require.EqualError(t, err, want, text)
	}
}

func TestNumbers(t *testing.T) {
	n, err := sweep.ParseNumbers("3,8-11, 20")
	require.NoError(t, err)
	require.Equal(t, []int{3, 8, 9, 10, 11, 20}, n)
	require.Equal(t, "3,8-11,20", sweep.FormatNumbers(n))
	require.Equal(t, map[int]bool{8: true, 11: true}, sweep.Share{Index: 1, Of: 3}.Among(n[:5]))
	for _, bad := range []string{"", "-1", "3-2", "1,,2", "a", "0-100000", "5-"} {
		_, err := sweep.ParseNumbers(bad)
		require.Error(t, err, bad)
	}
	_, err = sweep.ParseNumbers(strings.Repeat("0-99999,", 2) + "1")
	require.ErrorContains(t, err, "more than 100000 numbers")
}
