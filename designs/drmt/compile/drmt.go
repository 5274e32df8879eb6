package compile

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// Options is what neither the program nor the schedule says.
type Options struct {
	// Entries are the contents of tables, beside the program's own; Defaults replace tables' actions on a miss.
	Entries  []p4.Entry
	Defaults map[string]p4.Entry
	// Registers are values that registers have at first, ValueSets the values of parsers' value sets.
	Registers []p4.RegisterValueAt
	ValueSets map[string][]p4.Number
	// Multicast are the replicas of each multicast group, Mirrors the ports and groups of each mirroring session.
	Multicast map[int][]p4.Replica
	Mirrors   map[int]p4.Session
	// Grouped are the tables whose entries, or whose default, name groups of an action profile. Members and Groups are the
	// profiles', by name.
	Grouped []string
	Members map[string][]p4.Entry
	Groups  map[string][][]int
	// Rates are meters' rates. Metered are the meter arrays that have some.
	Rates   []p4.MeterRates
	Metered []string
	// Copied says for a graph that there are groups or sessions, whichever they are.
	Copied bool
	// Clusters is the number of memory clusters. 0 stands for the period: with a processor for each of its cycles, which a
	// packet a cycle needs, the machine has as many clusters as processors (§4.1); or for more, up to 32, if the tables
	// want them.
	Clusters int
	// Memory is what a cluster has; the zero value is RMT's stage.
	Memory drmt.Blocks
}

// Result is a compiled program.
type Result struct {
	Image    *drmt.Image
	Parser   *drmt.Parser
	Deparser *drmt.Deparser
	// Fields are the header vector's fields in use, of 8, 16 and 32 bits; Pointers the instruction pointers; Predicates
	// the predicate bits.
	Fields               [3]int
	Pointers, Predicates int
	// Scratch is how many entries of the scratch pad the tables have.
	Scratch int
	// Spacing is how many cycles must lie between two packets, so that none comes between another's accesses to an array.
	Spacing int
	// Registers are, by register array, the numbers of the machine's arrays that have it: one, or if it has more than 64
	// bits one for each 32, the lowest first. Counters is the number of the first counter array.
	Registers [][]int
	Counters  int
	// ALUs and Segments are in use in each cycle of the period, Memory in each cluster.
	ALUs, Segments []int
	Memory         []drmt.Blocks
}

// ErrPeriod says that a longer period may do.
var ErrPeriod = errors.New("the period is too short")

// mostClusters bounds the clusters of a machine whose number of them nobody gave.
const mostClusters = 32

// Pace is how many processors a packet's distance from the next allows, at most, and which of their periods take
// packets: one of every few periods.
func (r *Result) Pace() (processors, every int) {
	if p := r.Image.Period; r.Spacing > p {
		return 1, (r.Spacing + p - 1) / p
	}
	return max(r.Image.Period/r.Spacing, 1), 1
}

// DRMT compiles a program for dRMT. If the number of clusters is not given and the period's have no room, it takes
// more. A program whose accesses to an array want more key segments than a cluster has in a cycle is for one processor,
// whose keys come in different cycles: then [Result.Spacing] is a period or more.
func DRMT(p *p4.Program, s *schedule.Schedule, opt Options) (*Result, error) {
	r, err := linkWithin(p, s, opt, false)
	if room := (*roomError)(nil); errors.As(err, &room) {
		if alone, fault := linkWithin(p, s, opt, true); fault == nil {
			return alone, nil
		}
	}
	return r, err
}

func linkWithin(p *p4.Program, s *schedule.Schedule, opt Options, single bool) (*Result, error) {
	r, err := link(p, s, opt, single)
	for n := s.Period + 1; opt.Clusters == 0 && n <= mostClusters; n++ {
		if room := (*roomError)(nil); !errors.As(err, &room) {
			break
		}
		more := opt
		more.Clusters = n
		r, err = link(p, s, more, single)
	}
	return r, err
}

