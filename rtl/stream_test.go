package rtl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtl"
)

type streamBeat struct{ Valid bool }

func (b streamBeat) Offered() bool { return b.Valid }

func TestConnectStreamWantsEqualWords(t *testing.T) {
	var out rtl.Out[streamBeat]
	var in rtl.In[streamBeat]
	var ready rtl.In[bool]
	var taker rtl.Out[bool]
	from := rtl.Producer[streamBeat]{Beat: &out, Words: make([]rtl.Out[uint64], 2), Ready: &ready}
	require.PanicsWithValue(t, "rtl: a stream of 2 words besides its beat connected to one of 1", func() {
		rtl.ConnectStream(from, rtl.Consumer[streamBeat]{Beat: &in, Words: make([]rtl.In[uint64], 1), Ready: &taker})
	})
}
