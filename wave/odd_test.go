package wave_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/wave"
)

// oddVar is a variable of a recording, as IEEE 1364-2005 18.2 lets a file declare it.
type oddVar struct {
	scope, kind, name string
	width             int
	ranged            bool
	left, right       int
}

func (v oddVar) real() bool { return v.kind == "real" || v.kind == "realtime" }

// oddRow is the values of a time; "" for a variable that does not change.
type oddRow struct {
	time   uint64
	values []string
}

// oddRecording makes up variables and their values.
func oddRecording(rng *rand.Rand) (vars []oddVar, rows []oddRow) {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	for _, name := range []string{"a", "b_1", "\\x[0]", "\\a.b", "n", "q$", "\\odd#!", "w"}[:3+rng.IntN(6)] {
		v := oddVar{scope: pick("", "top", "top.u0", "top.\\g[1]", "top.u0.empty"), name: name, width: 1,
			kind: pick("wire", "reg", "integer", "time", "tri0", "tri1", "triand", "trior", "trireg", "wand", "wor",
				"supply0", "supply1", "logic", "bit", "parameter", "real", "realtime")}
		switch {
		case v.real():
			v.width = 64
		case v.kind == "integer":
			v.width = 32
		default:
			v.width = []int{1, 1, 2, 8, 33, 64, 65, 100}[rng.IntN(8)]
			low := []int{0, 0, 1, -3, 17}[rng.IntN(5)]
			v.ranged, v.left, v.right = v.width > 1, low+v.width-1, low
			if rng.IntN(3) == 0 { // upwards
				v.left, v.right = v.right, v.left
			}
		}
		vars = append(vars, v)
	}
	at := []uint64{0, 0, 7, 1 << 40}[rng.IntN(4)]
	for k := range 3 + rng.IntN(8) {
		r := oddRow{time: at, values: make([]string, len(vars))}
		for i, v := range vars {
			switch {
			case k > 0 && rng.IntN(2) == 0:
			case v.real():
				r.values[i] = pick("0", "1.5", "-2.25e-3", "1e300")
			default:
				bits := make([]byte, v.width)
				for n := range bits {
					bits[n] = pick("01", "01xz")[rng.IntN(2)]
				}
				r.values[i] = string(bits)
			}
		}
		rows = append(rows, r)
		at += []uint64{1, 5, 1_000_000_007, 1 << 50}[rng.IntN(4)]
	}
	return vars, rows
}

// oddFile writes a recording in a form that it draws.
func oddFile(rng *rand.Rand, vars []oddVar, rows []oddRow) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	newline, blank := pick("\n", "\n", "\r\n"), pick(" ", "\t", "  ")
	var b strings.Builder
	say := func(words ...string) { b.WriteString(strings.Join(words, blank) + newline) }
	say("$comment #5 1! $scope"+newline+" $end", "$version $var wire 1 ! x $end")
	b.WriteString(pick("$timescale 1ns $end", "$timescale"+newline+"1"+newline+"ns"+newline+"$end") + newline)
	order := rng.Perm(len(vars))
	ids := make([][]string, len(vars)) // of the whole, or of each bit
	taken := 0
	id := func() string {
		taken++
		return string([]byte{byte('!' + taken/90), byte('!' + taken%90)})
	}
	for _, i := range order {
		v := vars[i]
		var scopes []string
		if v.scope != "" {
			scopes = strings.Split(v.scope, ".")
		}
		for _, s := range scopes {
			say("$scope", pick("module", "begin", "task", "fork"), s, "$end")
		}
		for _, s := range []string{"nothing", "nothing2"}[:rng.IntN(3)] {
			say("$scope", "module", s, "$end")
			say("$upscope", "$end")
		}
		if v.ranged && v.name[0] != '\\' && rng.IntN(3) == 0 { // bit by bit
			step := 1
			if v.left > v.right {
				step = -1
			}
			for k := v.left; ; k += step {
				ids[i] = append(ids[i], id())
				say("$var", v.kind, "1", ids[i][len(ids[i])-1], v.name, fmt.Sprintf("[%d]", k), "$end")
				if k == v.right {
					break
				}
			}
		} else {
			ids[i] = []string{id()}
			words := []string{"$var", v.kind, fmt.Sprint(v.width), ids[i][0], v.name}
			if v.ranged {
				words = append(words, fmt.Sprintf("[%d:%d]", v.left, v.right))
			}
			say(append(words, "$end")...)
			if rng.IntN(4) == 0 && len(scopes) > 0 { // once more under its own identifier
				say(append(words, "$end")...)
			}
		}
		for range scopes {
			say("$upscope", "$end")
		}
	}
	say("$enddefinitions" + pick(" ", newline) + "$end")
	for k, r := range rows {
		say("#" + pick("", "", "00") + fmt.Sprint(r.time))
		if k == 0 {
			say("$dumpvars")
		}
		for _, i := range order {
			value := r.values[i]
			switch {
			case value == "":
			case vars[i].real():
				say("r"+value, ids[i][0])
			case vars[i].width == 1:
				b.WriteString(pick(value, strings.ToUpper(value), "b"+value+" ") + ids[i][0] + newline)
			case len(ids[i]) > 1:
				for n, one := range ids[i] {
					b.WriteString(value[n:n+1] + one + newline)
				}
			default:
				say(pick("b", "B")+pick(value, shortest(value), strings.ToUpper(value)), ids[i][0])
			}
		}
		if k == 0 {
			say("$end")
		}
		if rng.IntN(4) == 0 {
			say("$comment 1! #3 $end")
			say("#" + fmt.Sprint(r.time)) // the time again
		}
	}
	return strings.TrimSuffix(b.String(), pick(newline, ""))
}

