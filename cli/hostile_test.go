package cli_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cli"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/catalogue"
)

var designs = catalogue.Designs() // made once: thousands of commands are given

// refused runs the command in this process and wants exit code 2, nothing on the standard output, and one readable
// line.
func refused(t *testing.T, args ...string) (line string) {
	t.Helper()
	return refusedOf(t, designs, args...)
}

// refusedOf is refused by a command of some designs only, which is made faster.
func refusedOf(t *testing.T, designs design.House, args ...string) (line string) {
	t.Helper()
	var out, errs bytes.Buffer
	code := cli.Main(args, &out, &errs, designs...)
	shown := fmt.Sprintf("%.200q", args)
	require.Equal(t, 2, code, "%s: %s", shown, errs.String())
	require.Empty(t, out.String(), shown)
	line = strings.TrimSuffix(errs.String(), "\n")
	require.NotContains(t, line, "\n", shown)
	require.LessOrEqual(t, utf8.RuneCountInString(line), 300, shown)
	require.True(t, strings.HasPrefix(line, "goldwire: "), "%s: %s", shown, line)
	return line
}

var (
	long     = strings.Repeat("9", 10_000)
	longList = strings.Repeat("1,", 10_000) + "1"
)

// No value outside the bounds of a parameter of any experiment starts a run, and none is met with a panic or a page of
// text.
func TestParametersOutOfBounds(t *testing.T) {
	n := 0
	for _, d := range designs {
		for _, e := range d.Experiments {
			p := e.Params()
			var need []string // other parameters that are asked for
			for _, f := range p.Fields {
				if f.Required && f.Arg == "" {
					need = append(need, "--"+f.Flag, "nowhere")
				}
			}
			for k, f := range p.Fields {
				if f.Arg != "" || f.IsBool() || f.File != "" || f.Bounds() == "" {
					continue
				}
				for i, value := range []string{"", " ", "x", "-", "NaN", "Inf", "-1e60", "1e60", "-99999999999999999999", long,
					longList, "1;2", "1e", "0x", "\x00", "∞", ",", "1,,1"} {
					if (k+i)%shareOfValues != 0 { // the next parameter gets the next values
						continue
					}
					refusedOf(t, design.House{d}, append([]string{"run", d.Name, e.Info().Name, "--" + f.Flag, value}, need...)...)
					n++
				}
			}
			for _, flag := range []string{"--workers=-1", "--workers=1000000", "--workers=x", "--seed=-1", "--seed=1e9",
				"--seed=" + long, "--nosuch=1", "--json=2", "--plot=/nowhere/x.svg", "--csv=/nowhere/x.csv"} {
				refusedOf(t, design.House{d}, append([]string{"run", d.Name, e.Info().Name, flag}, need...)...)
				n++
			}
			refusedOf(t, design.House{d}, append([]string{"run", d.Name, e.Info().Name, "a", "b", "c"}, need...)...)
		}
	}
	t.Logf("%d values refused", n)
	require.Greater(t, n, 100)
}

// Names that are not there, numbers out of bounds and files that are no files are bad input for every command.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	junk := filepath.Join(dir, "junk")
	require.NoError(t, os.WriteFile(junk, []byte("\x00\xff junk\n\n{["), 0o644))
	for _, args := range [][]string{
		{""}, {"x"}, {long}, {"--x"}, {"run", ""}, {"run", long}, {"run", "edm", ""}, {"run", "edm", long}, {"list", ""},
		{"list", long}, {"list", "--x"},
		{"verify", ""}, {"verify", long}, {"verify", "["}, {"verify", "edm/["}, {"verify", "--seed", "-1"}, {"verify", "//"},
		{"vectors"}, {"vectors", ""}, {"vectors", long}, {"vectors", "pcs/nothing"},
		{"vectors", "pcs/encoder", "--cycles", "0", "--dir", dir},
		{"vectors", "pcs/encoder", "--cycles", "-5", "--dir", dir},
		{"vectors", "pcs/encoder", "--cycles", long, "--dir", dir},
		{"vectors", "pcs/encoder", "--check", "--dir", filepath.Join(dir, "no")},
		{"vectors", "pcs/encoder", "--check", "--dir", junk},
		{"vectors", "pcs/encoder", "--format", "nothing", "--dir", dir},
		{"vectors", "pcs/encoder", "--seed", "x", "--dir", dir},
		{"cosim"}, {"cosim", ""}, {"cosim", "pcs/encoder"},
		{"cosim", "pcs/encoder", "--rtl", filepath.Join(dir, "no.v"), "--top", "x"},
		{"cosim", "pcs/encoder", "--rtl", dir, "--top", "x"}, {"cosim", "pcs/encoder", "--rtl", junk, "--top", ""},
		{"cosim", "pcs/encoder", "--rtl", junk, "--top", "x", "--sim", "nothing"},
		{"cosim", "pcs/encoder", "--rtl", junk, "--top", "x", "--cycles", "-1"},
		{"cosim", "pcs/encoder", "--rtl", junk, "--top", "x", "--map", filepath.Join(dir, "no.yaml")},
		{"cosim", "pcs/encoder", "--rtl", junk, "--top", "x", "--map", junk},
		{"cosim", "pcs/encoder", "--rtl", junk, "--top", long}, {"cosim", long, "--rtl", junk, "--top", "x"},
		{"replay"}, {"replay", junk}, {"replay", filepath.Join(dir, "no.vcd"), "--module", "pcs/encoder"},
		{"replay", junk, "--module", "pcs/encoder", "--scope", "x", "--clock", "y"},
		{"replay", dir, "--module", "pcs/encoder", "--scope", "x", "--clock", "y"}, {"replay", junk, "--module", ""},
		{"replay", junk, "--module", long},
		{"wave"}, {"wave", "x"}, {"wave", "diff"}, {"wave", "diff", junk}, {"wave", "diff", junk, junk},
		{"wave", "diff", junk, filepath.Join(dir, "no")}, {"wave", "diff", dir, dir},
		{"bench", "x"}, {"bench", "--x"}, {"completion", "x"}, {"help", "x"}, {"help", "run", "x"},
		{"help", "run", "edm", "x"}, {"help", "list", "x"}, {"completion", "bash", "x"}, {"run", "edm", "trace", "\x1b[31m"},
	} {
		if len(args) == 1 && (args[0] == "wave") {
			continue // these print help
		}
		refused(t, args...)
	}
}

// A capture with bytes changed anywhere is read or refused, never met with a panic.
func TestDamagedCaptures(t *testing.T) {
	data, err := os.ReadFile("../testdata/captures/generated.pcap")
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 0))
	path := filepath.Join(t.TempDir(), "damaged.pcap")
	for i := range 60 {
		bad := bytes.Clone(data[:min(len(data), 4000)])
		switch {
		case i < 20:
			bad = bad[:i*7]
		default:
			for range 1 + rng.IntN(8) {
				bad[rng.IntN(200)] = byte(rng.Uint32())
			}
		}
		require.NoError(t, os.WriteFile(path, bad, 0o644))
		var out, errs bytes.Buffer
		code := cli.Main([]string{"run", "pcs-loop", "--pcap", path}, &out, &errs, designs...)
		require.Contains(t, []int{0, 2}, code, errs.String())
		require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSpace(errs.String())), 300)
	}
}
