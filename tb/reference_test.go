package tb

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// failing is a rapid.TB that notes a failure instead of failing.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) FailNow()              { f.failed = true; panic(f) }
func (f *failing) Fail()                 { f.failed = true }
func (f *failing) Failed() bool          { return f.failed }
func (f *failing) Errorf(string, ...any) { f.failed = true }
func (f *failing) Error(...any)          { f.failed = true }
func (f *failing) Fatalf(string, ...any) { f.FailNow() }
func (f *failing) Fatal(...any)          { f.FailNow() }

func fails(t *testing.T, check func(rapid.TB)) bool {
	t.Helper()
	const noFile = "rapid.nofailfile" // a failure that is wanted need not be reproduced
	old := flag.Lookup(noFile).Value.String()
	require.NoError(t, flag.Set(noFile, "true"))
	defer flag.Set(noFile, old)
	f := &failing{TB: t}
	func() {
		defer func() {
			if r := recover(); r != nil && r != any(f) {
				panic(r)
			}
		}()
		check(f)
	}()
	return f.failed
}

func TestAgainstReference(t *testing.T) {
	build := func(b *vectors.Bench, in func(cycle uint64) word) (rtl.Module, func() word) {
		m := &pipeline{stages: make([]word, 1)}
		vectors.Drive(b, &m.In, in)
		return m, m.Out.Get
	}
	same := func(in []word) []word { return in }
	AgainstReference(t, 2, build, same)

	both := func(b *vectors.Bench, in func(cycle uint64) [2]bool) (rtl.Module, func() bool) {
		m := &gate{}
		vectors.Drive(b, &m.A, func(cycle uint64) bool { return in(cycle)[0] })
		vectors.Drive(b, &m.B, func(cycle uint64) bool { return in(cycle)[1] })
		return m, m.Both.Get
	}
	AgainstReference(t, 0, both, func(in [][2]bool) (out []bool) {
		for _, v := range in {
			out = append(out, v[0] && v[1])
		}
		return out
	})

	require.False(t, fails(t, func(f rapid.TB) { AgainstReference(f, 2, build, same) }))
	require.True(t, fails(t, func(f rapid.TB) { AgainstReference(f, 1, build, same) }), "a wrong latency")
	require.True(t, fails(t, func(f rapid.TB) {
		AgainstReference(f, 2, build, func(in []word) []word {
			out := append([]word(nil), in...)
			for i := range out {
				if out[i].Data == 4095 {
					out[i].Data = 0
				}
			}
			return out
		})
	}), "a reference that differs for one value")
	require.True(t, fails(t, func(f rapid.TB) { AgainstReference(f, 2, build, func([]word) []word { return nil }) }))
}

func TestValuesKeepToTheDeclaredWidths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if v := Values[word]().Draw(t, "v"); v.Data > 4095 {
			t.Fatalf("%+v", v)
		}
	})
	require.PanicsWithValue(t, "tb: the value has type int, want bool, uint8 to uint64, or arrays and structs of them",
		func() { Values[int]() })
}