func link(p *p4.Program, s *schedule.Schedule, opt Options, single bool) (*Result, error) {
	c, err := newCompiler(p, opt)
	if err != nil {
		return nil, err
	}
	err = c.initial(opt)
	if err != nil {
		return nil, err
	}
	at, err := c.starts(s)
	if err != nil {
		return nil, err
	}
	if err := c.hazards(at); err != nil {
		return nil, err
	}
	if opt.Clusters == 0 {
		opt.Clusters = s.Period
	}
	if opt.Memory == (drmt.Blocks{}) {
		opt.Memory = drmt.ClusterBlocks
	}
	period := s.Period
	l := &linker{compiler: c, at: at, period: period, length: s.Length(), ipc: s.Limits.IPC, single: single}
	im := &drmt.Image{Name: p.Name, Period: period, Length: s.Length(), Clusters: opt.Clusters,
		Keys: make([]drmt.KeyEntry, period), Threads: make([]drmt.ThreadEntry, period),
		Slots:    make([][drmt.Slots]drmt.Slot, period),
		Arrivals: make([][]drmt.Arrival, period), Terms: make([][]drmt.PredicateTerm, period),
		Memory: drmt.NewInstructionMemory(drmt.ALUs, drmt.Pointers, period), Outcome: make([]drmt.Predicate, drmt.Pointers)}
	l.image, l.result = im, &Result{
		Image: im, ALUs: make([]int, period), Segments: make([]int, period), Memory: make([]drmt.Blocks, opt.Clusters),
	}
	for _, step := range []func() error{l.ages, l.actions, func() error { return l.memory(opt.Memory) }, l.keys, l.scratch,
		l.terms} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	r := l.result
	for n := range p.Registers {
		var ids []int
		for _, w := range registerWords(c.program, n) {
			ids = append(ids, registerArray(w))
		}
		r.Registers = append(r.Registers, ids)
	}
	r.Counters = counterArray(c.program, 0)
	if r.Spacing = l.spacing(); single {
		r.Spacing = max(r.Spacing, period)
	}
	r.Fields, r.Pointers, r.Predicates = c.fields.next, l.pointers, c.predicates
	if r.Parser, err = c.parser(); err != nil {
		return nil, err
	}
	if r.Deparser, err = c.deparser(); err != nil {
		return nil, err
	}
	return r, im.Check()
}

// linker places a program's operations in the cycles of a dRMT processor.
type linker struct {
	*compiler
	at             []start
	period, length int
	ipc            int
	single         bool // the machine has one processor
	image          *drmt.Image
	result         *Result
	pointers       int
	lanes          [][]int   // by node: its segments
	back           [][]uint8 // by node: the segments on which the results of its table's parts come back
	slot           []int     // by node: of its action
}

func (l *linker) class(t int) int   { return t % l.period }
func (l *linker) age(t int) uint8   { return uint8(t / l.period) }
func (l *linker) name(x int) string { return l.program.Name + ": " + l.operations[x].name }

// ages fills the thread scheduling table: the packets that start matches and actions in each cycle.
func (l *linker) ages() error {
	note := func(list *[drmt.MaxIPC]uint8, n *int, age uint8) bool {
		if slices.Contains(list[:*n], age) {
			return true
		}
		if *n == min(l.ipc, drmt.MaxIPC) {
			return false
		}
		list[*n] = age
		*n++
		return true
	}
	matches, acts := make([]int, l.period), make([]int, l.period)
	for x := range l.operations {
		if m := l.at[x].match; l.operations[x].match != nil {
			if r := l.class(m); !note(&l.image.Threads[r].Match, &matches[r], l.age(m)) {
				return fmt.Errorf("%s: more than %d packets start matches in cycle %d of the period", l.name(x), l.ipc, r)
			}
		}
		if r := l.class(l.at[x].act); !note(&l.image.Threads[r].Action, &acts[r], l.age(l.at[x].act)) {
			return fmt.Errorf("%s: more than %d packets start actions in cycle %d of the period", l.name(x), l.ipc, r)
		}
	}
	return nil
}

// second tells which of a cycle's packets an age is.
func second(ages [drmt.MaxIPC]uint8, age uint8) bool { return ages[0] != age }

// actions gives each action its slot, its ALUs and its instruction pointers. Pointer 0 does nothing.
func (l *linker) actions() error {
	l.pointers = 1
	slots := make([]int, l.period)
	fixed := make([]int, l.period) // the slot that a cycle's fixed operations share, + 1
	l.slot = make([]int, len(l.operations))
	put := func(x, first, pointer int, list []drmt.Instruction) {
		r := l.class(l.at[x].act)
		for i, ins := range list {
			ins.Second = second(l.image.Threads[r].Action, l.age(l.at[x].act))
			l.image.Memory.Slices[first+i][pointer] = ins
			l.image.Memory.Select[r][first+i] = uint8(l.slot[x])
		}
	}
	for x := range l.operations {
		op := &l.operations[x]
		r := l.class(l.at[x].act)
		if op.match != nil || fixed[r] == 0 {
			if slots[r] == drmt.Slots {
				return fmt.Errorf("%s: cycle %d of the period has more than %d actions", l.name(x), r, drmt.Slots)
			}
			l.slot[x] = slots[r]
			slots[r]++
		} else {
			l.slot[x] = fixed[r] - 1
		}
		first, n := l.result.ALUs[r], len(op.alus)
		if op.match != nil {
			n = op.match.alus
		}
		if first+n > drmt.ALUs {
			return fmt.Errorf(
				"%s: %w: cycle %d of it needs %d ALUs, a processor has %d", l.name(x), ErrPeriod, r, first+n, drmt.ALUs,
			)
		}
		l.result.ALUs[r] += n
		if op.match == nil {
			if fixed[r] == 0 {
				p, err := l.pointer(x)
				if err != nil {
					return err
				}
				fixed[r] = l.slot[x] + 1
				l.image.Slots[r][l.slot[x]] = drmt.Slot{Kind: drmt.Fixed, Pointer: p}
			}
			put(x, first, int(l.image.Slots[r][l.slot[x]].Pointer), op.alus)
			continue
		}
		for i := range op.match.choices {
			ch := &op.match.choices[i]
			p, err := l.pointer(x)
			if err != nil {
				return err
			}
			ch.pointer = p
			l.image.Outcome[p] = ch.outcome
			put(x, first, int(p), ch.alus)
		}
	}
	return nil
}

