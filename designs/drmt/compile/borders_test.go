package compile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// What one operation writes and another reads keeps the time that the hardware needs, not a cycle less: an action that
// starts at cycle c reads fields and writes them in c+1; a key is read in the cycle in which its match starts.
func TestHazardsAtTheirBorders(t *testing.T) {
	f := map[int]bool{0: true}
	none := map[int]bool{}
	key := func(keys map[int]bool) *match { return &match{table: &p4.Table{Name: "t"}, keys: keys} }
	for name, c := range map[string]struct {
		a, b  operation
		match bool // the second's match is what must wait
		first bool // the first's match is what must come before
		apart int
	}{
		"an action writes a key":              {a: operation{writes: f}, b: operation{match: key(f)}, match: true, apart: 2},
		"an action writes what another reads": {a: operation{writes: f}, b: operation{reads: f}, apart: 1},
		"two actions write":                   {a: operation{writes: f}, b: operation{writes: f}, apart: 1},
		"an action reads what another writes": {a: operation{reads: f}, b: operation{writes: f}, apart: 0},
		"a match reads what an action writes": {a: operation{match: key(f)}, b: operation{writes: f}, first: true, apart: -1},
	} {
		t.Run(name, func(t *testing.T) {
			for _, o := range []*operation{&c.a, &c.b} {
				for _, m := range []*map[int]bool{&o.reads, &o.writes} {
					if *m == nil {
						*m = none
					}
				}
			}
			x := &compiler{program: &p4.Program{Fields: []p4.Field{{Name: "f", Bits: 8}}}, fields: &allocator{egress: -1},
				flow: &flow{nodes: []node{{next: []int{1}}, {next: []int{exit}}}}, operations: []operation{c.a, c.b}}
			for d := -3; d <= 4; d++ {
				at := []start{{match: 100, act: 100}, {match: 100 + d, act: 100 + d}}
				if c.match {
					at[1].act = 1000
				}
				if c.first {
					at[0].act = 0
				}
				if err := x.hazards(at); d < c.apart {
					require.Error(t, err, "%d cycles apart", d)
				} else {
					require.NoError(t, err, "%d cycles apart", d)
				}
			}
		})
	}
}

// Eight results can be written to the scratch pad in a cycle, and eight read, not nine.
func TestScratchPadPorts(t *testing.T) {
	for _, n := range []int{drmt.ScratchPorts, drmt.ScratchPorts + 1} {
		for _, together := range []string{"written", "read"} {
			const period = 30
			l := &linker{
				compiler: &compiler{program: &p4.Program{Name: "p"}}, period: period, result: &Result{},
				slot:  make([]int, n),
				image: &drmt.Image{Arrivals: make([][]drmt.Arrival, period), Slots: make([][drmt.Slots]drmt.Slot, period)},
			}
			for i := range n {
				l.operations = append(l.operations, operation{name: "t", match: key()})
				l.back = append(l.back, []uint8{0})
				at := start{match: 0, act: drmt.MatchLatency + 1 + i}
				if together == "read" {
					at = start{match: i, act: drmt.MatchLatency + 20}
				}
				l.at = append(l.at, at)
			}
			if err := l.scratch(); n > drmt.ScratchPorts {
				require.ErrorContains(t, err, "more than 8 results are written or read in one cycle", together)
			} else {
				require.NoError(t, err, together)
			}
		}
	}
}

func key() *match { return &match{table: &p4.Table{Name: "t"}} }

// A processor says so if a result comes back that no packet waits for, be it that none is expected then, or that its
// packet is not there.
func TestStrayResults(t *testing.T) {
	p := &p4.Program{
		Name:     "stray",
		Standard: p4.Standard{IngressPort: -1, EgressSpec: 0, EgressPort: -1, PacketLength: -1},
		Headers: []p4.Header{
			{Name: "m", Metadata: true, Fields: []int{0}, Valid: -1},
		},
		Fields:  []p4.Field{{Name: "spec", Bits: 9}},
		States:  []p4.State{{Name: "start"}},
		Actions: []p4.Action{{Name: "nothing"}},
		Ingress: p4.Pipeline{
			Nodes: []p4.Node{
				{Name: "t", Table: &p4.Table{Name: "t", Match: p4.Exact, Key: []p4.KeyField{{Match: p4.Exact}}, Size: 4,
					Actions: []int{0}, Next: []int{p4.Accept}, Miss: p4.Accept}},
			},
		},
		Egress: p4.Pipeline{First: p4.Accept},
	}
	for name, spoil := range map[string]func(*drmt.Image){
		"nothing":     func(*drmt.Image) {},
		"no arrival":  func(im *drmt.Image) { im.Arrivals = make([][]drmt.Arrival, im.Period) },
		"another age": func(im *drmt.Image) { im.Arrivals[drmt.MatchLatency%im.Period][0].Age++ },
	} {
		t.Run(name, func(t *testing.T) {
			g, err := Graph(p, Options{})
			require.NoError(t, err)
			s := &schedule.Schedule{Graph: g, Limits: schedule.DRMT(1), Period: 5, Start: make([]int, len(g.Nodes))}
			for i, n := range g.Nodes {
				if n.Name == "t_ACTION" {
					s.Start[i] = drmt.MatchLatency
				}
			}
			r, err := DRMT(p, s, Options{})
			require.NoError(t, err)
			spoil(r.Image)
			one := &onePacket{}
			x, err := drmt.NewSwitch(
				drmt.Config{Processors: 1, Image: r.Image, Parser: r.Parser, Deparser: r.Deparser, Source: one, Sink: one},
			)
			require.NoError(t, err)
			m := drmt.Watch(x)
			require.NoError(t, x.Clock.Run(60))
			if name == "nothing" {
				require.NoError(t, m.Err())
			} else {
				require.Contains(t, strings.Join(m.Faults, "\n"), "a result came on segment 0 that no packet waits for")
			}
		})
	}
}

// onePacket sends one empty packet.
type onePacket struct{ sent bool }

func (o *onePacket) Next() ([]byte, uint16, bool) {
	first := !o.sent
	o.sent = true
	return nil, 0, first
}

func (o *onePacket) Take(drmt.Leaving) {}

// Entries that name members get their action and data; what no machine has is refused by name.
func TestSetup(t *testing.T) {
	p := &p4.Program{
		Name: "p", Profiles: []p4.Profile{{Name: "ap", Selector: -1}},
		Ingress: p4.Pipeline{Nodes: []p4.Node{{Name: "t", Table: &p4.Table{Name: "t", Profile: 1}}}},
	}
	entry := func(member int, group bool) p4.Configuration {
		return p4.Configuration{Entries: []p4.Entry{{Table: "t", Indirect: true, Group: group, Member: member}},
			Members: map[string][]p4.Entry{"ap": {{Action: 3, Data: []uint64{7}}, {Action: 4, Data: []uint64{9}}}}}
	}
	opt, err := Setup(p, entry(1, false))
	require.NoError(t, err)
	require.Equal(t, []p4.Entry{{Table: "t", Action: 4, Data: []uint64{9}, Member: 1}}, opt.Entries)
	none := "p: an entry of table t names group 0, and no selector chooses a member: no machine runs that"
	for want, c := range map[string]p4.Configuration{
		"p: table t: there is no member 2": entry(2, false),
		none:                               entry(0, true),
	} {
		_, err := Setup(p, c)
		require.EqualError(t, err, want)
	}
}
