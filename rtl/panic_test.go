package rtl_test

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// mine adds its input. Some edge may be its last.
type mine struct {
	Near, Far rtl.In[uint64]
	Out       rtl.Out[uint64]

	edges int
	last  func(edge int) `state:"none"`
}

func (m *mine) Tick() {
	m.edges++
	if m.last != nil {
		m.last(m.edges)
	}
	m.Out.Set(m.Near.Get() + m.Far.Get() + 1)
}

// watch calls a function at each instant.
type watch func()

func (w watch) Observe(rtl.Edges) { w() }

// minefield is four rings of three modules, each ring an island if they are joined by long delays.
func minefield(t *testing.T, workers int, islands bool) (*rtl.Sim, [][]mine) {
	sim := rtl.New(rtl.Config{Mode: rtl.Parallel, Workers: workers})
	clk := sim.Clock("clk", clock.MHz(100))
	rings := make([][]mine, 4)
	for g := range rings {
		rings[g] = make([]mine, 3)
		for i := range rings[g] {
			sim.Scope(fmt.Sprintf("g%d", g)).On(clk).Add(fmt.Sprintf("m%d", i), &rings[g][i])
		}
	}
	for g, ring := range rings {
		for i := range ring {
			rtl.Connect(&ring[(i+1)%3].Out, &ring[i].Near)
			if src := &rings[(g+1)%4][i].Out; islands {
				d := &rtl.Delay[uint64]{Edges: 20}
				sim.Scope(fmt.Sprintf("g%d", g)).On(clk).Add(fmt.Sprintf("d%d", i), d)
				rtl.Connect(src, &d.In)
				rtl.Connect(&d.Out, &ring[i].Far)
			} else {
				rtl.Connect(src, &ring[i].Far)
			}
		}
	}
	require.NoError(t, sim.Elaborate())
	require.Equal(t, islands, len(sim.Islands()) == 4)
	return sim, rings
}

// A panic on any worker ends the run and comes out where the run was called, with its value and where it was. No
// goroutine is left, and the simulation says that it cannot go on.
func TestPanicOnAWorker(t *testing.T) {
	boom := errors.New("boom")
	for _, islands := range []bool{false, true} {
		for _, workers := range []int{2, 3, 4} {
			for where := range 4 { // a module of the first and of the last worker, one observer of everything, one of an island
				t.Run(fmt.Sprintf("%v_%d_%d", islands, workers, where), func(t *testing.T) {
					sim, rings := minefield(t, workers, islands)
					instants := 0
					at300 := watch(func() {
						if instants++; instants == 300 {
							panic(boom)
						}
					})
					at := func(edge int) {
						if edge == 300 {
							panic(boom)
						}
					}
					switch where {
					case 0:
						rings[0][0].last = at
					case 1:
						rings[3][2].last = at
					case 2:
						sim.Observe(at300)
					case 3:
						sim.Watch(at300, &rings[2][0])
					}
					before := runtime.NumGoroutine()
					got := recovered(func() { _ = sim.Clocks()[0].Run(1000) })
					require.IsType(t, &rtl.Panic{}, got)
					p := got.(*rtl.Panic)
					require.Equal(t, boom, p.Value)
					require.Contains(t, p.Error(), "boom\n\ngoroutine ")
					require.Contains(t, p.Error(), "panic_test.go:")
					if where < 2 {
						require.Regexp(
							t,
							`^rtl: panic in Tick of g0\.m0 or g0\.m1 or g0\.m2, …, after edge \d+ of clk: boom\n`,
							p.Error(),
						)
					}
					for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
						require.True(t, time.Now().Before(end), "goroutines are left")
					}
					for name, again := range map[string]func(){
						"Run":  func() { _ = sim.Clocks()[0].Run(1) },
						"Step": func() { _ = sim.Step() },
						"Save": func() { _ = sim.Save(io.Discard) },
					} {
						require.Equal(
							t, "rtl: "+name+": a run panicked and left the simulation in the middle of an instant",
							recovered(again),
						)
					}
				})
			}
		}
	}
}

// Workers that wait for nobody, or for each other alone, end soon after another one has panicked.
func TestPanicOfAWorkerThatNobodyWaitsFor(t *testing.T) {
	for _, workers := range []int{2, 3} {
		// edges have a common period: then parts that share nothing are islands
		for _, together := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d_%v", workers, together), func(t *testing.T) {
				sim := rtl.New(rtl.Config{Mode: rtl.Parallel, Workers: workers})
				odd := sim.Clock("odd", clock.MHz(100))
				clocks := []*rtl.Clock{odd, odd, odd}
				if !together {
					clocks[0] = sim.Clock("other", clock.MHz(100.000007))
				}
				modules := make([]*mine, workers)
				for i := range modules {
					modules[i] = &mine{}
					sim.Scope(fmt.Sprintf("g%d", i)).On(clocks[i]).Add("m", modules[i])
				}
				for i, m := range modules { // the first one is alone, the others read each other
					near := modules[max(1, workers-i)%workers]
					if i == 0 {
						near = m
					}
					rtl.Connect(&near.Out, &m.Near)
					rtl.Connect(&m.Out, &m.Far)
				}
				require.NoError(t, sim.Elaborate())
				modules[0].last = func(edge int) {
					if edge == 100 {
						panic("boom")
					}
				}
				const cycles = 30_000_000
				p, is := recovered(func() { _ = sim.Clocks()[0].Run(cycles) }).(*rtl.Panic)
				require.True(t, is)
				require.Equal(t, "boom", p.Value)
				require.Equal(t, 100, modules[0].edges)
				for _, m := range modules[1:] {
					require.Less(t, m.edges, cycles/2)
				}
			})
		}
	}
}

