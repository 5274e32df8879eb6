package sweep_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/sweep"
)

// small is four points of one parameter, without a wait.
func small() sweep.Plan {
	p := plan()
	p.Set = map[string]string{}
	p.Vary = []sweep.Axis{{Flag: "sides", Values: []string{"4", "8"}}}
	p.Seeds.Count = 2
	return p
}

// measured writes results into a store without a run: outcomes holds the result of a point by its number.
func measured(t *testing.T, s *sweep.Sweep, store sweep.Store, outcomes map[int]string) {
	t.Helper()
	missing, err := s.Missing(store, sweep.Options{})
	require.NoError(t, err)
	for _, pt := range missing {
		if text, ok := outcomes[pt.Number]; ok {
			require.NoError(t, store.Put(pt, &sweep.Result{Outcome: json.RawMessage(text)}, time.Second))
		}
	}
}

// A figure that some points lack has an empty cell there, and no interval. A partial merge leaves out missing points
// and has the points after them. A failed check stands in the table too. Texts stay as the experiment wrote them.
func TestFiguresThatAreNotEverywhere(t *testing.T) {
	s, store := open(t, small())
	// numbers count the combinations first: 4 and 8 sides with seed 1 are 0 and 1
	measured(t, s, store, map[int]string{
		0: `{"points":[{"seed":1,"result":{"a":1,"b":2}},{"seed":1,"result":{"b":"<&>"}}],"failed":[]}`,
		2: `{"points":[{"seed":2,"result":{"a":3}},{"seed":2,"result":{"b":null}}],"failed":["too loud","too long"]}`,
		3: `{"points":[{"seed":2,"result":{"a":5}}],"failed":[]}`,
	})
	_, err := s.Merge(store, false)
	require.ErrorContains(t, err, "1 points are missing")
	m, err := s.Merge(store, true)
	require.NoError(t, err)
	var text, table bytes.Buffer
	require.NoError(t, m.WriteJSON(&text))
	require.NoError(t, m.WriteCSV(&table))
	require.Equal(t, `sides,seed,point,error,a,b
4,1,0,,1,2
4,1,1,,,<&>
4,2,0,too loud; too long,3,
4,2,1,too loud; too long,,
8,2,0,,5,
`, table.String())
	require.Contains(t, text.String(), `"b":"<&>"`)
	var file struct {
		Points    []struct{ Number int }
		Intervals []struct {
			Point   int
			Figures map[string]struct{ Mean float64 }
		}
	}
	require.NoError(t, json.Unmarshal(text.Bytes(), &file))
	require.Equal(t, []struct{ Number int }{{0}, {2}, {3}}, file.Points)
	require.Len(t, file.Intervals, 2, "8 sides have one seed")
	require.Len(t, file.Intervals[0].Figures, 1)
	require.InDelta(t, 2, file.Intervals[0].Figures["a"].Mean, 1e-12)
	require.Empty(t, file.Intervals[1].Figures)
}

// Take counts new results, takes added seeds, and refuses a result that was changed in either store.
func TestTake(t *testing.T) {
	p := small()
	p.Seeds.Until = &sweep.Until{Figure: "mean", Half: 0.001, Most: 6}
	s, from := open(t, p)
	require.Equal(t, 12, run(t, s, from, sweep.Options{}))
	_, to := open(t, p)
	n, err := to.Take(from, s)
	require.NoError(t, err)
	require.Equal(t, 12, n)
	n, err = to.Take(from, s)
	require.NoError(t, err)
	require.Zero(t, n)
	require.Zero(t, run(t, s, to, sweep.Options{}))

	file := results(t, from)[0]
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, bytes.Replace(whole, []byte(`"mean":`), []byte(`"mean":1`), 1), 0o644))
	_, err = to.Take(from, s)
	require.ErrorContains(t, err, file+": its checksum is another")
	require.NotErrorIs(t, err, sweep.ErrDiffers)
	_, err = from.Take(to, s)
	require.ErrorContains(t, err, file+": its checksum is another: the file was changed: remove it")
}

