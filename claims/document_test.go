package claims_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
)

// written is the JSON form of the sample.
func written(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, sample(t).WriteJSON(&b))
	return b.String()
}

// A written document is read back, all of it.
func TestReadDocument(t *testing.T) {
	d, err := claims.ReadDocument(strings.NewReader(written(t)))
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(sample(t).Document(), d))
	require.Equal(t, claims.Summary{Claims: 5, Hold: 1, Deviate: 1, NotModelled: 1, Unexpected: 2}, d.Summary)
	require.Equal(t, "edge 7 -> edge 9, 1000 blocks", d.Claims[0].Measured.Detail)
	require.Equal(t, "128/25", d.Claims[0].Measured.Exact)
}

// A picture of the counted cycles goes along; a value that is no JSON fails the measurement.
func TestWave(t *testing.T) {
	m := exact(128, 25, "ns")
	m.Detail, m.Wave = "counted", []byte(`{"signal":[]}`)
	c := holding("a/b")
	c.Measure = gives(m)
	var b bytes.Buffer
	require.NoError(t, verify(t, claims.Options{}, c).WriteJSON(&b))
	d, err := claims.ReadDocument(&b)
	require.NoError(t, err)
	require.JSONEq(t, `{"signal":[]}`, string(d.Claims[0].Measured.Wave))
	m.Wave = []byte("p..")
	c.Measure = gives(m)
	require.ErrorContains(t, errors.New(verify(t, claims.Options{}, c).Results[0].Difference), "Wave is no JSON")
}

// A later version may add fields.
func TestReadDocumentOfALaterVersion(t *testing.T) {
	d, err := claims.ReadDocument(
		strings.NewReader(strings.Replace(written(t), `"seed": 7`, `"seed": 7, "colour": "green"`, 1)),
	)
	require.NoError(t, err)
	require.Equal(t, uint64(7), d.Seed)
}

// A document that contradicts itself is refused in one line.
func TestReadDocumentRefusals(t *testing.T) {
	for want, change := range map[string][2]string{
		`its schema is "goldwire-claims/2", want ` +
			`"goldwire-claims/1"`: {`goldwire-claims/1`, `goldwire-claims/2`},
		`there is no verdict "perhaps"`: {`"verdict": "holds"`, `"verdict": "perhaps"`},
		`claim edm/table1/pcs/tx: as_recorded is true, but its verdict is "holds" and on record is ` +
			`"deviates"`: {`"expect": "holds"`, `"expect": "deviates"`},
		`claim edm/table3/area: its verdict is "not modelled", and something was ` +
			`measured: true`: {"\"verdict\": \"not modelled\",\n      \"as_recorded\": true",
			"\"verdict\": \"not modelled\",\n      \"as_recorded\": true, \"measured\": {\"value\": 1}"},
		`part "encoder" is in "ps", the sum in "ns"`: {"\"unit\": \"ns\",\n            \"figure\": \"2.56 ns\"",
			"\"unit\": \"ps\",\n            \"figure\": \"2.56 ns\""},
		`its parts add up to 5.12, not to 5.13`: {`"value": 5.12`, `"value": 5.13`},
		`no verdict "error" can be on record`:   {`"expect": "holds"`, `"expect": "error"`},
		`is no ID of a claim`:                   {`"id": "edm/table1/pcs/tx"`, `"id": "<edm>"`},
		`claim edm/fig8a/read is there twice`:   {`"id": "edm/table1/pcs/tx"`, `"id": "edm/fig8a/read"`},
		`there is no kind "slice"`:              {`"kind": "part"`, `"kind": "slice"`},
		`has no place on the axis`:              {`"kind": "part"`, `"kind": "point"`},
		`its summary is {Claims:5 Hold:2`:       {`"hold": 1`, `"hold": 2`},
		`its summary is`:                        {`"ok": false`, `"ok": true`},
		`as_recorded is false`:                  {`"as_recorded": true`, `"as_recorded": false`},
		`cannot unmarshal`:                      {`"seed": 7`, `"seed": "seven"`},
	} {
		t.Run(want, func(t *testing.T) {
			text := strings.Replace(written(t), change[0], change[1], 1)
			require.NotEqual(t, written(t), text)
			_, err := claims.ReadDocument(strings.NewReader(text))
			require.ErrorContains(t, err, want)
			require.NotContains(t, err.Error(), "\n")
		})
	}
	nothing := strings.Replace(written(t), `"measured"`, `"measured_then"`, 1)
	_, err := claims.ReadDocument(strings.NewReader(nothing))
	require.EqualError(t, err, `claim edm/table1/pcs/tx: its verdict is "holds", and something was measured: false`)
	for _, text := range []string{"", "null", "[]", "{", written(t) + "{}", written(t)[:1000]} {
		_, err := claims.ReadDocument(strings.NewReader(text))
		require.Error(t, err, "%.20s", text)
	}
	_, err = claims.ReadDocument(
		strings.NewReader(`{"schema": "goldwire-claims/1", "ok": true, "summary": {}, "claims": []}`),
	)
	require.EqualError(t, err, "a report without claims, want at least one")
}