// So it is on one goroutine, in every mode and by every way to run: the message has the module, the cycle and the
// value, and the simulation does not go on. Of a run whose function panics after an edge nothing is in the middle.
func TestPanicOnTheOnlyWorker(t *testing.T) {
	boom := errors.New("boom")
	abandoned := ": a run panicked and left the simulation in the middle of an instant"
	for name, c := range map[string]struct {
		cfg      rtl.Config
		observed bool
		run      func(*rtl.Sim)
	}{
		"Run":           {rtl.Config{}, false, func(s *rtl.Sim) { _ = s.Clocks()[0].Run(10) }},
		"Run, observed": {rtl.Config{}, true, func(s *rtl.Sim) { _ = s.Clocks()[0].Run(10) }},
		"Run, strict":   {rtl.Config{Mode: rtl.Strict}, false, func(s *rtl.Sim) { _ = s.Clocks()[0].Run(10) }},
		"RunEach":       {rtl.Config{}, false, func(s *rtl.Sim) { _ = s.Clocks()[0].RunEach(10, func() {}) }},
		"Step":          {rtl.Config{}, false, func(s *rtl.Sim) { _, _, _ = s.Step(), s.Step(), s.Step() }},
		"Step, strict":  {rtl.Config{Mode: rtl.Strict}, false, func(s *rtl.Sim) { _, _, _ = s.Step(), s.Step(), s.Step() }},
		"RunEach, strict": {rtl.Config{Mode: rtl.Strict}, false,
			func(s *rtl.Sim) { _ = s.Clocks()[0].RunEach(10, func() {}) }},
	} {
		t.Run(name, func(t *testing.T) {
			sim := rtl.New(c.cfg)
			m := &mine{last: func(edge int) {
				if edge == 3 {
					panic(boom)
				}
			}}
			sim.Scope("m").On(sim.Clock("clk", clock.MHz(100))).Add("m", m)
			rtl.Connect(&m.Out, &m.Near)
			rtl.Connect(&m.Out, &m.Far)
			require.NoError(t, sim.Elaborate())
			m.Out.Set(0) // strict mode wants it driven before it is read
			if c.observed {
				sim.Observe(watch(func() {}))
			}
			p, is := recovered(func() { c.run(sim) }).(*rtl.Panic)
			require.True(t, is)
			require.ErrorIs(t, p, boom)
			when := "at edge 3"
			if name == "Run" { // in a window: the clocks tell only where it began
				when = "after edge 0"
			}
			require.Equal(t, "rtl: panic in Tick of m.m, "+when+" of clk", p.Where)
			require.EqualError(t, p, p.Where+": boom")
			require.Equal(t, "rtl: Run"+abandoned, recovered(func() { _ = sim.Clocks()[0].Run(1) }))
			require.Equal(t, "rtl: RunEach"+abandoned, recovered(func() { _ = sim.Clocks()[0].RunEach(1, func() {}) }))
			require.Equal(t, "rtl: Step"+abandoned, recovered(func() { _ = sim.Step() }))
			require.Equal(t, "rtl: Save"+abandoned, recovered(func() { _ = sim.Save(io.Discard) }))
		})
	}
	sim, rings := minefield(t, 1, false)
	rings[0][0].last = func(edge int) {
		if edge == 3 {
			runtime.Goexit() // as a test does that has failed
		}
	}
	ended := make(chan bool)
	go func() {
		defer close(ended)
		_ = sim.Clocks()[0].Run(10)
	}()
	<-ended
	require.Equal(t, "rtl: Run"+abandoned, recovered(func() { _ = sim.Clocks()[0].Run(1) }))

	sim, rings = minefield(t, 1, false)
	clk := sim.Clocks()[0]
	require.Equal(t, boom, recovered(func() { _ = clk.RunEach(10, func() { panic(boom) }) }))
	require.NoError(t, clk.Run(10))
	require.EqualValues(t, 11, clk.Cycle())
	require.Equal(t, 11, rings[0][0].edges)
}

// recovered returns what a function panics with.
func recovered(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

// A goroutine that is ended, as a test that fails ends its own, does not keep the others waiting either.
func TestWorkerThatEnds(t *testing.T) {
	for _, islands := range []bool{false, true} {
		for _, ring := range []int{0, 3} {
			sim, rings := minefield(t, 2, islands)
			rings[ring][0].last = func(edge int) {
				if edge == 300 {
					runtime.Goexit()
				}
			}
			ended := make(chan any)
			go func() {
				defer func() { ended <- recover() }()
				_ = sim.Clocks()[0].Run(1000)
				ended <- "it ran to its end"
			}()
			if x := <-ended; x != nil { // nil: it was this one's goroutine
				require.Nil(t, x.(*rtl.Panic).Value)
				require.Contains(t, x.(*rtl.Panic).Error(), "panic_test.go:")
			}
			require.Contains(t, recovered(func() { _ = sim.Step() }), "panicked")
		}
	}
}
