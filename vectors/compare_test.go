package vectors_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

func TestCompareFindsNothingWrongWithTheModelItself(t *testing.T) {
	for _, u := range []vectors.Unit{adderUnit(), majorityUnit(), skidUnit(), counterUnit()} {
		s, err := vectors.Capture(u, 300, 9)
		require.NoError(t, err)
		require.NoError(t, vectors.Compare(u, s), u.Name)
		again, err := vectors.Replay(u, s)
		require.NoError(t, err)
		require.Equal(t, s, again, "a replay gives the same set, its inputs included")
	}
}

func TestCompareFindsTheFirstDifference(t *testing.T) {
	u := adderUnit()
	s, err := vectors.Capture(u, 300, 9)
	require.NoError(t, err)
	first, sum := firstLostCarry(s)

	u.Build = func(b *vectors.Bench) rtl.Module {
		m := &adder{bug: true}
		vectors.Drive(b, &m.In, vectors.Uniform[addends](b.Rand()))
		return m
	}
	var m *vectors.Mismatch
	require.ErrorAs(t, vectors.Compare(u, s), &m)
	require.Equal(t, first+1, m.Cycle)
	require.Equal(t, "out_sum", m.Field.Name)
	require.Equal(t, sum, m.Want)
	require.Equal(t, sum-256, m.Got)
	m.Cycle = 17
	m.Want, m.Got = 0x10f, 0xf
	require.EqualError(t, m, "unit test/adder: cycle 17 field out_sum wanted 10f got 00f")
}

func TestCompareSkipsWhatDoesNotCount(t *testing.T) {
	u := adderUnit()
	s, err := vectors.Capture(u, 50, 9)
	require.NoError(t, err)
	sum, valid := s.Column("out_sum"), s.Column("out_valid")
	counts := -1
	for k, row := range s.Rows {
		if row[valid] == 0 {
			row[sum] ^= 1
		} else {
			counts = k
		}
	}
	require.NoError(t, vectors.Compare(u, s))
	s.Rows[counts][sum] ^= 1
	require.ErrorContains(t, vectors.Compare(u, s), "field out_sum wanted")
}

func TestCompareWantsTheSameFields(t *testing.T) {
	s, err := vectors.Capture(adderUnit(), 5, 1)
	require.NoError(t, err)
	require.EqualError(t, vectors.Compare(counterUnit(), s), "unit test/counter: the set is one of unit test/adder")
	s.Unit = counterUnit().Name
	require.EqualError(t, vectors.Compare(counterUnit(), s),
		"unit test/counter: field 0 of the module is out out of 8 bits, of the set in in_a of 8 bits")
	short, err := vectors.Capture(counterUnit(), 5, 1)
	require.NoError(t, err)
	short.Fields = append(short.Fields, vectors.Field{Name: "more", Port: "more", Width: 1})
	require.ErrorContains(t, vectors.Compare(counterUnit(), short),
		"row 0 has 1 values, want one for each of the 2 fields")
	for i := range short.Rows {
		short.Rows[i] = append(short.Rows[i], 0)
	}
	require.EqualError(t, vectors.Compare(counterUnit(), short),
		"unit test/counter: the set has a field more, which the module does not have")
}

// first is the first flip-flop of a synchroniser; its input is of the kind that may cross clocks.
type first struct {
	In  rtl.Async[uint32]
	Tie rtl.In[uint16]
	Out rtl.Out[uint32]
}

func (f *first) Tick() { f.Out.Set(f.In.Get() + uint32(f.Tie.Get())) }

// A replay takes over inputs of every kind: inputs that may cross clocks, and inputs tied to a constant.
func TestReplayDrivesEveryKindOfInput(t *testing.T) {
	u := counterUnit()
	u.Build = func(b *vectors.Bench) rtl.Module {
		m := &first{}
		vectors.Drive(b, &m.In, func(cycle uint64) uint32 { return uint32(cycle) << 20 })
		rtl.Tie(3, &m.Tie)
		return m
	}
	s, err := vectors.Capture(u, 4, 1)
	require.NoError(t, err)
	require.Equal(t, [][]uint64{{0, 3, 0}, {1 << 20, 3, 3}, {2 << 20, 3, 1<<20 | 3}, {3 << 20, 3, 2<<20 | 3}}, s.Rows)
	s.Rows[1][1] = 7
	got, err := vectors.Replay(u, s)
	require.NoError(t, err)
	require.EqualValues(t, 1<<20|7, got.Rows[2][2])

	ports, err := rtl.Ports(&first{})
	require.NoError(t, err)
	var feed rtl.Feed
	require.PanicsWithValue(t, "rtl: Feed.Replace: port out is an output", func() { feed.Replace(&ports[2]) })
}
