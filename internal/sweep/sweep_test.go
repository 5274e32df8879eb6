package sweep_test

import (
	"bytes"
	stdcontext "context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/sweep"
)

// The process of a worker that is killed in the middle is this program again, with the directory of its sweep in the
// environment.
func TestMain(m *testing.M) {
	if dir := os.Getenv("SWEEP_TEST_DIR"); dir != "" {
		s, err := sweep.New(plan(), dice)
		if err == nil {
			_, err = s.Run(stdcontext.Background(), sweep.Store{Dir: dir}, sweep.Options{Workers: 2})
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type diceParams struct {
	Sides []int  `flag:"sides" min:"2" max:"100" help:"sides of the dice"`
	Throw int    `flag:"throw" min:"1" max:"1000000" help:"throws"`
	Word  string `flag:"word" help:"printed with the result"`
	Wait  int    `flag:"wait" min:"0" max:"1000" help:"milliseconds that a point takes at least"`
	Fail  string `flag:"fail" choices:"no,check,error,panic" help:"what goes wrong"`
	At    int    `flag:"at" min:"0" max:"100" help:"the number of sides with which it goes wrong"`
	Chart string `flag:"chart" file:"out" help:"a file"`
	Table string `flag:"table" file:"in" help:"a file"`
}

type dicePoint struct {
	Sides, Throw int
	Fail         string
	Wait         int
}

type diceResult struct {
	Mean   float64        `json:"mean"`
	Seen   map[string]int `json:"seen"`
	Pretty string         `json:"pretty"`
	Null   *float64       `json:"null"`
	List   []int          `json:"list"`
}

var thrown atomic.Int64 // how many points were measured by this process

// dice throws dice.
var dice = experiment.Define(experiment.Spec[diceParams, dicePoint, diceResult]{
	Name: "dice", Short: "Throw dice",
	Defaults: diceParams{Sides: []int{6}, Throw: 10, Fail: "no"},
	Check: func(p *diceParams) error {
		if p.Sides[0] == 13 {
			return errors.New("there are no dice with 13 sides")
		}
		return nil
	},
	Points: func(p *diceParams, seed uint64) (points []experiment.Point[dicePoint], _ error) {
		for _, n := range p.Sides {
			q := dicePoint{Sides: n, Throw: p.Throw, Fail: "no", Wait: p.Wait}
			if n == p.At {
				q.Fail = p.Fail
			}
			points = append(points, experiment.Point[dicePoint]{Params: q, Seed: seed})
		}
		return points, nil
	},
	Run: func(ctx stdcontext.Context, run *experiment.Run, q dicePoint) (r diceResult, _ error) {
		thrown.Add(1)
		select {
		case <-ctx.Done():
			return r, ctx.Err()
		case <-time.After(time.Duration(q.Wait) * time.Millisecond):
		}
		rng := rand.New(rand.NewPCG(run.Seed, 0))
		r.Seen = map[string]int{"low": 0, "high": 0}
		for range q.Throw {
			x := rng.IntN(q.Sides) + 1
			r.Mean += float64(x) / float64(q.Throw)
			if 2*x <= q.Sides {
				r.Seen["low"]++
			} else {
				r.Seen["high"]++
			}
			r.List = append(r.List[:0], x)
		}
		r.Pretty = "a, \"b\" <c>"
		switch q.Fail {
		case "error":
			return r, errors.New("the die fell off the table")
		case "panic":
			var none []int
			return r, fmt.Errorf("%d", none[q.Sides])
		}
		return r, nil
	},
	Report: func(p *diceParams, done []experiment.Result[dicePoint, diceResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		for _, d := range done {
			if d.Point.Fail == "check" {
				r.Failf("%d sides: loaded dice", d.Point.Sides)
			}
		}
		return r, nil
	},
})

// plan is 40 points: 4 dice, 2 words, 5 seeds.
func plan() sweep.Plan {
	p := sweep.NewPlan("test/dice")
	p.Source = "revision 0123"
	p.Set["wait"] = "20"
	p.Vary = []sweep.Axis{{Flag: "sides", Values: []string{"4", "6", "8", "20"}},
		{Flag: "throw", Values: []string{"10", "100"}}}
	p.Seeds.Count = 5
	return p
}

func open(t *testing.T, p sweep.Plan) (*sweep.Sweep, sweep.Store) {
	t.Helper()
	s, err := sweep.New(p, dice)
	require.NoError(t, err)
	return s, sweep.Store{Dir: t.TempDir()}
}

func merged(t *testing.T, s *sweep.Sweep, store sweep.Store) (text, table string) {
	t.Helper()
	m, err := s.Merge(store, false)
	require.NoError(t, err)
	var a, b bytes.Buffer
	require.NoError(t, m.WriteJSON(&a))
	require.NoError(t, m.WriteCSV(&b))
	require.True(t, json.Valid(a.Bytes()))
	return a.String(), b.String()
}

func run(t *testing.T, s *sweep.Sweep, store sweep.Store, opt sweep.Options) int {
	t.Helper()
	n, err := s.Run(t.Context(), store, opt)
	require.NoError(t, err)
	return n
}

// results lists the files of results.
func results(t *testing.T, store sweep.Store) (files []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(store.Dir, "results"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".json" && !strings.HasPrefix(d.Name(), ".") {
			files = append(files, path)
		}
		return nil
	})
	require.NoError(t, err)
	return files
}

// A sweep on the pool, in shards of copies that are merged, and by a worker that is killed in the middle and resumed
// gives the same bytes.
func TestTheSameBytesWhateverRanWhere(t *testing.T) {
	s, pool := open(t, plan())
	require.Equal(t, 40, run(t, s, pool, sweep.Options{Workers: 8}))
	text, table := merged(t, s, pool)
	require.Zero(t, run(t, s, pool, sweep.Options{}), "nothing is measured twice")

	// the merged file holds the same outcomes as a run of the experiment alone
	var file struct {
		Points []struct {
			Vary    map[string]string
			Seed    uint64
			Outcome json.RawMessage
		}
		Intervals []struct {
			Vary    map[string]string
			Figures map[string]struct {
				Mean float64
				Runs int
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text), &file))
	require.Len(t, file.Points, 40)
	means := map[string]float64{}
	for i, pt := range file.Points {
		params := dice.Params()
		for flag, value := range map[string]string{"sides": pt.Vary["sides"], "throw": pt.Vary["throw"], "wait": "20"} {
			require.NoError(t, params.Find(flag).Set(value))
		}
		require.Equal(t, uint64(i%5+1), pt.Seed)
		out, err := dice.Run(t.Context(), params, experiment.Options{Seed: pt.Seed})
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, out.WriteJSON(&b))
		require.JSONEq(t, b.String(), string(pt.Outcome))
		means[pt.Vary["sides"]+"x"+pt.Vary["throw"]] += out.Points[0].Result.(diceResult).Mean / 5
	}
	require.Len(t, file.Intervals, 8)
	for _, x := range file.Intervals {
		require.InDelta(t, means[x.Vary["sides"]+"x"+x.Vary["throw"]], x.Figures["mean"].Mean, 1e-9)
		require.Equal(t, 5, x.Figures["seen.low"].Runs)
		require.NotContains(t, x.Figures, "list")
	}
	lines := strings.Split(strings.TrimSpace(table), "\n")
	require.Len(t, lines, 41)
	require.Equal(t, "sides,throw,seed,point,error,mean,seen.high,seen.low,pretty,null", lines[0])
	require.Regexp(t, `^4,10,1,0,,[0-9.]+,[0-9]+,[0-9]+,"a, ""b"" <c>",$`, lines[1])

	// three shards, each in a directory of its own
	var stores []sweep.Store
	total := 0
	for i := range 3 {
		store := sweep.Store{Dir: t.TempDir()}
		n := run(t, s, store, sweep.Options{Workers: 8, Share: sweep.Share{Index: i, Of: 3}})
		require.InDelta(t, 40.0/3, n, 1)
		total += n
		stores = append(stores, store)
	}
	require.Equal(t, 40, total)
	_, err := s.Merge(stores[0], false)
	require.ErrorContains(t, err, "points are missing")
	for _, from := range stores[1:] {
		_, err := stores[0].Take(from, s)
		require.NoError(t, err)
	}
	again, tableAgain := merged(t, s, stores[0])
	require.Equal(t, text, again)
	require.Equal(t, table, tableAgain)

	// a worker that is killed
	store := sweep.Store{Dir: t.TempDir()}
	worker := exec.CommandContext(t.Context(), os.Args[0])
	worker.Env = append(os.Environ(), "SWEEP_TEST_DIR="+store.Dir)
	var said bytes.Buffer
	worker.Stderr = &said
	require.NoError(t, os.MkdirAll(filepath.Join(store.Dir, "results"), 0o755))
	require.NoError(t, worker.Start())
	require.Eventually(t, func() bool { return len(results(t, store)) >= 5 }, 20*time.Second,
		5*time.Millisecond, "%s", &said)
	require.NoError(t, worker.Process.Kill())
	require.Error(t, worker.Wait())
	left := len(results(t, store))
	require.Less(t, left, 40, "the worker was killed too late")
	require.Equal(t, 40-left, run(t, s, store, sweep.Options{Workers: 8}))
	again, _ = merged(t, s, store)
	require.Equal(t, text, again)
}

// A point that fails is measured once and reported once, with the command that runs it alone; the others are not held
// up.
func TestAFailureIsReportedOnce(t *testing.T) {
	for fail, want := range map[string]string{
		"check": "8 sides: loaded dice",
		"error": "the die fell off the table",
		"panic": "panic in github.com/goldwire/goldwire/internal/sweep_test.init.func3, line N: runtime error: index out " +
			"of range [8] with length 0",
	} {
		p := plan()
		p.Set = map[string]string{"fail": fail, "at": "8", "word": "it's"}
		p.Vary = p.Vary[:1]
		p.Seeds.Count = 1
		s, store := open(t, p)
		before := thrown.Load()
		require.Equal(t, 4, run(t, s, store, sweep.Options{}))
		require.Zero(t, run(t, s, store, sweep.Options{}))
		require.EqualValues(t, 4, thrown.Load()-before)
		status, err := s.Status(store, sweep.Options{})
		require.NoError(t, err)
		require.True(t, status.Complete())
		require.False(t, status.OK())
		require.Len(t, status.Failures, 1)
		f := status.Failures[0]
		require.Equal(t, 2, f.Number)
		require.Len(t, f.Faults, 1)
		require.Regexp(t, "^"+strings.NewReplacer("[", `\[`, "N", "[0-9]+", "init.func3",
			`init\.func[0-9]`).Replace(want)+"$", f.Faults[0])
		require.Equal(t, `goldwire run test dice --at 8 --fail `+fail+` --word 'it'\''s' --sides 8 --seed 1`, f.Command)
		text, table := merged(t, s, store)
		require.Equal(t, 1, strings.Count(text, f.Faults[0]))
		require.Equal(t, 5, strings.Count(table, "\n"))
	}
}

// Two machines must come to the same bytes.
func TestADifferentResultOfTheSamePointIsRefused(t *testing.T) {
	s, store := open(t, plan())
	run(t, s, store, sweep.Options{Workers: 8})
	missing, err := s.Missing(sweep.Store{Dir: t.TempDir()}, sweep.Options{})
	require.NoError(t, err)
	pt := missing[7]
	same, err := store.Get(pt)
	require.NoError(t, err)
	require.NoError(t, store.Put(pt, same, time.Hour), "wall time is no part of a result")

	other := sweep.Store{Dir: t.TempDir()}
	require.NoError(t, other.Put(pt,
		&sweep.Result{Outcome: json.RawMessage(`{"points":[{"seed":1,"result":{"mean":4}}],"failed":[]}`)}, 0))
	_, err = store.Take(other, s)
	require.ErrorIs(t, err, sweep.ErrDiffers)
	status, err := s.Status(store, sweep.Options{})
	require.NoError(t, err)
	require.False(t, status.OK())
	require.Len(t, status.Differs, 1)
	kept, err := store.Get(pt)
	require.NoError(t, err)
	require.Equal(t, same, kept)
}

// A file that is cut, changed or another's is refused with a line that names it, never taken for a result.
func TestDamagedResults(t *testing.T) {
	s, store := open(t, plan())
	run(t, s, store, sweep.Options{Workers: 8})
	files := results(t, store)
	a, err := os.ReadFile(files[0])
	require.NoError(t, err)
	b, err := os.ReadFile(files[1])
	require.NoError(t, err)
	for _, c := range []struct{ text, want string }{
		{string(a[:len(a)/2]), "not the whole of one"},
		{"", "not the whole of one"},
		{string(b), "the result of another point than its name says"},
		{strings.Replace(string(a), `"mean":`, `"mean":1`, 1), "the file was changed"},
		{strings.Replace(string(a), `"outcome":`, `"other":`, 1), "the file was changed"},
	} {
		require.NoError(t, os.WriteFile(files[0], []byte(c.text), 0o644))
		_, err := s.Status(store, sweep.Options{})
		require.ErrorContains(t, err, files[0]+": ")
		require.ErrorContains(t, err, c.want)
		_, err = s.Run(t.Context(), store, sweep.Options{})
		require.ErrorContains(t, err, c.want)
	}
	require.NoError(t, os.Remove(files[0]))
	require.Equal(t, 1, run(t, s, store, sweep.Options{}))
	now, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Equal(t, string(a), string(now))
}

// Everything that decides a result is in its key, and nothing else.
func TestKeys(t *testing.T) {
	key := func(change func(p *sweep.Plan)) string {
		p := plan()
		change(&p)
		s, store := open(t, p)
		missing, err := s.Missing(store, sweep.Options{})
		require.NoError(t, err)
		for _, pt := range missing {
			if pt.Combination == 0 && pt.Seed == p.Seeds.First {
				return pt.Key
			}
		}
		t.Fatal("there is no first point")
		return ""
	}
	same := key(func(*sweep.Plan) {})
	require.Len(t, same, 64)
	for name, change := range map[string]func(p *sweep.Plan){
		"more seeds":         func(p *sweep.Plan) { p.Seeds.Count = 9 },
		"other values":       func(p *sweep.Plan) { p.Vary[0].Values = []string{"4", "100"} },
		"another order":      func(p *sweep.Plan) { p.Vary[0], p.Vary[1] = p.Vary[1], p.Vary[0] },
		"a default that set": func(p *sweep.Plan) { p.Set["fail"] = "no" },
		"set, not varied":    func(p *sweep.Plan) { p.Set["throw"], p.Vary = "10", p.Vary[:1] },
	} {
		require.Equal(t, same, key(change), name)
	}
	keys := map[string]string{same: "unchanged"}
	for name, change := range map[string]func(p *sweep.Plan){
		"seed":      func(p *sweep.Plan) { p.Seeds.First = 2 },
		"source":    func(p *sweep.Plan) { p.Source = "revision 0124" },
		"parameter": func(p *sweep.Plan) { p.Set["word"] = "x" },
		"value":     func(p *sweep.Plan) { p.Vary[0].Values[0] = "5" },
		"design":    func(p *sweep.Plan) { p.Experiment = "other/dice" },
	} {
		k := key(change)
		require.NotContains(t, keys, k, name)
		keys[k] = name
	}
}

func TestPlansThatAreRefused(t *testing.T) {
	for want, change := range map[string]func(p *sweep.Plan){
		`test/dice: no parameter "sizes"`:       func(p *sweep.Plan) { p.Vary[0].Flag = "sizes" },
		`--sides varies twice`:                  func(p *sweep.Plan) { p.Vary[1] = p.Vary[0] },
		`--sides is set and varies too`:         func(p *sweep.Plan) { p.Set["sides"] = "6" },
		`--sides 101: want 2 to 100`:            func(p *sweep.Plan) { p.Vary[0].Values[3] = "101" },
		`--sides has 0 values: want 1 to 10000`: func(p *sweep.Plan) { p.Vary[0].Values = nil },
		`--sides 4 --throw 10: the same point as --sides 4 ` +
			`--throw 10`: func(p *sweep.Plan) { p.Vary[1].Values = []string{"10", "10"} },
		`--sides 13 --throw 10: there are no dice with 13 sides`:          func(p *sweep.Plan) { p.Vary[0].Values[1] = "13" },
		`--chart writes a file, which the points of a sweep cannot share`: func(p *sweep.Plan) { p.Set["chart"] = "x.svg" },
		`more than 100000 points`:                                         func(p *sweep.Plan) { p.Seeds.Count = 12_501 },
		`0 seeds: want 1 to 100000`:                                       func(p *sweep.Plan) { p.Seeds.Count = 0 },
		`one seed has no interval: want at least 2 at a time`: func(p *sweep.Plan) {
			p.Seeds.Count, p.Seeds.Until = 1, &sweep.Until{Figure: "mean", Half: 1, Most: 9}
		},
		`at most 3 seeds: want 5 to 100000`: func(p *sweep.Plan) {
			p.Seeds.Until = &sweep.Until{Figure: "mean", Half: 1,
				Most: 3}
		},
		`want an interval above 0, either in the figure's unit or as a share of ` +
			`its mean`: func(p *sweep.Plan) { p.Seeds.Until = &sweep.Until{Figure: "mean", Most: 9} },
		`first seed 18446744073709551615: want at most ` +
			`18446744073709451615`: func(p *sweep.Plan) { p.Seeds.First = math.MaxUint64 },
		`--word "\xff": want UTF-8`:                        func(p *sweep.Plan) { p.Set["word"] = "\xff" },
		`--table "/etc/passwd": want an input of the plan`: func(p *sweep.Plan) { p.Set["table"] = "/etc/passwd" },
		`plan of schema 2: want 1`:                         func(p *sweep.Plan) { p.Schema = 2 },
		`a plan of "test/cards": the experiment is dice`:   func(p *sweep.Plan) { p.Experiment = "test/cards" },
	} {
		p := plan()
		change(&p)
		_, err := sweep.New(p, dice)
		require.ErrorContains(t, err, want)
	}
	for most, want := range map[int]string{12_500: "", 12_501: "more than 100000 points",
		100_000: "more than 100000 points"} {
		p := plan()
		p.Seeds.Until = &sweep.Until{Figure: "mean", Half: 1, Most: most}
		_, err := sweep.New(p, dice)
		if want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
	}
}
