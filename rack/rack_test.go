package rack

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
	edmstudy "github.com/goldwire/goldwire/designs/edm/study"
	shoalstudy "github.com/goldwire/goldwire/designs/shoal/study"
	spfcstudy "github.com/goldwire/goldwire/designs/spfc/study"
)

// set gives a parameter a value.
func set(t *testing.T, p *experiment.Params, flags ...string) {
	t.Helper()
	for k := 0; k < len(flags); k += 2 {
		i := slices.IndexFunc(p.Fields, func(f *experiment.Field) bool { return f.Flag == flags[k] || f.Arg == flags[k] })
		require.GreaterOrEqual(t, i, 0, flags[k])
		require.NoError(t, p.Fields[i].Set(flags[k+1]), flags[k])
	}
}

func run(t *testing.T, e experiment.Experiment, flags ...string) *experiment.Outcome {
	t.Helper()
	p := e.Params()
	set(t, p, flags...)
	_, err := e.Plan(p, 1)
	require.NoError(t, err)
	out, err := e.Run(experiment.WithMemo(t.Context()), p, experiment.Options{Seed: 1})
	require.NoError(t, err)
	return out
}

// A lone message of each fabric by hand, in picoseconds, over cables of 48 ns at 100 Gb/s (80 ps a byte).
func TestLoneMessages(t *testing.T) {
	l := defaultLinks()
	// EDM's Table 1: 38 ns and 2 m; stack, MAC and PCS; forwarding, MAC and PCS twice
	const cable, host, forward = 48_000, 245_560, 430_720
	require.EqualValues(t, cable, l.cable())
	require.Equal(t, clock.Picosecond.Times(host), l.Host)
	require.Equal(t, clock.Picosecond.Times(forward), l.Switch)
	const fixed = 2*host + 2*cable + forward

	alone := func(name string, kind workload.MessageType, bytes int) int64 {
		f, err := named(name)
		require.NoError(t, err)
		ns, err := f.alone(t.Context(), l, kind, bytes)
		require.NoError(t, err)
		return int64(math.Round(ns * 1000))
	}
	// a write of 1,000 bytes and its address of 8 in one frame: 14 and 4 bytes of Ethernet, 44 of RoCEv2, a preamble
	// of 8; it is stored in the switch and sent again behind a gap of 12 that nobody waits for
	const frame = 8 + 1000 + 8 + 14 + 4 + 44
	for _, name := range []string{"dctcp", "pfabric", "pfc", "dcqcn", "ndp", "output-queued"} {
		got := alone(name, workload.Write, 1000)
		require.InDelta(t, fixed+2*frame*80, got, 2*12*80, name) // a line is busy for its gap too
	}
	// SPFC's packets have 48 bytes of headers; 1,000 bytes are one packet, stored in the switch. A read is a request
	// of 64 bytes on the line and back.
	for _, name := range []string{"dt", "st", "spfc"} {
		require.EqualValues(t, fixed+2*1048*80, alone(name, workload.Write, 1000), name)
		require.EqualValues(t, 2*fixed+2*64*80+2*1048*80, alone(name, workload.Read, 1000), name)
	}

	// EDM at 25 Gb/s: the first block of a read as the experiment latency sees it, block by block, and then the other
	// data blocks of the answer, one a cycle.
	l.Gbps = 25
	steps, err := edmstudy.Follow(context.Background(), edm.Config{Nodes: 2, Memory: 1024, Local: 1024}, workload.Read, 64)
	require.NoError(t, err)
	first := picoseconds(steps[len(steps)-1].To.Sub(steps[0].From))
	require.InDelta(t, 299_520, first, 6_390, "Table 1, within the phases of clocks that the experiment latency prints")
	// Seven more data blocks, one a cycle; and a cycle from the application to the message queue, where that
	// experiment begins, and one to the application.
	require.EqualValues(t, first+(64/8-1+2)*edm.BlockPicoseconds, alone("edm", workload.Read, 64))
}

// Among five nodes of one channel, a cell leaves in the next slot; node n sends to node n + 1 + t mod 4 in slot t.
// From node 0 to node 1 + d, a cell that starts with slot t is at node 1 + t mod 4, which is there already if that is
// d, and otherwise sends on in the slot that joins it to node 1 + d.
// A slot is a cell of 64 bytes at 25 Gb/s and the guard band; of 128 bytes it is 43.73 ns, and twice 38 ns are 1.7.
func TestLoneCells(t *testing.T) {
	for _, c := range []struct{ cell, slot, flight int }{{64, 23_250, 4}, {128, 43_730, 2}} {
		l := Links{Nodes: 5, Gbps: 25, Metres: 0, Cell: c.cell, Guard: slotGuard}
		n, slot := l.rack(nil)
		require.EqualValues(t, c.slot, slot)
		require.EqualValues(t, c.flight, n.Fabric.Flight)
		testLoneCells(t, l, n.Fabric.Flight, slot)
	}
}

