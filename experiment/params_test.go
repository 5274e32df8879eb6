package experiment_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
)

// common is a struct that parameters embed.
type common struct {
	Nodes int    `flag:"nodes" min:"2" max:"512" help:"nodes around the switch"`
	Gbps  int    `flag:"gbps" choices:"25,100" unit:"Gb/s" help:"rate of the links"`
	Order string `flag:"policy" choices:"srpt,fcfs" help:"order of messages"`
}

type allKinds struct {
	common
	Loads  []float64  `flag:"loads" min:"0.01" max:"2" most:"4" help:"loads"`
	DRAM   clock.Time `flag:"dram" min:"0ns" max:"100us" help:"latency of the memory"`
	Clock  clock.Freq `flag:"clock" min:"1MHz" max:"10GHz" help:"clock of the blocks"`
	Flips  []uint64   `flag:"flip" min:"0" max:"1000" help:"bits to flip"`
	Shared bool       `flag:"shared" help:"every node asks"`
	Out    string     `flag:"out" file:"out" help:"write the messages to this file"`
	Trace  string     `arg:"FILE" file:"in" required:"true" help:"the messages"`
}

func kinds() *experiment.Defined[allKinds, allKinds, int] {
	return experiment.Define(experiment.Spec[allKinds, allKinds, int]{
		Name: "kinds", Short: "Parameters of all kinds",
		Defaults: allKinds{
			common: common{8, 100, "srpt"}, Loads: []float64{0.1, 0.9}, DRAM: clock.MustTime("45ns"),
			Clock: clock.MustFreq("390.625MHz"),
		},
		Points: func(p *allKinds, seed uint64) ([]experiment.Point[allKinds], error) {
			return experiment.One(*p, seed), nil
		},
		Run: func(_ context, _ *experiment.Run, q allKinds) (int, error) { return q.Nodes, nil },
		Report: func(*allKinds, []experiment.Result[allKinds, int]) (*experiment.Report, error) {
			return &experiment.Report{}, nil
		},
	})
}

func params(t *testing.T) *experiment.Params {
	t.Helper()
	p := kinds().Params()
	return p
}

func TestParametersAreReadAndHeldToTheirBounds(t *testing.T) {
	for _, c := range []struct{ flag, value, fault string }{
		{"nodes", "2", ""},
		{"nodes", "512", ""},
		{"nodes", "1", "1: want 2 to 512"},
		{"nodes", "513", "513: want 2 to 512"},
		{"nodes", "99999999999999999999", "99999999999999999999: want 2 to 512"},
		{"nodes", "two nodes", `"two nodes": want 2 to 512`},
		{"gbps", "25", ""},
		{"gbps", "40", "40: want 25 or 100"},
		{"policy", "fcfs", ""},
		{"policy", "", `"": want srpt or fcfs`},
		{"loads", "0.5", ""},
		{"loads", "0.5, 2,0.01", ""},
		{"loads", "0.5,0", "0: want 0.01 to 2"},
		{"loads", "NaN", "NaN: want 0.01 to 2"},
		{"loads", "1,1,1,1,1", "5 elements: want at most 4"},
		{"dram", "100us", ""},
		{"dram", "100.001us", "100.001us: want 0ns to 100us"},
		{"dram", "-1ns", "-1ns: want 0ns to 100us"},
		{"clock", "11GHz", "11GHz: want 1MHz to 10GHz"},
		{"clock", "3 furlongs", `"3 furlongs": want 1MHz to 10GHz`},
		{"flip", "-1", "-1: want 0 to 1000"},
		{"shared", "true", ""},
		{"shared", "perhaps", "perhaps cannot be read as a bool"},
	} {
		f := params(t).Find(c.flag)
		before := f.String()
		err := f.Set(c.value)
		if c.fault == "" {
			require.NoError(t, err, "%s %s", c.flag, c.value)
			require.True(t, f.IsSet)
			continue
		}
		require.EqualError(t, err, c.fault, "%s %s", c.flag, c.value)
		require.Equal(t, before, f.String(), "a value that is refused changes nothing")
		require.False(t, f.IsSet)
	}
}

func TestALongValueIsCutInItsError(t *testing.T) {
	long := make([]byte, 5000)
	for i := range long {
		long[i] = '9'
	}
	err := params(t).Find("nodes").Set(string(long))
	require.ErrorContains(t, err, "want 2 to 512")
	require.Less(t, len(err.Error()), 150)
}

// A list that is set twice has the elements of both, and the default's no more.
func TestAListGrows(t *testing.T) {
	f := params(t).Find("loads")
	require.Equal(t, "0.1,0.9", f.String())
	require.NoError(t, f.Set("0.5"))
	require.NoError(t, f.Set("0.6,0.7"))
	require.Equal(t, "0.5,0.6,0.7", f.String())
	require.EqualError(t, f.Set("1,1"), "5 elements: want at most 4")
}