// Results of the same length are held against each other too.
func TestADifferentResultOfTheSameLength(t *testing.T) {
	s, store := open(t, small())
	missing, err := s.Missing(store, sweep.Options{})
	require.NoError(t, err)
	require.NoError(t, store.Put(missing[0], &sweep.Result{Outcome: json.RawMessage(`{"points":[],"failed":["1"]}`)}, 0))
	require.ErrorIs(t, store.Put(missing[0], &sweep.Result{Outcome: json.RawMessage(`{"points":[],"failed":["2"]}`)}, 0),
		sweep.ErrDiffers)
}

// An error in bytes that are no text is a result like others: it is read again.
func TestAnErrorThatIsNoText(t *testing.T) {
	s, store := open(t, small())
	missing, err := s.Missing(store, sweep.Options{})
	require.NoError(t, err)
	require.NoError(t, store.Put(missing[0], &sweep.Result{Error: "open \xff.csv"}, 0))
	r, err := store.Get(missing[0])
	require.NoError(t, err)
	require.Equal(t, []string{"open \uFFFD.csv"}, r.Faults())
}

// An interrupted sweep returns an error and writes no result of points under way; the next one measures the rest.
func TestAnInterruptedSweep(t *testing.T) {
	p := plan()
	p.Set["wait"] = "200"
	s, store := open(t, p)
	ctx, cancel := context.WithCancel(t.Context())
	n, err := s.Run(ctx, store, sweep.Options{Workers: 2, Progress: func(_, total int) {
		require.Equal(t, 40, total)
		time.AfterFunc(20*time.Millisecond, cancel) // in the middle of the next points
	}})
	require.Equal(t, context.Canceled, err)
	require.Positive(t, n)
	require.Less(t, n, 40)
	require.Len(t, results(t, store), n)
	status, err := s.Status(store, sweep.Options{})
	require.NoError(t, err)
	require.True(t, status.OK())
	require.Equal(t, n, status.Done)
	require.IsIncreasing(t, status.Missing)
	require.Len(t, status.Missing, 40-n)
}

// Points share no measurements, even if the caller's context has a memory for them.
func TestPointsShareNothing(t *testing.T) {
	p := small()
	p.Seeds.Count = 1
	p.Vary = []sweep.Axis{{Flag: "word", Values: []string{"one", "two"}}}
	s, store := open(t, p)
	before := thrown.Load()
	_, err := s.Run(experiment.WithMemo(t.Context()), store, sweep.Options{})
	require.NoError(t, err)
	require.EqualValues(t, 2, thrown.Load()-before)
}

// A monitor counts the points that are done, failed and under way.
func TestMonitor(t *testing.T) {
	p := plan()
	p.Set = map[string]string{"wait": "100", "fail": "check", "at": "8"}
	p.Vary, p.Seeds.Count = p.Vary[:1], 1
	s, store := open(t, p)
	m := &sweep.Monitor{}
	text, err := json.Marshal(m.State(0))
	require.NoError(t, err)
	require.JSONEq(t, `{"seconds":0,"points":0,"finished":0,"failed":0,"running":[]}`, string(text))
	done := make(chan error, 1)
	go func() {
		_, err := s.Run(t.Context(), store, sweep.Options{Workers: 2, Monitor: m})
		done <- err
	}()
	require.Eventually(t, func() bool {
		x := m.State(0)
		return x.Points == 4 && x.Finished < 3 && len(x.Running) == 2 && x.Running[0].Number < x.Running[1].Number &&
			x.Running[0].Points == 1
	}, 10*time.Second, time.Millisecond)
	require.NoError(t, <-done)
	x := m.State(0)
	require.Equal(t, sweep.State{Seconds: x.Seconds, Points: 4, Finished: 4, Failed: 1, Running: []sweep.PointState{}}, x)
	require.Greater(t, x.Seconds, 0.1)
}