// blanks are spaces without end.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// A file without end is not read to its end, and a waveform is a picture of some cycles.
func TestSizesAreBounded(t *testing.T) {
	_, err := claims.ReadDocument(blanks{})
	require.ErrorContains(t, err, "it is larger than 64 MB")

	m := exact(128, 25, "ns")
	m.Wave = []byte(`{"signal": [{"name": "clk", "wave": "` + strings.Repeat("p", 65_000) + `"}]}`)
	c := holding("a/b")
	c.Measure = gives(m)
	var b bytes.Buffer
	require.NoError(t, verify(t, claims.Options{}, c).WriteJSON(&b)) // with more spaces than the limit allows
	_, err = claims.ReadDocument(strings.NewReader(b.String()))
	require.NoError(t, err)
	_, err = claims.ReadDocument(strings.NewReader(strings.Replace(b.String(), "pppp", strings.Repeat("p", 600), 1)))
	require.ErrorContains(t, err, "bytes, want at most 65536")
	m.Wave = []byte(`"` + strings.Repeat("p", 65_535) + `"`)
	c.Measure = gives(m)
	require.Equal(
		t, "measurement failed: Wave has 65537 bytes, want at most 65536",
		verify(t, claims.Options{}, c).Results[0].Difference,
	)
}

// A document is filtered as a set is, and counted anew.
func TestFilterDocument(t *testing.T) {
	d := sample(t).Document()
	some, err := d.Filter("edm/fig8a", "edm/table3")
	require.NoError(t, err)
	require.Equal(t, claims.Summary{Claims: 2, Deviate: 1, NotModelled: 1}, some.Summary)
	require.True(t, some.OK)
	require.Equal(
		t, "edm/fig8a/read edm/table3/area 7", fmt.Sprint(some.Claims[0].ID, " ", some.Claims[1].ID, " ", some.Seed),
	)
	bad, err := d.Filter("shoal")
	require.NoError(t, err)
	require.False(t, bad.OK)
	require.False(t, d.OK)
	require.Equal(t, 5, len(d.Claims))
	all, err := d.Filter()
	require.NoError(t, err)
	require.Equal(t, d, all)
	_, err = d.Filter("nonesuch")
	require.ErrorContains(t, err, "matches none of 5 claims")
}

// No file makes it panic or accept a value that it cannot count.
func FuzzReadDocument(f *testing.F) {
	f.Add(
		`{"schema":"goldwire-claims/1","ok":true,"summary":{"claims":1,"hold":1},"claims":[{"id":"a/b","verdict":"holds","expect":"holds","as_recorded":true,"measured":{"value":1}}]}`,
	)
	f.Add(`{"schema":"goldwire-claims/1","claims":null}`)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := claims.ReadDocument(strings.NewReader(text))
		if err == nil && d.Summary.Claims != len(d.Claims) {
			t.Fatalf("%d claims, its summary says %d", len(d.Claims), d.Summary.Claims)
		}
	})
}
