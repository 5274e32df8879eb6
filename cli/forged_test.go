package cli

import (
	"bytes"
	"crypto/sha256"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/catalogue"
)

// A checkpoint that somebody changed, with a checksum that fits, never ends in a panic: it is refused in a line, or the
// run goes on, and says that it came from a file.
func TestForgedCheckpoints(t *testing.T) {
	experiments := map[string][]string{
		"edm":  {"edm", "load", "--messages=60", "--loads=0.02", "--nodes=4", "--baselines=ird"},
		"rifl": {"rifl", "sweep", "--ber=1e-5", "--frames=100000", "--lanes=1", "--runs=1"},
		"spfc": {"spfc", "fabric", "--load=0.3", "--pods=1", "--lasts=100us", "--scheme=dt1"},
	}
	for name, args := range experiments {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			args = append([]string{"run"}, args...)
			run := func(more ...string) (code int, out, said string) {
				var stdout, stderr bytes.Buffer
				code = Main(append(args, more...), &stdout, &stderr, catalogue.Designs()...)
				return code, stdout.String(), stderr.String()
			}
			code, _, said := run("--checkpoint="+dir, "--checkpoint-every=500", "--workers=1")
			require.Zero(t, code, said)
			files, err := filepath.Glob(filepath.Join(dir, "*"))
			require.NoError(t, err)
			require.NotEmpty(t, files)
			whole, err := os.ReadFile(files[0])
			require.NoError(t, err)
			first := bytes.IndexByte(whole, '\n') + 1 // the keys of the point; the state follows, and its checksum
			state := whole[first : len(whole)-sha256.Size]
			require.Equal(t, sha256.Sum256(state), [sha256.Size]byte(whole[len(whole)-sha256.Size:]))
			code, _, said = run("--resume="+dir, "--workers=1")
			require.Zero(t, code, said)
			require.Contains(t, said, "from a checkpoint of ")
			rng := rand.New(rand.NewPCG(1, 2))
			codes := map[int]int{}
			for k := range 60 {
				forged := bytes.Clone(state)
				for range 1 + k%3 {
					at := rng.IntN(len(forged))
					forged[at] = [...]byte{forged[at] ^ 1<<rng.IntN(8), 0, 0xff, 0x7f}[rng.IntN(4)]
				}
				if k%10 == 9 {
					forged = forged[:rng.IntN(len(forged))]
				}
				sum := sha256.Sum256(forged)
				text := append(append(bytes.Clone(whole[:first]), forged...), sum[:]...)
				require.NoError(t, os.WriteFile(files[0], text, 0o644))
				code, out, said := run("--resume="+dir, "--workers=1")
				codes[code]++
				if !strings.Contains(said, "checkpoint: no run goes on from its state: ") {
					require.NotContains(t, said+out, "panic in", "variant %d", k)
				}
				if code == exitOK {
					require.Contains(t, out+said, "from a checkpoint of ", "variant %d", k)
				} else {
					require.LessOrEqual(t, strings.Count(said, "\n"), 2, said)
				}
			}
			t.Logf("exit codes: %v", codes)
		})
	}
}
