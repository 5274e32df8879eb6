package claims_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestJSON(t *testing.T) {
	report := sample(t)
	requireText(t, `
{
  "schema": "goldwire-claims/1",
  "seed": 7,
  "ok": false,
  "summary": {
    "claims": 5,
    "hold": 1,
    "deviate": 1,
    "given": 0,
    "not_modelled": 1,
    "unexpected": 2
  },
  "claims": [
    {
      "id": "edm/table1/pcs/tx",
      "source": "EDM Table 1",
      "text": "The transmit path takes two cycles.",
      "printed": "5.12 ns",
      "judge": "exactly 5.12 ns",
      "expect": "holds",
      "note": "The table's path, gearbox left out.",
      "verdict": "holds",
      "as_recorded": true,
      "measured": {
        "value": 5.12,
        "exact": "128/25",
        "unit": "ns",
        "figure": "5.12 ns",
        "detail": "edge 7 -> edge 9, 1000 blocks",
        "rows": [
          {
            "kind": "part",
            "label": "encoder",
            "value": 2.56,
            "exact": "64/25",
            "unit": "ns",
            "figure": "2.56 ns"
          },
          {
            "kind": "part",
            "label": "scrambler_58",
            "value": 2.56,
            "exact": "64/25",
            "unit": "ns",
            "figure": "2.56 ns"
          }
        ]
      }
    },
    {
      "id": "edm/fig8a/read",
      "source": "EDM Fig. 8a",
      "text": "Reads stay within 1.2 of unloaded | at load 0.9.",
      "printed": "within 1.2x",
      "judge": "at most 1.2",
      "expect": "deviates",
      "reason": "Control blocks count as load here, so 0.9 is the capacity of the link and not below it.",
      "recorded": "1.31 ± 0.01",
      "verdict": "deviates",
      "as_recorded": true,
      "measured": {
        "value": 1.31415,
        "unit": "",
        "figure": "1.314",
        "detail": "counted"
      }
    },
    {
      "id": "shoal/fig9/throughput",
      "source": "Shoal Fig. 9",
      "text": "Half the rate, *and* no less.",
      "printed": "about 50 %",
      "judge": "50 % ± 5 % of that",
      "expect": "holds",
      "verdict": "deviates",
      "as_recorded": false,
      "difference": "recorded as holds, but 400/7 ≈ 57.14 % deviates (wanted: 50 % ± 5 % of that)",
      "measured": {
        "value": 57.142857142857146,
        "exact": "400/7",
        "unit": "%",
        "figure": "400/7 ≈ 57.14 %",
        "detail": "counted"
      }
    },
    {
      "id": "edm/table3/area",
      "source": "EDM Table 3",
      "text": "The host stack is small.",
      "printed": "1.4 %",
      "expect": "not modelled",
      "reason": "Area is not behaviour.",
      "verdict": "not modelled",
      "as_recorded": true
    },
    {
      "id": "edm/table1/pcs/rx",
      "source": "EDM Table 1",
      "text": "The transmit path takes two cycles.",
      "printed": "5.12 ns",
      "judge": "exactly 5.12 ns",
      "expect": "holds",
      "verdict": "error",
      "as_recorded": false,
      "difference": "measurement failed: no block lock after 64 <sync> headers"
    }
  ]
}
`, func(b *strings.Builder) error { return report.WriteJSON(b) })

	var b strings.Builder
	require.NoError(t, report.WriteJSON(&b))
	require.True(t, json.Valid([]byte(b.String())))
}
