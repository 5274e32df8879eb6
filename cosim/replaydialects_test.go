package cosim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
)

// split declares the variable of an identifier in parts, bit by bit from the left, and changes them one by one.
func split(text, declaration, id string, width int, form string) string {
	var vars, out strings.Builder
	for i := width - 1; i >= 0; i-- {
		fmt.Fprintf(&vars, "$var wire 1 s%d "+form+" $end\n", i, i)
	}
	head, body, _ := strings.Cut(strings.Replace(text, declaration+"\n", vars.String(), 1), "$enddefinitions $end\n")
	out.WriteString(head + "$enddefinitions $end\n")
	for line := range strings.Lines(body) {
		bits, ok := strings.CutSuffix(strings.TrimSuffix(line, "\n"), " "+id)
		if !ok {
			out.WriteString(line)
			continue
		}
		bits = strings.TrimPrefix(bits, "b")
		lead := "0"
		if bits[0] == 'x' {
			lead = "x"
		}
		bits = strings.Repeat(lead, width-len(bits)) + bits
		for i := range width {
			fmt.Fprintf(&out, "%cs%d\n", bits[i], width-1-i)
		}
	}
	return out.String()
}

// The same waveform in the forms of other simulators agrees, and with one bit wrong it does not.
func TestReplayTakesOtherDialects(t *testing.T) {
	good, _ := dump(t, 60)
	bad := wrongIn(t, []int{40}, nil)
	const in, index = "$var wire 64 # in [63:0] $end", "$var wire 6 $ out_index [5:0] $end"
	replace := func(pairs ...string) func(string) string { return strings.NewReplacer(pairs...).Replace }
	ports := func(pairs ...string) cosim.Map {
		m := cosim.Map{Ports: map[string]string{}}
		for i := 0; i < len(pairs); i += 2 {
			m.Ports[pairs[i]] = pairs[i+1]
		}
		return m
	}
	var all []string
	for i := 63; i >= 0; i-- {
		all = append(all, fmt.Sprintf("in[%d]", i))
	}
	for name, c := range map[string]struct {
		change func(string) string
		m      cosim.Map
		scope  string
	}{
		"bits":             {func(s string) string { return split(s, in, "#", 64, "in [%d]") }, cosim.Map{}, ""},
		"bits in one word": {func(s string) string { return split(s, in, "#", 64, "in[%d]") }, cosim.Map{}, ""},
		"bits that a map names": {func(s string) string { return split(s, in, "#", 64, "in [%d]") },
			ports("in", "{"+strings.Join(all, ", ")+"}"), ""},
		"escaped bits": {func(s string) string { return split(s, index, "$", 6, `\oi[%d] `) },
			ports("out_index", `{\oi[5] , \oi[4] , \oi[3], \oi[2], oi[1], oi[0]}`), ""},
		"an output in bits": {func(s string) string { return split(s, index, "$", 6, "out_index [%d]") }, cosim.Map{},
			""},
		"backslashes at both ends": {replace(" in ", ` \in\ `, "out_index", `\oi\`, "module dut", `module \dut.core[0]\`),
			ports("in", `\in\`, "out_index", `\oi\`), `test_lowest_tb.\dut.core[0]\`},
		"scope without them": {replace("module dut", `module \dut.core[0]`), cosim.Map{}, "test_lowest_tb.dut.core[0]"},
		"an escaped element": {replace("in [63:0]", `\in[0] `), ports("in", `\in[0]`), ""},
		"an element":         {replace("in [63:0]", "in[0] [63:0]"), ports("in", "in[0]"), ""},
		"halves of an element": {replace("in [63:0]", "in[2][0] [63:0]"),
			ports("in", "{in[2][0][63:32], in[2][0][31:0]}"), ""},
		"an interface": {replace(in, "$scope interface b $end\n$var wire 64 # d [63:0] $end\n$upscope $end"),
			ports("in", "b.d"), ""},
		"a struct": {replace(index, "$scope struct o $end\n$var wire 6 $ lo [5:0] $end\n$upscope $end"),
			ports("out_index", "{o.lo[5:3], o.lo[2:0]}"), ""},
		"a struct in an interface": {replace(index,
			"$scope interface b $end\n$scope struct o $end\n$var wire 6 $ lo [5:0] $end\n$upscope $end\n$upscope $end"),
			ports("out_index", "b.o.lo"), ""},
		"members by their names": {replace(index, "$scope struct out $end\n$var wire 6 $ index [5:0] $end\n$upscope $end"),
			cosim.Map{}, ""},
		"an inner scope": {replace(index, "$scope module reg $end\n$var wire 6 $ q [5:0] $end\n$upscope $end"),
			ports("out_index", "reg.q"), ""},
		"nine values": {replace("bx $", "bU $", "x%", "U%", "\n1%", "\nH%", "\n0%", "\nL%", "b1", "bH"), cosim.Map{},
			""},
		"a clock in a vector": {replace("$var wire 1 ! clk $end", "$var wire 2 ! clks [1:0] $end", "\n1!", "\nb10 !", "\n0!",
			"\nb0 !"), cosim.Map{Clock: "clks[1]"}, ""},
		"no scope": {replace("$scope module test_lowest_tb $end\n$scope module dut $end\n",
			"$scope module  $end\n$scope module  $end\n"), cosim.Map{}, "-"},
		"carriage returns": {replace("\n", "\r\n"), cosim.Map{}, ""},
		"no last newline":  {func(s string) string { return strings.TrimSuffix(s, "\n") }, cosim.Map{}, ""},
		"text and events": {replace(index,
			index+"\n$var real 64 r1 level $end\n$var string 1 r2 state $end\n$var event 1 r3 go $end", "#5120\n",
			"#5120\nr1.5e-3 r1\nsa word r2\n1r3\n"), cosim.Map{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			edit := func(r *cosim.Replay) {
				r.Map = c.m
				switch c.scope {
				case "":
				case "-":
					r.Scope = ""
				default:
					r.Scope = c.scope
				}
			}
			res, err := replay(t, c.change(good), edit)
			require.NoError(t, err)
			require.Nil(t, res.Divergence)
			require.Equal(t, 59, res.Cycles)
			res, err = replay(t, c.change(bad), edit)
			require.NoError(t, err)
			require.NotNil(t, res.Divergence)
			require.Equal(t, 40, res.Divergence.Cycle)
		})
	}
	res, err := replay(
		t, replace(index, "$scope struct o $end\n$var wire 6 $ lo [5:0] $end\n$upscope $end")(good),
		func(r *cosim.Replay) { r.Map = ports("out_index", "o") },
	)
	require.NoError(t, err)
	require.Nil(t, res.Divergence)
	require.Equal(t, []string{"o is dumped in parts, and taken as o.lo, in the order of the file"}, res.Notes)
}
