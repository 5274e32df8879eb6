package claims_test

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
)

// sample has an outcome of each kind: two as recorded that hold or deviate, one regressed, one not modelled, one in
// error.
func sample(t *testing.T) *claims.Report {
	t.Helper()
	tx := holding("edm/table1/pcs/tx")
	tx.Note = "The table's path, gearbox left out."
	measured := exact(128, 25, "ns")
	measured.Detail = "edge 7 -> edge 9, 1000 blocks"
	measured.Rows = []claims.Row{
		{Kind: claims.Part, Label: "encoder", Exact: big.NewRat(64, 25)},
		{Kind: claims.Part, Label: "scrambler_58", Exact: big.NewRat(64, 25)},
	}
	tx.Measure = gives(measured)

	read := claims.Claim{
		ID: "edm/fig8a/read", Source: "EDM Fig. 8a", Text: "Reads stay within 1.2 of unloaded | at load 0.9.",
		Printed: "within 1.2x",
		Judge:   claims.AtMost("1.2", ""), Measure: gives(approx(1.31415, "")), Expect: claims.Deviates,
		Reason:   "Control blocks count as load here, so 0.9 is the capacity of the link and not below it.",
		Recorded: claims.Within("1.31", "0.01", ""),
	}
	throughput := claims.Claim{
		ID: "shoal/fig9/throughput", Source: "Shoal Fig. 9", Text: "Half the rate, *and* no less.", Printed: "about 50 %",
		Judge: claims.Within("50", "5%", "%"), Measure: gives(exact(400, 7, "%")), Expect: claims.Holds,
	}
	area := claims.Claim{
		ID: "edm/table3/area", Source: "EDM Table 3", Text: "The host stack is small.", Printed: "1.4 %",
		Expect: claims.NotModelled, Reason: "Area is not behaviour.",
	}
	broken := holding("edm/table1/pcs/rx")
	broken.Measure = func(context.Context, *claims.Run) (claims.Measurement, error) {
		return claims.Measurement{}, errors.New("no block lock after 64 <sync> headers")
	}
	return verify(t, claims.Options{Seed: 7}, tx, read, throughput, area, broken)
}

// requireText compares reports; expected texts begin with a line break, for the eye, and have ^ for a backtick.
func requireText(t *testing.T, want string, write func(*strings.Builder) error) {
	t.Helper()
	for range 2 { // a report does not change by being written
		var got strings.Builder
		require.NoError(t, write(&got))
		if diff := cmp.Diff(strings.ReplaceAll(strings.TrimPrefix(want, "\n"), "^", "`"), got.String()); diff != "" {
			t.Fatalf("report differs (-want +got):\n%s", diff)
		}
	}
}

func TestSummary(t *testing.T) {
	require.Equal(
		t, "5 claims: 1 holds, 1 deviates as recorded, 0 given, 1 not modelled, 2 unexpected", sample(t).Summary(),
	)
	require.False(t, sample(t).OK())

	report := verify(t, claims.Options{}, holding("a/b"))
	require.Equal(t, "1 claim: 1 holds, 0 deviate as recorded, 0 given, 0 not modelled, 0 unexpected", report.Summary())
	require.True(t, report.OK())
}

func TestText(t *testing.T) {
	report := sample(t)
	requireText(t, `
Claim                  Source        Printed      Measured         Verdict       Record
──────────────────────────────────────────────────────────────────────────────────────────
edm/table1/pcs/tx      EDM Table 1   5.12 ns      5.12 ns          holds
edm/fig8a/read         EDM Fig. 8a   within 1.2x  1.314            deviates
shoal/fig9/throughput  Shoal Fig. 9  about 50 %   400/7 ≈ 57.14 %  deviates      ≠ holds
edm/table3/area        EDM Table 3   1.4 %                         not modelled
edm/table1/pcs/rx      EDM Table 1   5.12 ns                       ERROR         ≠ holds

Unexpected
  shoal/fig9/throughput
      recorded as holds, but 400/7 ≈ 57.14 % deviates (wanted: 50 % ± 5 % of that)
  edm/table1/pcs/rx
      measurement failed: no block lock after 64 <sync> headers

Deviations on record
  edm/fig8a/read
      Control blocks count as load here, so 0.9 is the capacity of the link and not below it.

Not modelled
  edm/table3/area
      Area is not behaviour.

5 claims: 1 holds, 1 deviates as recorded, 0 given, 1 not modelled, 2 unexpected (seed 7)
`, func(b *strings.Builder) error { return report.WriteText(b, claims.Layout{}) })
}

