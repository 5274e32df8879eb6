package cosim_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
)

// A file whose name simulators do not take is refused in a line, before one of them reads half of the name; blanks and
// letters of all kinds work.
func TestNamesOfRTLFiles(t *testing.T) {
	for name, good := range map[string]bool{
		"a b.v": true, "ä'$x.v": true, "a\"b.v": false, "a\nb.v": false, "a\\b.v": false,
	} {
		edit := func(o *cosim.Options) {
			icarus(o)
			path := filepath.Join(filepath.Dir(o.Design.Sources[0]), name)
			require.NoError(t, os.Rename(o.Design.Sources[0], path))
			o.Design.Sources[0] = path
		}
		s, err := start(t, plain, edit)
		if good {
			agree(t, s, err)
			continue
		}
		require.ErrorContains(t, err, "want a name without quotes, backslashes and line ends")
	}
}
