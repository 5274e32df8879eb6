package layout_test

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtl/layout"
)

type lane struct {
	Data uint16 `bits:"12"`
	Up   bool
}

type word struct {
	_    uint8
	Type uint8
	Lane [2]lane
	Tags [2]uint32 `bits:"20"`
	marks
	level
	All uint64
}

type marks struct{ First, Last bool }

type level uint8

func TestOf(t *testing.T) {
	leaves, err := layout.Of(reflect.TypeFor[word]())
	require.NoError(t, err)
	type leaf struct {
		name  string
		width int
	}
	var got []leaf
	for _, l := range leaves {
		got = append(got, leaf{l.Name, l.Width})
	}
	require.Equal(t, []leaf{
		{
			"type", 8,
		}, {"lane_0_data", 12}, {"lane_0_up", 1}, {"lane_1_data", 12}, {"lane_1_up", 1}, {"tags_0", 20}, {"tags_1", 20},
		{"first", 1}, {"last", 1}, {"level", 8}, {"all", 64},
	}, got)

	for in, want := range map[reflect.Type]string{
		reflect.TypeFor[int](): "the value has type int, want bool, uint8 to uint64, or arrays and structs " +
			"of them",
		reflect.TypeFor[struct{ A []uint8 }](): "field a has type []uint8, want",
		reflect.TypeFor[struct {
			A uint8 `bits:"9"`
		}](): `field a uint8 has the tag bits:"9", want 1 to the 8 bits of its type`,
		reflect.TypeFor[struct {
			A uint8 `bits:"0"`
		}](): `field a uint8 has the tag bits:"0", want 1 to the 8 bits`,
		reflect.TypeFor[struct {
			marks
			Last bool
		}](): "have the name last",
		reflect.TypeFor[struct {
			A   struct{ B bool }
			A_b bool
		}](): "have the name a_b",
		reflect.TypeFor[struct {
			A lane `bits:"3"`
		}](): `field a layout_test.lane has the tag bits:"3", want 1 to the 0 bits`,
	} {
		_, err := layout.Of(in)
		require.ErrorContains(t, err, want)
	}
}

// A field has the width of its own tag, and its leaves are named without it.
func TestOfField(t *testing.T) {
	leaves, err := layout.OfField(reflect.TypeFor[[2]uint8](), `bits:"3"`)
	require.NoError(t, err)
	require.Len(t, leaves, 2)
	require.Equal(t, "1", leaves[1].Name)
	require.Equal(t, 3, leaves[1].Width)
}

// Every leaf is set to a value with all bits of 64, one at a time: nothing else changes, and only the leaf's own bits
// are set.
func TestSetAndLoad(t *testing.T) {
	leaves, err := layout.Of(reflect.TypeFor[word]())
	require.NoError(t, err)
	for i := range leaves {
		var w word
		layout.Set(&w, &leaves[i], ^uint64(0))
		var taps []layout.Tap
		for j := range leaves {
			want := uint64(0)
			if i == j {
				want = 1<<leaves[j].Width - 1
			}
			require.Equal(t, want, leaves[j].Load(unsafe.Pointer(&w)), "%s of %s", leaves[j].Name, leaves[i].Name)
			taps = append(taps, leaves[j].Tap(unsafe.Pointer(&w)))
			require.Equal(t, want, taps[j].Value())
		}
		together := layout.Join(taps)
		values := make([]uint64, len(taps))
		together.Read(values)
		for j, v := range values {
			require.Equal(t, taps[j].Value(), v)
		}
	}
	w := word{
		Type: 7, Lane: [2]lane{{Data: 0xabc}, {Up: true}}, Tags: [2]uint32{1, 2}, marks: marks{Last: true}, level: 5,
		All: 9,
	}
	var got []uint64
	for i := range leaves {
		got = append(got, leaves[i].Load(unsafe.Pointer(&w)))
	}
	require.Equal(t, []uint64{7, 0xabc, 0, 0, 1, 1, 2, 0, 1, 5, 9}, got)
}

func TestSnakeCase(t *testing.T) {
	for in, want := range map[string]string{
		"In": "in", "RxData": "rx_data", "BERCount": "ber_count", "XGMII": "xgmii", "Lane3Data": "lane3_data", "TxC": "tx_c",
		"a_B": "a_b",
	} {
		require.Equal(t, want, layout.SnakeCase(in))
	}
}
