package study_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/study"
)

// P4 source goes through the compiler that is installed, here a script, whose first line about an error is shown.
func TestSourceGoesThroughTheCompiler(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	source := filepath.Join(dir, "mine.p4")
	require.NoError(t, os.WriteFile(source, []byte("source\n"), 0o600))
	compiler := func(script string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "p4c-bm2-ss"), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	}
	if _, err := os.Stat("/usr/bin/p4c-bm2-ss"); err != nil {
		_, err = study.LoadGraph(source)
		require.EqualError(t, err, source+": P4 source, and no p4c-bm2-ss is installed, expected BMv2 JSON: p4c-bm2-ss"+
			" -o "+filepath.Join(dir, "mine.json")+" "+source+" makes it")
	}
	program, err := filepath.Abs("../p4/programs/l2l3.json")
	require.NoError(t, err)
	compiler(`test "$1" = -o && test "$(cat "$3")" = source && cp ` + program + ` "$2"`)
	g, err := study.LoadGraph(source)
	require.NoError(t, err)
	want, err := study.LoadGraph("l2l3")
	require.NoError(t, err)
	require.Equal(t, len(want.Nodes), len(g.Nodes))
	compiler(`echo "warning: nothing"; echo "mine.p4(3): error: no such header"; echo "error: more"; exit 1`)
	_, err = study.LoadGraph(source)
	require.EqualError(t, err, source+": p4c-bm2-ss: mine.p4(3): error: no such header")
	compiler(`exit 3`)
	_, err = study.LoadGraph(source)
	require.EqualError(t, err, source+": p4c-bm2-ss: exit status 3")
	compiler(`exit 0`)
	_, err = study.LoadGraph(source)
	require.EqualError(t, err, source+": p4c-bm2-ss wrote no JSON")
}