func testLoneCells(t *testing.T, l Links, flight int, slot int64) {
	f, err := named("shoal")
	require.NoError(t, err)
	for d := range 4 {
		for start := range 4 {
			c, err := f.run(
				t.Context(), &experiment.Run{Seed: 1}, l,
				[]workload.Message{{Type: workload.Write, Dest: 1 + d, Bytes: l.Cell - 8, Start: int64(start) * slot}},
			)
			require.NoError(t, err)
			at := start // the slot in which the cell leaves
			if start != d {
				at += flight + 1 // it is there, and can go on
				for (1+start+1+at%4)%5 != 1+d {
					at++
				}
			}
			require.EqualValues(t, int64(at+flight+1)*slot, c.results[0].Finish, "to node %d from slot %d", 1+d, start)
		}
	}
}

// The same list through `edm trace`, `shoal trace` and `spfc trace` has the same times.
func TestSameTimesAsTheDesignsTraces(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "list.csv")
	w := Workload{Sizes: "fixed:700", Messages: 400, Reads: 0.5}
	l := defaultLinks()
	l.Nodes, l.Metres = 8, 3
	messages, err := w.list(l, 0.3, 1)
	require.NoError(t, err)
	require.NoError(t, workload.WriteMessagesFile(list, messages))
	read := func(file string) [][]string {
		in, err := os.Open(file)
		require.NoError(t, err)
		defer in.Close()
		rows, err := csv.NewReader(in).ReadAll()
		require.NoError(t, err)
		return rows
	}
	star := filepath.Join(dir, "star.csv")
	delay := l.cable() + picoseconds(l.Host) + picoseconds(l.Switch)/2
	var links strings.Builder
	links.WriteString("a,b,gbps,delay_ns\n")
	for h := range l.Nodes {
		links.WriteString("H" + strconv.Itoa(h) + ",S,100," + strconv.FormatFloat(float64(delay)/1000, 'f', -1, 64) + "\n")
	}
	require.NoError(t, os.WriteFile(star, []byte(links.String()), 0o600))
	var edmTrace experiment.Experiment
	for _, e := range edmstudy.Experiments() {
		if e.Info().Name == "trace" {
			edmTrace = e
		}
	}
	slots := (2*l.cable() + shoalstudy.SlotPicoseconds - 1) / shoalstudy.SlotPicoseconds
	for _, c := range []struct {
		fabric string
		own    experiment.Experiment
		flags  []string
	}{
		{"edm", edmTrace, []string{"nodes", "8", "metres", "3"}},
		{"shoal", shoalstudy.Trace, []string{"nodes", "8", "channels", "4", "flight", strconv.FormatInt(slots, 10)}},
		{"spfc", spfcstudy.Trace, []string{"links", star, "buffer", "4"}},
	} {
		mine, own := filepath.Join(dir, c.fabric+".csv"), filepath.Join(dir, c.fabric+"-own.csv")
		for _, x := range []struct {
			out *experiment.Outcome
			to  string
		}{{run(t, compare, "trace", list, "nodes", "8", "metres", "3", "fabrics", c.fabric, "out", mine), mine},
			{run(t, c.own, append(c.flags, "FILE", list, "out", own)...), own}} {
			require.Empty(t, x.out.Report.Failed, c.fabric)
			require.Len(t, x.out.Report.Files, 1)
			file, err := os.Create(x.to)
			require.NoError(t, err)
			require.NoError(t, x.out.Report.Files[0].Write(file))
			require.NoError(t, file.Close())
		}
		require.Len(t, read(mine), 1+len(messages))
		require.Equal(t, read(own), read(mine), c.fabric)
	}
}