// shortest leaves out the digits that 1364-2005 table 18-1 puts back: zeros before 0 and 1, x before x, z before z.
func shortest(bits string) string {
	for len(bits) > 1 && (bits[0] == '0' && (bits[1] == '0' || bits[1] == '1') ||
		bits[0] == bits[1] && (bits[0] == 'x' || bits[0] == 'z')) {
		bits = bits[1:]
	}
	return bits
}

// A recording is the same in every legal form, and one bit that is flipped is found at its time, and nowhere before.
func TestOddForms(t *testing.T) {
	diff := func(a, b string) *wave.DiffResult {
		ra, err := wave.NewReader(strings.NewReader(a), "a.vcd")
		require.NoError(t, err, a)
		rb, err := wave.NewReader(strings.NewReader(b), "b.vcd")
		require.NoError(t, err, b)
		res, err := wave.Diff(ra, rb, wave.DiffOptions{})
		require.NoError(t, err, a+"\n---\n"+b)
		return res
	}
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 5))
		vars, rows := oddRecording(rng)
		a, b := oddFile(rng, vars, rows), oddFile(rng, vars, rows)
		require.True(t, diff(a, a).Same(), "seed %d\n%s", seed, a)
		require.True(t, diff(a, b).Same(), "seed %d\n%s\n---\n%s", seed, a, b)
		k, i := rng.IntN(len(rows)), rng.IntN(len(vars))
		if rows[k].values[i] == "" {
			k = 0
		}
		flipped := slices.Clone(rows)
		flipped[k].values = slices.Clone(rows[k].values)
		if bits := []byte(rows[k].values[i]); vars[i].real() {
			flipped[k].values[i] = "7.125"
		} else {
			n := rng.IntN(len(bits))
			bits[n] = map[byte]byte{'0': '1', '1': '0', 'x': '0', 'z': 'x'}[bits[n]]
			flipped[k].values[i] = string(bits)
		}
		c := oddFile(rng, vars, flipped)
		res := diff(a, c)
		require.NotNil(t, res.First, "seed %d: %s at %d\n%s\n---\n%s", seed, vars[i].name, rows[k].time, a, c)
		require.Equal(t, rows[k].time, res.First.TimeA, "seed %d\n%s\n---\n%s", seed, a, c)
		require.Len(t, res.First.Signals, 1)
		require.Contains(t, res.First.Signals[0].Path, strings.TrimPrefix(strings.TrimSuffix(vars[i].name, "[0]"), "\\"))
	}
}
