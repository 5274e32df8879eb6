package experiment_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
)

// wires are flags that points of several experiments have.
type wires struct {
	Lanes  int     `flag:"lanes" min:"1" max:"8" help:"lanes" json:"lanes"`
	Metres float64 `flag:"metres" min:"0" max:"500" unit:"m" help:"length" json:"metres"`
}

type gridPoint struct {
	wires
	Load  float64 `flag:"-" json:"load" column:"Load" format:"%.1f"`
	Whole bool    `flag:"whole" help:"all of it" json:"whole"`
}

// gridParams vary the length, outermost, and the load.
type gridParams struct {
	Lengths   []float64 `flag:"metres" each:"Metres" min:"1" max:"100" unit:"m" help:"lengths"`
	gridPoint `hide:"lanes"`
	Loads     []float64 `flag:"load" each:"Load" min:"0" max:"1" help:"loads"`
	Out       string    `flag:"out" file:"out" help:"a file"`
}

type gridResult struct {
	Sum   float64    `json:"sum" column:"Sum m" format:"%.2f"`
	Spare *float64   `json:"spare" column:"Spare"`
	Inner gridDetail `json:"inner"`
	Not   int        `json:"not_shown"`
}

type gridDetail struct {
	Name string `json:"name" column:"Name"`
}

func gridExperiment() *experiment.Defined[gridParams, gridPoint, gridResult] {
	return experiment.Define(experiment.Spec[gridParams, gridPoint, gridResult]{
		Name: "grid", Short: "Points of lists",
		Defaults: gridParams{Lengths: []float64{10, 20}, gridPoint: gridPoint{wires: wires{4, 7}}, Loads: []float64{0.5, 1}},
		Fit: func(q *gridPoint) error {
			if q.Load*q.Metres > 90 {
				return fmt.Errorf("%g m at load %g", q.Metres, q.Load)
			}
			return nil
		},
		Run: func(_ context, _ *experiment.Run, q gridPoint) (gridResult, error) {
			return gridResult{Sum: q.Metres + q.Load, Inner: gridDetail{fmt.Sprint(q.Lanes)}}, nil
		},
		Report: func(_ *gridParams, done []experiment.Result[gridPoint, gridResult]) (*experiment.Report, error) {
			r := &experiment.Report{}
			r.Table(experiment.Tabulate("grid", done))
			return r, nil
		},
	})
}

func TestPointsAreTheCombinationsOfLists(t *testing.T) {
	e := gridExperiment()
	p := e.Params()
	require.NoError(t, p.Find("load").Set("0.25,0.75,0"))
	require.NoError(t, p.Find("whole").Set("true"))
	out, err := e.Run(background, p, experiment.Options{Seed: 3})
	require.NoError(t, err)
	var got []string
	for _, f := range out.Points {
		require.Equal(t, uint64(3), f.Seed)
		b, err := json.Marshal(f.Point)
		require.NoError(t, err)
		got = append(got, string(b))
	}
	require.Equal(t, []string{
		`{"lanes":4,"metres":10,"load":0.25,"whole":true}`, `{"lanes":4,"metres":10,"load":0.75,"whole":true}`,
		`{"lanes":4,"metres":10,"load":0,"whole":true}`,
		`{"lanes":4,"metres":20,"load":0.25,"whole":true}`, `{"lanes":4,"metres":20,"load":0.75,"whole":true}`,
		`{"lanes":4,"metres":20,"load":0,"whole":true}`,
	}, got)
	b, err := json.Marshal(p)
	require.NoError(t, err)
	require.JSONEq(t, `{"metres":[10,20],"load":[0.25,0.75,0],"whole":true,"out":""}`, string(b))
}

func TestNearerFlagsHideDeeperOnesAndHideTagsTheRest(t *testing.T) {
	p := gridExperiment().Params()
	var flags []string
	for _, f := range p.Fields {
		flags = append(flags, f.Flag)
	}
	require.Equal(t, []string{"metres", "whole", "load", "out"}, flags)
	require.EqualError(t, p.Find("metres").Set("0.5"), "0.5: want 1 to 100 m", "the nearer bounds hold")
}

func TestFitRefusesPoints(t *testing.T) {
	e := gridExperiment()
	p := e.Params()
	require.NoError(t, p.Find("metres").Set("10,100"))
	_, err := e.Plan(p, 1)
	require.EqualError(t, err, "100 m at load 1")
}

func TestColumnsComeFromTags(t *testing.T) {
	spare := 7.5
	done := []experiment.Result[gridPoint, gridResult]{
		{Point: gridPoint{Load: 0.5}, Value: gridResult{Sum: 1.234, Inner: gridDetail{"a"}}},
		{Point: gridPoint{Load: 1}, Value: gridResult{Sum: 2, Spare: &spare, Inner: gridDetail{"b"}}},
	}
	table := experiment.Tabulate("t", done)
	require.Equal(t, experiment.Columns("Load", "%.1f", "Sum m", "%.2f", "Spare", "", "Name", ""), table.Columns)
	require.Equal(t, [][]any{{0.5, 1.234, "", "a"}, {1.0, 2.0, 7.5, "b"}}, table.Rows)
	var pointers []experiment.Result[gridPoint, *gridResult]
	for _, d := range done {
		pointers = append(pointers, experiment.Result[gridPoint, *gridResult]{Point: d.Point, Value: &d.Value})
	}
	require.Equal(t, table.Rows, experiment.Tabulate("t", pointers).Rows)
	require.Equal(t, table.Rows[0][1:], experiment.TableOf("t", []gridResult{done[0].Value}).Rows[0])
}

func TestListsOfNoFieldAreFoundWhenTheProgramStarts(t *testing.T) {
	require.PanicsWithValue(t, `experiment x: parameter Loads: a []int is no list of the field "Load" of a point`, func() {
		type P struct {
			gridPoint
			Loads []int `flag:"load" each:"Load" min:"0" max:"1" help:"loads"`
		}
		listed[P]()
	})
	require.PanicsWithValue(
		t,
		`experiment x: parameter Loads: a []float64 is no list of the field "Lode" of a point`,
		func() {
			type P struct {
				gridPoint
				Loads []float64 `flag:"load" each:"Lode" min:"0" max:"1" help:"loads"`
			}
			listed[P]()
		},
	)
	require.PanicsWithValue(t, `experiment x: the parameters have no experiment_test.gridPoint in them`, func() {
		type P struct {
			Loads []float64 `flag:"load" each:"Load" min:"0" max:"1" help:"loads"`
		}
		listed[P]()
	})
}

func listed[P any]() {
	experiment.Define(experiment.Spec[P, gridPoint, int]{Name: "x", Short: "x",
		Run: func(context, *experiment.Run, gridPoint) (int, error) { return 0, nil },
		Report: func(*P, []experiment.Result[gridPoint, int]) (*experiment.Report, error) {
			return &experiment.Report{}, nil
		},
	})
}
