package schedule

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file that names an operation twice says two things.
func TestAnOperationTwiceInAFile(t *testing.T) {
	g := &Graph{Name: "g", Nodes: []Node{{Name: "a", Kind: Action, Fields: 1}}}
	read := func(start string) error {
		text := `{"graph": "g", "ipc": 1, "period": 1, "start": ` + start + `}`
		_, _, err := ReadUnchecked("s.json", strings.NewReader(text), g, DRMT(1))
		return err
	}
	require.NoError(t, read(`{"a": 0}`))
	require.ErrorContains(t, read(`{"a": 0, "a": 3}`), "operation a is there twice")
	require.ErrorContains(t, read(`[1]`), "s.json: ")
	require.ErrorContains(t, read(`{}`), "operation a has no start")
}