func TestTextVerboseInAWidth(t *testing.T) {
	report := sample(t)
	const width = 80
	requireText(t, `
Claim                Source      Printed     Measured     Verdict      Record
────────────────────────────────────────────────────────────────────────────────
edm/table1/pcs/tx    EDM Table   5.12 ns     5.12 ns      holds
                     1
edm/fig8a/read       EDM Fig.    within      1.314        deviates
                     8a          1.2x
shoal/fig9/          Shoal Fig.  about 50 %  400/7 ≈      deviates     ≠ holds
throughput           9                       57.14 %
edm/table3/area      EDM Table   1.4 %                    not
                     3                                    modelled
edm/table1/pcs/rx    EDM Table   5.12 ns                  ERROR        ≠ holds
                     1

Unexpected
  shoal/fig9/throughput
      recorded as holds, but 400/7 ≈ 57.14 % deviates (wanted: 50 % ± 5 % of
      that)
  edm/table1/pcs/rx
      measurement failed: no block lock after 64 <sync> headers

Deviations on record
  edm/fig8a/read
      Control blocks count as load here, so 0.9 is the capacity of the link and
      not below it.

Not modelled
  edm/table3/area
      Area is not behaviour.

Details
  edm/table1/pcs/tx
      claim: The transmit path takes two cycles.
      wanted: exactly 5.12 ns
      measured: 5.12 ns
      counted: edge 7 -> edge 9, 1000 blocks
      note: The table's path, gearbox left out.
        encoder       2.56 ns
        scrambler_58  2.56 ns
  edm/fig8a/read
      claim: Reads stay within 1.2 of unloaded | at load 0.9.
      wanted: at most 1.2
      measured: 1.31415
      counted: counted
      on record: 1.31 ± 0.01
  shoal/fig9/throughput
      claim: Half the rate, *and* no less.
      wanted: 50 % ± 5 % of that
      measured: 400/7 ≈ 57.14 %
      counted: counted
  edm/table3/area
      claim: The host stack is small.
  edm/table1/pcs/rx
      claim: The transmit path takes two cycles.
      wanted: exactly 5.12 ns

5 claims: 1 holds, 1 deviates as recorded, 0 given, 1 not modelled, 2 unexpected
(seed 7)
`, func(b *strings.Builder) error { return report.WriteText(b, claims.Layout{Width: width, Verbose: true}) })

	for w := 75; w < 140; w++ {
		var b strings.Builder
		require.NoError(t, report.WriteText(&b, claims.Layout{Width: w}))
		for line := range strings.Lines(b.String()) {
			require.True(
				t, len([]rune(strings.TrimSuffix(line, "\n"))) <= w || strings.HasPrefix(line, "5 claims"), "width %d: %s",
				w, line,
			)
			require.Equal(t, strings.TrimRight(line, " \n")+"\n", line, "trailing space")
		}
	}
}

func TestTextIDsBreakAtASlash(t *testing.T) {
	report := verify(t, claims.Options{}, holding("edm/figure8a/read/latency-over-unloaded-latency"))
	requireText(t, `
Claim                Source       Printed  Measured  Verdict  Record
──────────────────────────────────────────────────────────────────────
edm/figure8a/read/   EDM Table 1  5.12 ns  5.12 ns   holds
latency-over-unload
ed-latency

1 claim: 1 holds, 0 deviate as recorded, 0 given, 0 not modelled, 0
unexpected (seed 0)
`, func(b *strings.Builder) error { return report.WriteText(b, claims.Layout{Width: 70}) })
}

// Colours are there when asked for, whatever the environment says, and are the only difference.
func TestColour(t *testing.T) {
	report := sample(t)
	var plain, coloured strings.Builder
	require.NoError(t, report.WriteText(&plain, claims.Layout{}))
	require.NoError(t, report.WriteText(&coloured, claims.Layout{Colour: true}))
	require.NotContains(t, plain.String(), "\x1b")

	const red, green, yellow, faint, reset = "\x1b[31;1m", "\x1b[32m", "\x1b[33m", "\x1b[2m", "\x1b[0m"
	for _, want := range []string{
		green + "holds" + reset, yellow + "deviates" + reset, faint + "not modelled" + reset,
		red + "deviates" + reset, red + "ERROR" + reset, red + "≠ holds" + reset,
	} {
		require.Contains(t, coloured.String(), want)
	}
	stripped := strings.NewReplacer(red, "", green, "", yellow, "", faint, "", reset, "").Replace(coloured.String())
	require.Equal(t, plain.String(), stripped)
}

