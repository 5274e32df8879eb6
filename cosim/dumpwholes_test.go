package cosim_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
)

// inBytes dumps the vector in[63:0] as eight bytes of its own: declare gives the declaration of byte k, of identifier
// and size, and byte 7 is the most significant.
func inBytes(text string, open, end string, declare func(k int, id string) string, upwards bool) string {
	var declared strings.Builder
	declared.WriteString(open)
	for n := range 8 {
		k := 7 - n
		if upwards {
			k = n
		}
		declared.WriteString(declare(k, fmt.Sprintf("@%d", k)) + "\n")
	}
	text = strings.Replace(text, "$var wire 64 # in [63:0] $end\n", declared.String()+end, 1)
	return regexp.MustCompile(`(?m)^b([01x]+) #$`).ReplaceAllStringFunc(text, func(line string) string {
		bits := strings.TrimSuffix(line[1:], " #")
		var out []string
		for k := range 8 {
			value := "x"
			if len(bits) == 64 {
				value = bits[8*(7-k) : 8*(8-k)]
			}
			out = append(out, fmt.Sprintf("b%s @%d", value, k))
		}
		return strings.Join(out, "\n")
	})
}

// Arrays and structs that a simulator dumps in parts are bound by a map of cosim's that names them whole or by ranges.
// The order of an array's elements is the map's alone, and of a struct's members the file's, which is told.
func TestReplayOfPortsInParts(t *testing.T) {
	text, _ := dump(t, 200)
	require.Contains(t, text, "$var wire 64 # in [63:0] $end\n")
	element := func(form string) func(int, string) string {
		return func(k int, id string) string { return "$var wire 8 " + id + " " + fmt.Sprintf(form, k) + " $end" }
	}
	lanes := inBytes(text, "", "", element("lane[%d] [7:0]"), true)
	inside := inBytes(text, "$scope struct s $end\n", "$upscope $end\n", element("lane[%d] [7:0]"), true)
	members := inBytes(text, "$scope module in $end\n", "$upscope $end\n", element("m%d [7:0]"), false)
	for name, c := range map[string]struct{ text, in, want, note string }{
		"elements of Verilator":    {lanes, "lane[7:0]", "", ""},
		"elements of Icarus":       {inBytes(text, "", "", element(`\lane[%d] [7:0]`), false), "lane[7:0]", "", ""},
		"elements of VHDL":         {inBytes(text, "", "", element("lane(%d) [7:0]"), true), "lane[7:0]", "", ""},
		"in two ranges":            {lanes, "{lane[7:5], lane[4], lane[3:0]}", "", ""},
		"in a struct":              {inside, "s.lane[7:0]", "", ""},
		"the other way round":      {lanes, "lane[0:7]", "differs", ""},
		"a range without its ends": {lanes, "lane[8:1]", "the RTL has no port lane[8:1]", ""},
		"an array without a range": {lanes, "lane", "ports: in: lane: the file has its elements", ""},
		"a struct, whole":          {members, "in", "", "in is dumped in parts, and taken as in.m7, in.m6, "},
		"a struct without a map":   {members, "", "", "in is dumped in parts, and taken as in.m7, in.m6, "},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := replay(t, c.text, func(r *cosim.Replay) {
				if c.in != "" {
					r.Map.Ports = map[string]string{"in": c.in}
				}
			})
			switch c.want {
			case "":
				require.NoError(t, err)
				require.Nil(t, res.Divergence)
				require.Equal(t, 199, res.Cycles)
				require.Contains(t, strings.Join(res.Notes, "\n"), c.note)
				require.Equal(t, c.note == "", len(res.Notes) == 0)
			case "differs":
				require.NoError(t, err)
				require.NotNil(t, res.Divergence)
			default:
				require.ErrorContains(t, err, c.want)
			}
		})
	}
}
