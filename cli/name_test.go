package cli

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/program"
)

// asked runs the command under another name.
func asked(t *testing.T, designs []design.Design, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	Main(args, &out, &out, designs...)
	return out.String()
}

// A command of a user's own names itself, in all help, in its completion and in its errors, and shows no example with a
// design that it lacks.
func TestACommandOfOnesOwn(t *testing.T) {
	started := os.Args[0]
	os.Args[0] = "/opt/bin/bucket"
	defer func() { os.Args[0] = started; program.Set("goldwire") }()

	wrong := regexp.MustCompile(`(?i)(^|[^/.\w])goldwire ([a-z]|$)`)
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		text := asked(t, nil, "completion", shell)
		require.Contains(t, text, "bucket")
		require.NotContains(t, text, "goldwire")
	}
	require.Contains(t, asked(t, nil, "completion", "bash"), "-F __start_bucket bucket\n")
	require.Regexp(t, `^bucket .+ \(`, asked(t, nil, "--version"))
	require.Regexp(t, `^bucket: no command "rnu", did you mean run`, asked(t, nil, "rnu"))
	require.Equal(
		t, "nothing to fuse: no design of bucket names a simulation in design.Design.Fused\n", asked(t, nil, "fuse"),
	)
	require.Equal(t, "bucket: cosim wants a module, see bucket list\n", asked(t, nil, "cosim"))
	require.Contains(t, asked(t, nil, "sweep", "status", t.TempDir()), "`bucket sweep plan DESIGN EXPERIMENT")

	root := finish(newRoot(nil), nil)
	seen := 0
	var each func(c *cobra.Command)
	each = func(c *cobra.Command) {
		seen++
		text := c.Short + "\n" + c.Long + "\n" + c.Example + "\n" + c.UsageString()
		require.False(t, wrong.MatchString(text), "%s:\n%s", c.CommandPath(), text)
		require.NotRegexp(t, `\b(edm|rifl|pcs|blocks|pqueue)[/ ]`, c.Example, c.CommandPath())
		for _, sub := range c.Commands() {
			each(sub)
		}
	}
	each(root)
	require.Greater(t, seen, 20)
}

// Our own help keeps each example.
func TestEveryExampleStays(t *testing.T) {
	designs := design.House(catalogue.Designs())
	root := finish(newRoot(designs), designs)
	require.Contains(t, root.UsageString(), "goldwire [command]")
	for _, c := range []*cobra.Command{newList(designs), newRun(designs), newSweep(designs), newVerify(designs),
		newVectors(designs), newMutants(designs),
		newCosim(designs), newProve(designs), newProperties(designs), newReplay(designs), newWave(), newBench(designs),
		newFuse(designs), newVerilog(designs), newReport(designs)} {
		for line := range strings.Lines(c.Example) {
			require.True(t, canRun(line, designs), line)
		}
	}
}
