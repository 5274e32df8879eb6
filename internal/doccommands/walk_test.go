package doccommands

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A page's line is whole words of one printed line; "ok" is not shown by "look".
func TestShows(t *testing.T) {
	const said = "look at what it writes\nok example.com/parity 0.012s\nshrunk from 812 to 2 cycles\n" +
		"{\"seconds\":0.4,\"points\":1}\n"
	for _, line := range []string{
		"ok", "  ok   example.com/parity", "shrunk from … to 2 cycles", "…", "", "ok …", "… 0.012s",
		"{\"seconds\":…,\"points\":1}", "look at … writes",
		"from … to … cycles", "ok example.com/…",
	} {
		require.True(t, shows(said, line), line)
	}
	for _, line := range []string{
		"lo", "k", "ok example.com", "look ok", "writes ok", "shrunk from … to 3 cycles", "FAIL", "shrunk to 2",
		"ok … cycles", "2 cycle", "look … parity",
		"{\"seconds\":…,\"points\":2}",
	} {
		require.False(t, shows(said, line), line)
	}
}
