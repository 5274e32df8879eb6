package cli

import (
	"bytes"
	"testing"

	"github.com/schollz/progressbar/v3"
	"github.com/stretchr/testify/require"
)

// A sweep whose seeds were measured adds more of them: its bar was full, and counts on.
func TestProgressGoesOnWhenThereIsMore(t *testing.T) {
	var shown bytes.Buffer
	p := &progress{
		bar: progressbar.NewOptions(
			3, progressbar.OptionSetWriter(&shown), progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(),
		),
	}
	for n := range 3 {
		p.of(3)
		p.at(n+1, 0)
	}
	require.Contains(t, shown.String(), "(2/3")
	shown.Reset()
	for n := range 3 {
		p.of(6)
		p.at(n+4, 0)
	}
	require.Contains(t, shown.String(), "(4/6")
	require.Contains(t, shown.String(), "(5/6")
}