func TestParametersOfOneRunDoNotChangeThoseOfAnother(t *testing.T) {
	first := params(t)
	require.NoError(t, first.Find("nodes").Set("3"))
	require.NoError(t, first.Find("loads").Set("2"))
	require.Equal(t, "8", params(t).Find("nodes").String())
	require.Equal(t, "0.1,0.9", params(t).Find("loads").String())
}

func TestMissingParameter(t *testing.T) {
	p := params(t)
	require.Equal(t, "FILE", p.Missing().Arg)
	require.NoError(t, p.Find("file").Set("messages.csv"))
	require.Nil(t, p.Missing())
}

func TestParametersAsJSON(t *testing.T) {
	b, err := json.Marshal(params(t))
	require.NoError(t, err)
	require.JSONEq(
		t,
		`{"nodes": 8, "gbps": 100, "policy": "srpt", "loads": [0.1, 0.9], "dram": "45ns", "clock": "390.625MHz", "flip": null,
		"shared": false, "out": "", "file": ""}`,
		string(b),
	)
}

// defineParams defines an experiment with these parameters and returns the panic's value.
func defineParams[P any](defaults P) (message any) {
	defer func() { message = recover() }()
	experiment.Define(experiment.Spec[P, int, int]{
		Name: "x", Short: "S", Defaults: defaults,
		Points: func(*P, uint64) ([]experiment.Point[int], error) { return nil, nil },
		Run:    func(context, *experiment.Run, int) (int, error) { return 0, nil },
		Report: func(*P, []experiment.Result[int, int]) (*experiment.Report, error) { return nil, nil },
	})
	return nil
}

func TestDeclarationsThatAreRefused(t *testing.T) {
	for want, got := range map[string]any{
		"experiment x: parameter N has no tag flag": defineParams(struct{ N int }{}),
		"experiment x: parameter N: help is not one line": defineParams(struct {
			N int `flag:"n" min:"0" max:"1"`
		}{}),
		"experiment x: parameter N: a number has the tags min and max, or choices": defineParams(struct {
			N int `flag:"n" help:"h" min:"0"`
		}{}),
		"experiment x: parameter N: the default: 7: want 0 to 1": defineParams(struct {
			N int `flag:"n" help:"h" min:"0" max:"1"`
		}{7}),
		"experiment x: parameter N: bound \"one\": one cannot be read as a int": defineParams(struct {
			N int `flag:"n" help:"h" min:"0" max:"one"`
		}{}),
		"experiment x: parameter F: a func() can be no parameter": defineParams(struct {
			F func() `flag:"f" help:"h"`
		}{}),
		"experiment x: parameter L: most \"none\" is no number above 0": defineParams(struct {
			L []int `flag:"l" help:"h" min:"0" max:"1" most:"none"`
		}{}),
		"experiment x: the parameters are a int, want a struct": defineParams(3),
		`experiment x: a parameter is called "until", as a flag that every experiment has`: defineParams(struct {
			U int `flag:"until" help:"h" min:"0" max:"1"`
		}{}),
		`experiment x: two parameters are called "n"`: defineParams(struct {
			N int `flag:"n" help:"h" min:"0" max:"1"`
			M int `flag:"n" help:"h" min:"0" max:"1"`
		}{}),
	} {
		require.Equal(t, want, got)
	}
}

// What one run does to its parameters no other run sees: an experiment reads its tags once, and hands out copies.
func TestParametersOfTwoRunsShareNothing(t *testing.T) {
	e := kinds()
	one := e.Params()
	require.NoError(t, one.Find("nodes").Set("3"))
	require.NoError(t, one.Find("loads").Set("0.5,0.6"))
	two := e.Params()
	require.Equal(t, "8", two.Find("nodes").String())
	require.Equal(t, "0.1,0.9", two.Find("loads").String())
	require.False(t, two.Find("loads").IsSet)

	out, err := e.Run(t.Context(), one, experiment.Options{})
	require.NoError(t, err)
	of := out.Points[0].Point.(allKinds)
	require.Equal(t, 3, of.Nodes)
	require.Equal(t, []float64{0.5, 0.6}, of.Loads)
	out, err = e.Run(t.Context(), two, experiment.Options{})
	require.NoError(t, err)
	of = out.Points[0].Point.(allKinds)
	require.Equal(t, 8, of.Nodes)
	of.Loads[0] = 7 // as an experiment that changes its list would
	three := e.Params()
	require.Equal(t, "0.1,0.9", three.Find("loads").String())
}
