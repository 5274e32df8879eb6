package cosim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
)

// The map's entry for a valid bit counts more than the unit's, and its entry for a field more than its entry for the
// port.
func TestValidInTheMap(t *testing.T) {
	t.Parallel()
	// where nothing is valid, total is 0 and odd is 1
	parked := strings.NewReplacer("out_odd = out_total[0]", "out_odd = out_valid ? sum[0] : 1'b1", "out_total <= 0;",
		"sum <= 0;", "reg [11:0] out_total", "[11:0] out_total",
		"    assign", "    reg [11:0] sum; assign out_total = out_valid ? sum : 0;\n    assign",
		"out_total <= out_total + STEP", "sum <= sum + STEP").
		Replace(plain)
	for name, c := range map[string]struct {
		valid map[string]string
		field string // in which they part, "" if they agree
		err   string
	}{
		"as the unit says":           {},
		"always, of the port":        {valid: map[string]string{"out": "always"}, field: "out_odd"},
		"always, of a field":         {valid: map[string]string{"out_total": "always"}, field: "out_total"},
		"the field more than a port": {valid: map[string]string{"out": "always", "out_odd": "out_valid"}, field: "out_total"},
		"another output":             {valid: map[string]string{"out_total": "out_odd"}, field: "out_total"},
		"no field": {valid: map[string]string{"total": "out_valid"},
			err: "valid: the unit has no field total; it has in_data"},
		"an input": {valid: map[string]string{"in_data": "out_valid"}, err: "valid: in_data is an input, want an output"},
		"no bit":   {valid: map[string]string{"out_odd": "out_total"}, err: "is no output of one bit; the unit has in_data"},
	} {
		s, err := start(t, parked, func(o *cosim.Options) { icarus(o); o.Map.Valid = c.valid })
		switch {
		case c.err != "":
			require.ErrorContains(t, err, c.err, name)
		case c.field == "":
			r := agree(t, s, err)
			require.Less(t, r.Outputs[0].Count, uint64(r.Cycles), name)
		default:
			require.Equal(t, c.field, part(t, s, err).Field, name)
		}
	}
}
