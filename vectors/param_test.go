package vectors_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// stepper counts in steps.
type stepper struct {
	Out rtl.Out[uint8]

	step uint8
}

func (s *stepper) Tick() { s.Out.Set(s.Out.Get() + s.step) }

func stepperUnit() vectors.Unit {
	u := vectors.Parametric([]vectors.Param{
		{Name: "step", Default: 2, Min: 1, Max: 16, Power: true, Help: "added in a cycle", RTL: "STEP"},
		{Name: "spare", Max: 9, Help: "less than step"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		if p.Get("spare") >= p.Get("step") {
			return vectors.Unit{}, errors.New("spare is not below step")
		}
		return vectors.Unit{Name: "test/stepper", Doc: "Counts.", Clock: clock.MHz(1),
			Build: func(*vectors.Bench) rtl.Module { return &stepper{step: uint8(p.Get("step"))} }}, nil
	})
	u.RTL = "module other #(parameter STEP = 9) ();\nendmodule\n" +
		"module test_stepper #(parameter [7:0] STEP = 8'h02, parameter OTHER = 2) ();\nendmodule\n"
	return u
}

// A parameter changes the model and the reference RTL; parameters not given stay.
func TestParametersReachModelAndRTL(t *testing.T) {
	u := stepperUnit()
	require.Equal(t, "step=2,spare=0", u.Settings.String())
	v, err := u.WithParams("step=8", "spare=3")
	require.NoError(t, err)
	require.Equal(t, "step=8,spare=3", v.Settings.String())
	require.Contains(t, v.RTL, "module other #(parameter STEP = 9)")
	require.Contains(t, v.RTL, "module test_stepper #(parameter [7:0] STEP = 8, parameter OTHER = 2)")
	w, err := v.WithParams("spare=0")
	require.NoError(t, err)
	require.EqualValues(t, 8, w.Settings.Get("step"))
	s, err := vectors.Capture(w, 3, 1)
	require.NoError(t, err)
	require.Equal(t, [][]uint64{{0}, {8}, {16}}, s.Rows)
	require.Equal(t, "step=2,spare=0", u.Settings.String(), "the unit itself stays")
}

func TestParametersAreRefused(t *testing.T) {
	for _, c := range []struct {
		want string
		list []string
	}{
		{`parameter "step": want NAME=NUMBER`, []string{"step"}},
		{`parameter "step=two": want NAME=NUMBER`, []string{"step=two"}},
		{`parameter "stop": unit test/stepper has none of the name; it has step, spare`, []string{"stop=2"}},
		{`parameter step is given twice`, []string{"step=2", "step=4"}},
		{`parameter step=32 of unit test/stepper: want 1 to 16, a power of two`, []string{"step=32"}},
		{`parameter step=3 of unit test/stepper: want 1 to 16, a power of two`, []string{"step=3"}},
		{`parameters step=1,spare=1 of unit test/stepper: spare is not below step`, []string{"step=1", "spare=1"}},
	} {
		_, err := stepperUnit().WithParams(c.list...)
		require.EqualError(t, err, c.want)
	}
	_, err := stepperUnit().WithParams("step=16", "spare=9")
	require.NoError(t, err, "a bound is within")
	_, err = adderUnit().WithParams("step=2")
	require.EqualError(t, err, `parameter "step": unit test/adder has none`)
}

// A set records its parameters, and does not fit the unit at other values.
func TestASetRecordsItsParameters(t *testing.T) {
	v, err := stepperUnit().WithParams("step=4")
	require.NoError(t, err)
	dir, s := export(t, v, 20)
	require.Contains(t, readFile(t, dir, "manifest.json"), `"name": "step",`)
	require.Contains(t, readFile(t, dir, "README.txt"), "At the parameters step=4,spare=0")
	back, err := vectors.Read(dir)
	require.NoError(t, err)
	require.Equal(t, s.Settings, back.Settings)
	require.NoError(t, vectors.Compare(v, back))
	require.EqualError(t, vectors.Compare(stepperUnit(), back),
		"unit test/stepper at step=2,spare=0: the set is one at step=4,spare=0")
	settings, err := vectors.ReadSettings(dir)
	require.NoError(t, err)
	require.Equal(t, v.Settings, settings)
}
