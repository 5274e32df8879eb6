package sweep_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/sweep"
)

// An input is in the store and in the keys by its contents. A plan whose paths lead elsewhere is refused before
// anything is opened.
func TestInputs(t *testing.T) {
	store := sweep.Store{Dir: t.TempDir()}
	file := filepath.Join(t.TempDir(), "a,b.csv")
	var keys []string
	for _, text := range []string{"one", "two"} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		in, err := store.Import(t.Context(), file)
		require.NoError(t, err)
		require.Equal(t, "inputs/"+in.SHA256[:16]+"/a_b.csv", in.Path)
		p := small()
		p.Set["table"], p.Inputs = in.Path, []sweep.Input{in}
		s, err := sweep.New(p, dice)
		require.NoError(t, err)
		require.NoError(t, store.CheckInputs(&p))
		missing, err := s.Missing(store, sweep.Options{})
		require.NoError(t, err)
		keys = append(keys, missing[0].Key)
	}
	require.NotEqual(t, keys[0], keys[1])

	in, err := store.Import(t.Context(), file)
	require.NoError(t, err)
	digits := in.SHA256[:16]
	require.NoError(t, os.WriteFile(filepath.Join(store.Dir, "plan.json"), []byte("two"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(store.Dir, "inputs", "x"), []byte("two"), 0o644))
	for _, path := range []string{"../../etc/passwd", "/etc/passwd", "inputs/../plan.json",
		"inputs/" + digits + "/../../plan.json", "inputs/x", "inputs/" + digits + "/",
		"inputs/" + digits + "/..", `inputs/` + digits + `/..\x`, "inputs/0000000000000000/x", "plan.json", "",
		"inputs/" + digits + "/a,b"} {
		p := small()
		p.Inputs = []sweep.Input{{Path: path, SHA256: in.SHA256}}
		want := fmt.Sprintf("input %q: want inputs/%s/ and a name", path, digits)
		require.EqualError(t, store.CheckInputs(&p), want)
		_, err := sweep.New(p, dice)
		require.EqualError(t, err, want)
	}
	for _, sum := range []string{"", "12", strings.Repeat("x", 64), in.SHA256 + "00"} {
		p := small()
		p.Inputs = []sweep.Input{{Path: in.Path, SHA256: sum}}
		require.ErrorContains(t, store.CheckInputs(&p), "want the 64 digits of a SHA-256")
	}

	p := small()
	p.Inputs = []sweep.Input{in}
	p.Set["table"] = "inputs/" + digits + "/other.csv"
	_, err = sweep.New(p, dice)
	require.ErrorContains(t, err, "want an input of the plan")
	require.NoError(t, os.WriteFile(filepath.Join(store.Dir, filepath.FromSlash(in.Path)), []byte("three"), 0o644))
	require.ErrorContains(t, store.CheckInputs(&p), "its contents are not those of which the plan was made")
	require.NoError(t, os.Remove(filepath.Join(store.Dir, filepath.FromSlash(in.Path))))
	require.ErrorIs(t, store.CheckInputs(&p), os.ErrNotExist)
}

// A plan's file is read as a whole or not at all.
func TestPlansThatCannotBeRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "plan.json")
	p := plan()
	good, err := p.JSON()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, good, 0o644))
	read, err := sweep.ReadPlan(file)
	require.NoError(t, err)
	require.Equal(t, p, read)
	for text, want := range map[string]string{
		"":                            "no plan of a sweep: EOF",
		string(good[:len(good)-3]):    "no plan of a sweep: unexpected EOF",
		string(good) + "{}":           "there is more after its end",
		string(good) + "x":            "there is more after its end",
		`{"schema":1,"shema":1}`:      `unknown field "shema"`,
		`{"schema":1}`:                `experiment "": want a design and an experiment`,
		`{"experiment":"rifl"}`:       `experiment "rifl": want a design and an experiment`,
		`{"seeds":{"first":-1}}`:      "cannot unmarshal number -1",
		`{"seeds":{"count":1e99}}`:    "cannot unmarshal number 1e99",
		`{"vary":[{"values":[NaN]}]}`: "invalid character 'N'",
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		_, err := sweep.ReadPlan(file)
		require.ErrorContains(t, err, file+": ")
		require.ErrorContains(t, err, want)
	}
}