// Every fabric gives every message to its node once, reads and writes, and all bytes arrive.
func TestEveryFabricCarriesEverything(t *testing.T) {
	out := run(
		t, compare, "nodes", "8", "messages", "1500", "loads", "0.2", "reads", "0.5", "sizes", "fixed:3000", "fabrics",
		"all",
	)
	require.Len(t, out.Points, len(fabrics()))
	require.Empty(t, out.Report.Failed)
	for _, p := range out.Points {
		r := p.Result.(*result)
		require.Equal(t, 1500, r.Finished, p.Point.(point).Fabric)
		require.EqualValues(t, 1500*3000, r.Bytes)
		require.GreaterOrEqual(t, r.Slowdown, 0.9) // Shoal's lone time is a mean over the schedule
		require.InDelta(t, r.Offered, r.Arrived, 0.05)
	}
}

// Messages of 1,000 bytes are 80 ns of a link at 100 Gb/s: at a load of 0.5, one every 160 ns a node. To one node,
// from seven: one in 1,120 ns of each.
func TestLoadIsOfThePayload(t *testing.T) {
	for pattern, want := range map[pattern]float64{allToAll: 160_000, permutation: 160_000, incast: 8 * 160_000} {
		w := Workload{Pattern: pattern, Sizes: "fixed:1000"}
		traffic, err := w.traffic(8, 1)
		require.NoError(t, err)
		require.InEpsilon(t, want, interval(traffic, 0.5, 100), 1e-9, pattern)
	}
}

// A collective has each ordered pair once, and in each step no two nodes send to one.
func TestCollective(t *testing.T) {
	list, err := Workload{Pattern: collective, Sizes: "fixed:4096"}.list(Links{Nodes: 5}, 0, 1)
	require.NoError(t, err)
	pairs := map[[2]int]bool{}
	for i, m := range list {
		require.Equal(t, workload.Write, m.Type)
		require.Equal(t, 4096, m.Bytes)
		require.Zero(t, m.Start)
		require.NotEqual(t, m.Source, m.Dest)
		pairs[[2]int{m.Source, m.Dest}] = true
		for _, other := range list[i/5*5 : i] {
			require.NotEqual(t, other.Dest, m.Dest)
		}
	}
	require.Len(t, list, 20)
	require.Len(t, pairs, 20)
	gather, err := Workload{Pattern: gather, Sizes: "fixed:4096"}.list(Links{Nodes: 5}, 0, 1)
	require.NoError(t, err)
	require.Len(t, gather, 4)
	for _, m := range gather {
		require.NotZero(t, m.Source)
		require.Zero(t, m.Dest)
		delete(pairs, [2]int{m.Source, 0})
	}
	require.Len(t, pairs, 16, "each other node once")
	_, err = Workload{Pattern: collective, Sizes: "hadoop"}.list(Links{Nodes: 5}, 0, 1)
	require.ErrorContains(t, err, "want --sizes fixed:BYTES")
	_, err = Workload{Pattern: collective, Sizes: "fixed:8", Reads: 0.5}.list(Links{Nodes: 5}, 0, 1)
	require.ErrorContains(t, err, "want --reads 0")
}

// Judged by hand: of four messages the first two start in the first quarter and do not count.
func TestJudge(t *testing.T) {
	message := func(start, finish int64, bytes int) workload.Result {
		return workload.Result{
			Message: workload.Message{Type: workload.Write, Bytes: bytes, Start: start}, Finished: finish > 0,
			Finish: finish,
		}
	}
	c := carried{
		results: []workload.Result{
			message(0, 5_000, 100), message(24_999, 30_000, 100), message(25_000, 27_000, 100),
			message(100_000, 106_000, 2000),
		},
		queue: 7,
		drops: 3,
	}
	r, err := judge(c, 100, func(workload.MessageType, int) float64 { return 2 })
	require.NoError(t, err)
	require.Equal(t, 4, r.Finished)
	require.EqualValues(t, 2300, r.Bytes)
	require.Equal(t, 4.0, r.Mean)     // 2 and 6 ns
	require.Equal(t, 2.0, r.Slowdown) // 1 and 3
	require.Equal(t, 6.0, r.P99)
	require.InEpsilon(t, 2300*8000/106_000.0, r.Gbps, 1e-12)
	require.InEpsilon(t, 2100*8000/75_000.0/100, r.Offered, 1e-12)
	require.InEpsilon(t, 200*8000/75_000.0/100, r.Arrived, 1e-12) // at 27,000 and 30,000
	require.Len(t, r.Classes, 2)
	require.Equal(t, []string{"to 128 B", "to 10 kB"}, []string{className(r.Classes[0]), className(r.Classes[1])})
	require.Equal(t, 75.0, r.Span) // of 100 ns three quarters, more than ten times 6
	require.False(t, r.short())
	require.EqualValues(t, 7, r.Queue)
	require.EqualValues(t, 3, r.Drops)

	c.results[0].Finish = 0
	_, err = judge(c, 100, func(workload.MessageType, int) float64 { return 2 })
	require.ErrorContains(t, err, "finished 0 ps after its start")
	c.results[0].Finished = false
	r, err = judge(c, 100, func(workload.MessageType, int) float64 { return 2 })
	require.NoError(t, err)
	require.Equal(t, 3, r.Finished)
}