func (l *linker) pointer(x int) (uint16, error) {
	if l.pointers == drmt.Pointers {
		return 0, fmt.Errorf("%s: more than %d instruction pointers", l.name(x), drmt.Pointers)
	}
	l.pointers++
	return uint16(l.pointers - 1), nil
}

// keys fills the key configuration table.
func (l *linker) keys() error {
	for x := range l.operations {
		m := l.operations[x].match
		if m == nil {
			continue
		}
		r := l.class(l.at[x].match)
		for i, seg := range l.segments(m.table) {
			lane := l.lanes[x][i]
			seg.Second = second(l.image.Threads[r].Match, l.age(l.at[x].match))
			if l.image.Keys[r][lane].Enable {
				return fmt.Errorf("%s: two tables have key segment %d in cycle %d of the period", l.name(x), lane, r)
			}
			l.image.Keys[r][lane] = seg
		}
		l.result.Segments[r] += len(l.lanes[x])
	}
	return nil
}

// scratch says where results go when they come back: to their action, or to the scratch pad until it starts.
func (l *linker) scratch() error {
	arriving, reading := make([]int, l.period), make([]int, l.period)
	for x := range l.operations {
		m := l.operations[x].match
		if m == nil {
			continue
		}
		back, act := l.at[x].match+drmt.MatchLatency, l.at[x].act
		if act < back {
			return fmt.Errorf("%s: its action starts at cycle %d, its result comes at %d", l.name(x), act, back)
		}
		last := len(l.back[x]) - 1
		lane := l.back[x][last]
		arrival := drmt.Arrival{Lane: lane, Parts: l.back[x][:last], Age: l.age(back)}
		slot := drmt.Slot{Kind: drmt.FromLane, Lane: lane, Age: l.age(act)}
		if wait := act - back; wait > 0 {
			ring := drmt.ScratchRing{Base: uint8(l.result.Scratch), Count: uint8((wait + l.period - 1) / l.period)}
			l.result.Scratch += int(ring.Count)
			if l.result.Scratch > drmt.ScratchEntries {
				return fmt.Errorf(
					"%s: %w: the results that wait need more than the %d entries of the scratch pad", l.name(x), ErrPeriod,
					drmt.ScratchEntries,
				)
			}
			arrival.Scratch = ring
			slot.Kind, slot.Scratch = drmt.FromScratch, ring
			arriving[l.class(back)]++
			reading[l.class(act)]++
		}
		if arriving[l.class(back)] > drmt.ScratchPorts || reading[l.class(act)] > drmt.ScratchPorts {
			return fmt.Errorf("%s: more than %d results are written or read in one cycle", l.name(x), drmt.ScratchPorts)
		}
		l.image.Arrivals[l.class(back)] = append(l.image.Arrivals[l.class(back)], arrival)
		l.image.Slots[l.class(act)][l.slot[x]] = slot
	}
	return nil
}

// terms places the predicate terms at the edges at which both sides are known, and checks that each guard is known when
// its action is written.
func (l *linker) terms() error {
	type timed struct {
		term
		at int
	}
	var all []timed
	known := make([]int, len(l.operations)) // by node: the edge at which its guard is
	for x := range l.operations {
		op := &l.operations[x]
		for _, t := range op.terms {
			all = append(all, timed{t, l.at[x].act + 1})
		}
		if e := l.flow.equivalent(x); e < x {
			known[x] = known[e]
		} else if x > 0 {
			for _, w := range l.flow.deciders(x) {
				from := &l.operations[w.node]
				at := l.at[w.node].act + 1
				if from.match != nil {
					at = l.at[w.node].match + drmt.MatchLatency
				}
				at = max(at, known[w.node])
				all = append(all, timed{term{from.guard, from.outcomes[w.next], op.guard}, at})
				known[x] = max(known[x], at)
			}
		}
		if commit := l.at[x].act + 1; known[x] > commit {
			return fmt.Errorf(
				"%s: starts at cycle %d, but whether a packet comes to it is known at %d: the schedule has it too early",
				l.name(x), l.at[x].act, known[x]-1,
			)
		}
	}
	for _, t := range all {
		if t.at <= l.length {
			r := l.class(t.at)
			l.image.Terms[r] = append(l.image.Terms[r], drmt.PredicateTerm{A: t.a, B: t.b, Set: t.set, Age: l.age(t.at)})
		}
	}
	return nil
}
