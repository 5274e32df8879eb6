package ports_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/ports"
)

//lint:file-ignore U1000 the fields here are read by their types alone

type port struct{ value *uint64 }

type side struct {
	Data, Ready port
	state       uint8
}

type base struct{ Reset port }

type module struct {
	base
	In      port
	Lanes   [2]port `comb:"none"`
	Outs    []port  `comb:"in"`
	Sides   [2]side
	Deep    struct{ Taps []port }
	Pointer *port

	memory  [4]uint64
	level   uint16   `bits:"9"`
	Public  uint16   `bits:"9"`
	pairs   [2]uint8 `bits:"3"`
	unnamed [][2]port
}

func TestFind(t *testing.T) {
	var found, probes []string
	tags := map[string]reflect.StructTag{}
	f := ports.New(func(t reflect.Type) bool { return t == reflect.TypeFor[port]() })
	for taps := range 2 { // the second time it knows the types
		m := module{Outs: make([]port, 2), unnamed: make([][2]port, 1)}
		m.Deep.Taps = make([]port, taps)
		found, probes = nil, nil
		f.Find(reflect.ValueOf(&m).Elem(), func(name string, v reflect.Value, tag reflect.StructTag) {
			require.True(t, v.CanAddr())
			found, tags[name] = append(found, name), tag
		}, func(name string, _ reflect.Value, tag reflect.StructTag) {
			probes, tags[name] = append(probes, name), tag
		})
		want := []string{
			"reset", "in", "lanes_0", "lanes_1", "outs_0", "outs_1", "sides_0_data", "sides_0_ready", "sides_1_data",
			"sides_1_ready", "deep_taps_0",
		}
		require.Equal(t, want[:len(want)-1+taps], found)
		require.Equal(t, []string{"level", "pairs"}, probes)
	}
	require.Equal(t, "none", tags["lanes_1"].Get("comb"))
	require.Equal(t, "in", tags["outs_1"].Get("comb"))
	require.Equal(t, "9", tags["level"].Get("bits"))
}