func TestMarkdown(t *testing.T) {
	report := sample(t)
	requireText(t, `
| Claim | Source | Printed | Measured | Verdict | Record |
| --- | --- | --- | --- | --- | --- |
| ^edm/table1/pcs/tx^ | EDM Table 1 | 5.12 ns | 5.12 ns | holds |  |
| ^edm/fig8a/read^ | EDM Fig. 8a | within 1.2x | 1.314 | deviates |  |
| ^shoal/fig9/throughput^ | Shoal Fig. 9 | about 50 % | 400/7 ≈ 57.14 % | **deviates** | ≠ holds |
| ^edm/table3/area^ | EDM Table 3 | 1.4 % |  | not modelled |  |
| ^edm/table1/pcs/rx^ | EDM Table 1 | 5.12 ns |  | **ERROR** | ≠ holds |

## Unexpected

- ^shoal/fig9/throughput^: recorded as holds, but 400/7 ≈ 57.14 % deviates (wanted: 50 % ± 5 % of that)
- ^edm/table1/pcs/rx^: measurement failed: no block lock after 64 &lt;sync> headers

## Deviations on record

- ^edm/fig8a/read^: Control blocks count as load here, so 0.9 is the capacity of the link and not below it.

## Not modelled

- ^edm/table3/area^: Area is not behaviour.

## Details

### ^edm/table1/pcs/tx^

- claim: The transmit path takes two cycles.
- wanted: exactly 5.12 ns
- measured: 5.12 ns
- counted: edge 7 -> edge 9, 1000 blocks
- note: The table's path, gearbox left out.

| Part | Figure |
| --- | --- |
| encoder | 2.56 ns |
| scrambler\_58 | 2.56 ns |

### ^edm/fig8a/read^

- claim: Reads stay within 1.2 of unloaded | at load 0.9.
- wanted: at most 1.2
- measured: 1.31415
- counted: counted
- on record: 1.31 ± 0.01

### ^shoal/fig9/throughput^

- claim: Half the rate, \*and\* no less.
- wanted: 50 % ± 5 % of that
- measured: 400/7 ≈ 57.14 %
- counted: counted

### ^edm/table3/area^

- claim: The host stack is small.

### ^edm/table1/pcs/rx^

- claim: The transmit path takes two cycles.
- wanted: exactly 5.12 ns

5 claims: 1 holds, 1 deviates as recorded, 0 given, 1 not modelled, 2 unexpected (seed 7)
`, func(b *strings.Builder) error { return report.WriteMarkdown(b, claims.Layout{Verbose: true}) })
}

// A drifted deviation has the verdict on record, so its mark names the figure.
func TestGiven(t *testing.T) {
	given := claims.Claim{
		ID: "edm/section4.2/dram", Source: "EDM §4.2", Text: "The memory answers after 82 ns.", Printed: "82 ns",
		Expect: claims.Given, Reason: "LocalDRAM is set to it.",
	}
	report := verify(t, claims.Options{}, holding("edm/a"), given)
	require.True(t, report.OK())
	requireText(t, `
Claim                Source       Printed  Measured  Verdict  Record
──────────────────────────────────────────────────────────────────────
edm/a                EDM Table 1  5.12 ns  5.12 ns   holds
edm/section4.2/dram  EDM §4.2     82 ns              given

Given by the paper
  edm/section4.2/dram
      LocalDRAM is set to it.

2 claims: 1 holds, 0 deviate as recorded, 1 given, 0 not modelled, 0 unexpected (seed 0)
`, func(b *strings.Builder) error { return report.WriteText(b, claims.Layout{}) })
	var markdown, machine strings.Builder
	require.NoError(t, report.WriteMarkdown(&markdown, claims.Layout{}))
	require.Contains(t, markdown.String(), "\n## Given by the paper\n\n- `edm/section4.2/dram`: LocalDRAM is set to it.\n")
	require.NoError(t, report.WriteJSON(&machine))
	require.Contains(t, machine.String(), `"given": 1,`)
	require.Contains(t, machine.String(), `"verdict": "given",`)

	given.Measure = gives(exact(82, 1, "ns"))
	_, err := claims.NewSet([]claims.Claim{given})
	require.EqualError(t, err, `claim "edm/section4.2/dram": Measure is there for a claim whose record is "given"`)
	given.Measure, given.Reason = nil, ""
	_, err = claims.NewSet([]claims.Claim{given})
	require.EqualError(t, err, `claim "edm/section4.2/dram": Reason is missing`)
}

