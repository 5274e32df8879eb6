package rack

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/designtest"
)

// A run that is too short is done again with twice as many messages until it is long enough: 300 and 1,200 messages
// find the same load. A load that no number of messages makes steady stays a failure.
func TestRunsAreLengthened(t *testing.T) {
	limit := func(messages string) []any {
		out := run(
			t, compare, "fabrics", "output-queued", "nodes", "8", "loads", "0.4,0.6,0.7", "messages", messages, "p99-limit",
			"1.7us",
		)
		require.Empty(t, out.Report.Failed)
		tables := out.Report.Tables()
		return tables[len(tables)-1].Rows[0]
	}
	few, many := limit("300"), limit("1200")
	require.Equal(t, many, few)
	require.NotContains(t, few[1], "above")

	out := run(t, compare, "fabrics", "output-queued", "nodes", "8", "loads", "0.6", "messages", "300")
	require.Len(t, out.Report.Failed, 1)
	require.Equal(t, 300, out.Points[0].Result.(*result).Messages)
	out = run(t, compare, "fabrics", "shoal", "nodes", "8", "loads", "0.9", "messages", "200", "longer", "true")
	require.Len(t, out.Report.Failed, 1, "more than Shoal carries")
	require.Equal(t, mostLonger*200, out.Points[0].Result.(*result).Messages)
}

// A resumed run goes on in the simulation of its checkpoint, also where shorter ones came before.
func TestCompareGoesOnFromACheckpoint(t *testing.T) {
	for _, fabric := range []string{"edm", "shoal", "spfc", "dctcp"} {
		designtest.CheckResume(t, compare, 5000, map[string]string{
			"nodes": "8", "messages": "300", "loads": "0.6", "fabrics": fabric, "longer": "true",
		})
	}
}
