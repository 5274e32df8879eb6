package enum_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/enum"
)

type order uint8

const (
	first order = iota
	second
	third
)

var orders = enum.Texts{"first", "second", "third"}

func (o order) String() string                { return enum.String(o, orders) }
func (o order) MarshalText() ([]byte, error)  { return enum.Marshal(o, orders) }
func (o *order) UnmarshalText(b []byte) error { return enum.Unmarshal(o, b, orders) }

func TestValuesReadAndPrintTheirTexts(t *testing.T) {
	for v, text := range map[order]string{first: "first", second: "second", third: "third"} {
		var read order
		require.NoError(t, read.UnmarshalText([]byte(text)))
		require.Equal(t, v, read)
		require.Equal(t, text, v.String())
		b, err := json.Marshal(struct{ O order }{v})
		require.NoError(t, err)
		require.JSONEq(t, `{"O":"`+text+`"}`, string(b))
	}
}

func TestUnknownTextsAndValuesAreErrorsThatNameTheKnownOnes(t *testing.T) {
	for _, text := range []string{"", "First", "fourth", "first ", "1"} {
		read := third
		require.EqualError(t, read.UnmarshalText([]byte(text)), `"`+text+`": want first, second or third`)
		require.Equal(t, third, read, "the value is not the zero value")
	}
	_, err := order(3).MarshalText()
	require.EqualError(t, err, "enum_test.order(3): want first, second or third")
	require.Equal(t, "enum_test.order(3)", order(3).String())
}