// Arrivals of 59 ns are less than ten 99th percentiles of 6 ns; 1,017 messages would be enough, 2,000 by one digit.
func TestShort(t *testing.T) {
	r := &result{Messages: 1000, P99: 6, Span: 59}
	require.True(t, r.short())
	require.Equal(t, 2000, r.enough())
	r.Span = 60
	require.False(t, r.short())
	require.False(t, (&result{P99: 6}).short(), "a burst")
}

func TestCrossing(t *testing.T) {
	loads := []float64{0.1, 0.2, 0.4}
	require.InEpsilon(t, 0.3, crossing(loads, []float64{1, 2, 4}, 3), 1e-12)
	require.InEpsilon(t, 0.15, crossing(loads, []float64{1, 2, 4}, 1.5), 1e-12)
	require.InEpsilon(t, 0.4, crossing(loads, []float64{1, 2, 4.0001}, 4.0001-1e-9), 1e-6)
	require.True(t, math.IsNaN(crossing(loads, []float64{1, 2, 4}, 4)), "it is reached, not passed")
	require.True(t, math.IsNaN(crossing(loads, []float64{1, 2, 4}, 0.5)), "it was passed before")
}

// More than a fabric carries fails the run, and says which.
func TestGrowingQueuesFail(t *testing.T) {
	out := run(t, compare, "nodes", "8", "messages", "6000", "loads", "0.2,0.6", "fabrics", "shoal,output-queued")
	require.Equal(t, []string{"not steady, so that times grow with --messages: shoal at 0.6"}, out.Report.Failed)
	out = run(t, compare, "nodes", "8", "messages", "3000", "loads", "1.2", "fabrics", "edm,dctcp", "pattern", "incast")
	require.Equal(t, []string{"not steady, so that times grow with --messages: edm at 1.2, dctcp at 1.2; of the " +
		"messages under way 100 % are to node 0"}, out.Report.Failed)
}

// Each seed is a run, and an interval over them stands beside its mean.
func TestRunsHaveIntervals(t *testing.T) {
	out := run(
		t, compare, "nodes", "8", "messages", "1000", "loads", "0.1,0.8", "fabrics", "dctcp", "runs", "3", "p99-limit",
		"1.6us",
	)
	require.Len(t, out.Points, 6)
	var seeds []uint64
	for _, p := range out.Points {
		seeds = append(seeds, p.Seed)
	}
	require.Equal(t, []uint64{1, 2, 3, 1, 2, 3}, seeds)
	tables := out.Report.Tables()
	limit := tables[len(tables)-1]
	require.Equal(t, "limit", limit.Name)
	require.Len(t, limit.Rows, 1)
	require.Equal(t, 3, limit.Rows[0][3])
	require.Positive(t, limit.Rows[0][2])
}

func TestBadInput(t *testing.T) {
	for _, c := range []struct{ flags, says string }{
		{"fabrics,ether", `--fabrics: fabric "ether", want some of edm, shoal, dt, st, spfc, ird`},
		{"fabrics,edm|fabrics,edm", "--fabrics: edm is there twice"},
		{"sizes,nonsense", "--sizes:"},
		{"pattern,collective|p99-limit,2us", "--p99-limit: want messages that offer loads"},
		{"loads,0.5|loads,0.1|p99-limit,2us", "--p99-limit: want --loads in ascending order"},
	} {
		p := compare.Params()
		for _, f := range strings.Split(c.flags, "|") {
			name, v, _ := strings.Cut(f, ",")
			set(t, p, name, v)
		}
		_, err := compare.Plan(p, 1)
		require.ErrorContains(t, err, c.says, c.flags)
	}
}

// The list of fabrics has each name once, and every scheme of package packetnet that EDM is compared with.
func TestFabrics(t *testing.T) {
	names := Names()
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(names))), len(names))
	for _, s := range packetnet.Schemes() {
		require.Contains(t, names, s.String())
	}
}
