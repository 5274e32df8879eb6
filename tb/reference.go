package tb

import (
	"reflect"

	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
	"github.com/goldwire/goldwire/vectors"
)

// AgainstReference is a property test: for inputs of 1 to 64 cycles that rapid makes up, out returns in cycle
// k+latency element k of ref's result for all inputs. A failure shrinks to few and small inputs. The module runs in
// strict mode.
//
// Build makes the module and drives its inputs from in, by vectors.Drive, one call for each port; I may be a struct
// that feeds several. After the last input in returns the zero value. Out reads the module's output ports. Ref returns
// one element for each input.
func AgainstReference[I any, O comparable](t rapid.TB, latency int,
	build func(b *vectors.Bench, in func(cycle uint64) I) (m rtl.Module, out func() O),
	ref func(in []I) []O,
) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		const most = 64
		in := rapid.SliceOfN(Values[I](), 1, most).Draw(t, "in")
		want := ref(in)
		if len(want) != len(in) {
			t.Fatalf("the reference makes %d outputs of %d inputs", len(want), len(in))
		}
		var out func() O
		u := vectors.Unit{
			Name: "reference", Clock: clock.MHz(1), Latency: latency,
			Build: func(b *vectors.Bench) (m rtl.Module) {
				m, out = build(b, func(cycle uint64) (v I) {
					if cycle < uint64(len(in)) {
						v = in[cycle]
					}
					return v
				})
				return m
			},
		}
		inst, err := u.Simulate(rtl.Config{Mode: rtl.Strict, Seed: 1}, 1)
		if err != nil {
			t.Fatal(err)
		}
		inst.Sim.Observe(settled{})
		for k := range len(in) + latency {
			if i := k - latency; i >= 0 && out() != want[i] {
				t.Fatalf("cycle %d: got %+v, want %+v for input %d, %+v", k, out(), want[i], i, in[i])
			}
			if err := inst.Clock.Run(1); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// settled observes nothing: that somebody observes makes the kernel settle the wires after each edge.
type settled struct{}

func (settled) Observe(rtl.Edges) {}

// Values is a rapid generator of a signal type: every leaf within its declared width. It panics if T is no signal type.
func Values[T any]() *rapid.Generator[T] {
	leaves, err := layout.Of(reflect.TypeFor[T]())
	if err != nil {
		panic("tb: " + err.Error())
	}
	return rapid.Custom(func(t *rapid.T) (v T) {
		for i := range leaves {
			l := &leaves[i]
			layout.Set(&v, l, rapid.Uint64Range(0, ^uint64(0)>>(64-l.Width)).Draw(t, l.Name))
		}
		return v
	})
}