func TestKindsOfRows(t *testing.T) {
	m := exact(128, 25, "ns")
	m.Rows = []claims.Row{
		{Kind: claims.Part, Label: "encoder", Exact: big.NewRat(64, 25)},
		{Kind: claims.Part, Label: "scrambler", Exact: big.NewRat(64, 25)},
		{Label: "bits", Value: 66, Unit: "bits"},
		{Kind: claims.Variant, Label: "with the gearbox", Value: 7.68},
		{Kind: claims.Point, Label: "at rest", Series: "core", At: 0, Value: 5.12},
		{Kind: claims.Point, Label: "half", Series: "paper", At: 0.5, Value: 6},
	}
	c := holding("edm/a")
	c.Measure = gives(m)
	report := verify(t, claims.Options{}, c)
	var b strings.Builder
	require.NoError(t, report.WriteJSON(&b))
	for _, want := range []string{`"kind": "part"`, `"kind": "variant"`,
		"\"kind\": \"point\",\n            \"label\": \"at rest\",\n            \"series\": \"core\",\n" +
			"            \"at\": 0,",
		"\"series\": \"paper\",\n            \"at\": 0.5,"} {
		require.Contains(t, b.String(), want)
	}
	m.Rows[1].Exact = big.NewRat(65, 25)
	c.Measure = gives(m)
	require.Equal(
		t, "measurement failed: the parts add up to 129/25, not to 128/25",
		verify(t, claims.Options{}, c).Results[0].Difference,
	)
	m.Rows[1].Exact, m.Rows[1].Value = nil, 2.56 // not all are exact
	c.Measure = gives(m)
	require.True(t, verify(t, claims.Options{}, c).OK())
	m.Rows[1].Value = 2.57
	c.Measure = gives(m)
	require.Regexp(
		t, "measurement failed: the parts add up to 5.13[0-9]*, not to 5.12",
		verify(t, claims.Options{}, c).Results[0].Difference,
	)
	m.Rows[1].Unit = "cycles"
	c.Measure = gives(m)
	require.Equal(
		t,
		`measurement failed: part "scrambler" is in "cycles", the sum in "ns"`,
		verify(t, claims.Options{}, c).Results[0].Difference,
	)
}

func TestMarkOfADriftedDeviation(t *testing.T) {
	c := holding("edm/a")
	c.Expect, c.Reason, c.Recorded, c.Measure = claims.Deviates, "Known.", claims.Exactly("6", "ns"),
		gives(exact(7, 1, "ns"))
	report := verify(t, claims.Options{}, c)
	requireText(t, `
| Claim | Source | Printed | Measured | Verdict | Record |
| --- | --- | --- | --- | --- | --- |
| ^edm/a^ | EDM Table 1 | 5.12 ns | 7 ns | **deviates** | ≠ exactly 6 ns |

## Unexpected

- ^edm/a^: deviates as recorded, but 7 ns is not the figure on record (exactly 6 ns)

## Deviations on record

- ^edm/a^: Known.

1 claim: 0 hold, 0 deviate as recorded, 0 given, 0 not modelled, 1 unexpected (seed 0)
`, func(b *strings.Builder) error { return report.WriteMarkdown(b, claims.Layout{}) })
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteErrorsAreReturned(t *testing.T) {
	report := sample(t)
	require.EqualError(t, report.WriteText(brokenWriter{}, claims.Layout{}), "disk full")
	require.EqualError(t, report.WriteMarkdown(brokenWriter{}, claims.Layout{}), "disk full")
	require.EqualError(t, report.WriteJSON(brokenWriter{}), "disk full")
}
