package p4

import (
	"fmt"
	"math/big"
)

// Interpreter runs a program packet by packet, as BMv2's simple_switch does: parser, verification of checksums,
// ingress, packet buffer with clones, multicast and resubmission, egress, checksums, deparser, recirculation. It is
// written from simple_switch.md, from JSON_format.md and from the sources of behavioral-model, without a look at a
// machine. It knows nothing of fields' places.
//
// Time is what the caller says with [Interpreter.SetTime], in microseconds: timestamps have it, packets spend no time
// in a queue, and queues are empty.
type Interpreter struct {
	program  *Program             `state:"none"` // as built
	tables   map[*Table]*contents `state:"none"` // as built
	standard standardFields       `state:"none"` // as built

	vector    *vector   // of the packet that runs
	free      []*vector // vectors that no packet has, the last released at the end
	registers [][]uint64
	wide      [][]Number // registers of more than 64 bits
	counters  [][]CounterValue
	meters    [][]meter
	direct    [][]CounterValue // by table, of its entries
	rounds    []uint64         // by calculation: how often a round robin was asked
	seen      []map[string]int // by calculation: its answer
	valueSets []map[string]bool
	members   []profileContents `state:"none"` // as built
	groups    map[int][]Replica `state:"none"` // as built
	sessions  map[int]Session   `state:"none"` // as built
	seed      uint64            `state:"none"` // as built
	turns     uint64            // how many packets came to ingress, returning ones among them
	now       uint64
	fresh     bool `state:"none"` // as built

	// the following is of one run, and means nothing between two
	packet packet   `state:"none"` // of a run
	queue  []packet `state:"none"` // of a run: the packet buffer, copies that wait for egress, in order
	again  []packet `state:"none"` // of a run: the packet itself, and resubmitted and recirculated ones
	// served and restarted count the packets of queue and again that have run.
	served, restarted int    `state:"none"` // of a run
	out               []Sent `state:"none"` // of a run
	bytes             []byte `state:"none"` // of a run: the packets that leave
	key               []byte `state:"none"` // of a run
	trace             []Step `state:"none"` // of a run
	failed            error  `state:"none"` // of a run
}

// standardFields are indices of fields, -1 where the program lacks them.
type standardFields struct {
	instance, parserError, checksumError, ingressTime, egressTime, group, replica, priority int
	enqueued, depth, waited, left, queue, ownGroup                                          int
}

// Step is one thing that a packet came to.
type Step struct {
	// Node is the table or condition.
	Node string
	// Hit is whether a table was hit, or a condition true. Entry is the number of the entry, among its table's in the
	// order of installation, -1 for a miss and for conditions.
	Hit   bool
	Entry int
	// Action is the action that ran, -1 for a condition, or for a table that has none for the packet.
	Action int
}

// Sent is a packet that leaves the switch.
type Sent struct {
	Port   int
	Packet []byte
}

// Output is what became of a packet.
type Output struct {
	// Sent are the packets that leave, in order, valid until the next Run.
	Sent []Sent
	// Port and Packet are the first of Sent's. Dropped says that nothing leaves.
	Port    int
	Packet  []byte
	Dropped bool
	// ParserError is the number of the error that the packet's first parsing ended with.
	ParserError uint64
	// Trace is what the packet and its copies came to, in order, valid until the next Run.
	Trace []Step
	// Err is why the switch stops here: an assertion that fails, or a packet that comes again without an end.
	Err error
}

// NewInterpreter prepares a program with the given entries in its tables, beside the program's own. defaults, by table,
// replace tables' actions on a miss; only their action and data count.
func NewInterpreter(p *Program, entries []Entry, defaults map[string]Entry) (*Interpreter, error) {
	return NewSwitch(p, Configuration{Entries: entries, Defaults: defaults})
}

// NewSwitch prepares a program with everything that a control plane sets.
func NewSwitch(p *Program, c Configuration) (*Interpreter, error) {
	in := &Interpreter{program: p, tables: map[*Table]*contents{}, seed: c.Seed,
		groups: map[int][]Replica{}, sessions: map[int]Session{}, fresh: c.Fresh}
	in.findStandard()
	if err := in.fillTables(c.Entries, c.Defaults); err != nil {
		return nil, err
	}
	in.vector = in.take()
	for _, r := range p.Registers {
		if r.Bits > 64 {
			wide := make([]Number, r.Size)
			for i := range wide {
				wide[i] = new(big.Int)
			}
			in.registers, in.wide = append(in.registers, nil), append(in.wide, wide)
			continue
		}
		in.registers, in.wide = append(in.registers, make([]uint64, r.Size)), append(in.wide, nil)
	}
	for _, x := range p.Counters {
		in.counters = append(in.counters, make([]CounterValue, x.Size))
	}
	for _, x := range p.Meters {
		in.meters = append(in.meters, make([]meter, x.Size))
	}
	in.rounds, in.seen = make([]uint64, len(p.Calculations)), make([]map[string]int, len(p.Calculations))
	in.valueSets = make([]map[string]bool, len(p.ValueSets))
	return in, in.configure(&c)
}

func (in *Interpreter) findStandard() {
	s := &in.program.Standard
	in.standard = standardFields{
		instance: s.Other("standard_metadata.instance_type"), parserError: s.Other("standard_metadata.parser_error"),
		checksumError: s.Other("standard_metadata.checksum_error"),
		ingressTime:   s.Other("intrinsic_metadata.ingress_global_timestamp"),
		egressTime:    s.Other("intrinsic_metadata.egress_global_timestamp"),
		group:         s.Other("intrinsic_metadata.mcast_grp"), replica: s.Other("intrinsic_metadata.egress_rid"),
		priority: s.Other("intrinsic_metadata.priority"), queue: s.Other("queueing_metadata.qid"),
		enqueued: s.Other("queueing_metadata.enq_timestamp"), depth: s.Other("queueing_metadata.enq_qdepth"),
		waited: s.Other("queueing_metadata.deq_timedelta"), left: s.Other("queueing_metadata.deq_qdepth"),
		ownGroup: s.Other("standard_metadata.mcast_grp")}
	x := &in.standard
	if x.enqueued < 0 || x.depth < 0 || x.waited < 0 || x.left < 0 { // all of them, or none counts
		x.enqueued, x.depth, x.waited, x.left = -1, -1, -1, -1
	}
}

// fillTables gives each table its entries.
func (in *Interpreter) fillTables(entries []Entry, defaults map[string]Entry) error {
	p := in.program
	byName := map[string][]Entry{}
	for _, e := range entries {
		byName[e.Table] = append(byName[e.Table], e)
	}
	for _, pipe := range []*Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			if n.Table == nil {
				continue
			}
			c, err := newContents(p, n.Table, byName[n.Name])
			if err != nil {
				return err
			}
			if d, ok := defaults[n.Name]; ok {
				if err := c.setDefault(p, &d); err != nil {
					return err
				}
			}
			c.number = len(in.direct)
			in.tables[n.Table] = c
			in.direct = append(in.direct, make([]CounterValue, len(c.entries)))
			delete(byName, n.Name)
		}
	}
	for name := range byName {
		return fmt.Errorf("%s: entries for table %s, which is not there", p.Name, name)
	}
	return nil
}

// SetTime sets the clock, in microseconds since the switch started.
func (in *Interpreter) SetTime(us uint64) { in.now = us }

// Value returns a field's value after the last packet, the lowest 64 bits of it.
func (in *Interpreter) Value(field int) uint64 {
	if w := in.vector.wide[field]; w != nil {
		return new(big.Int).And(w, wideOnes(64)).Uint64()
	}
	return in.vector.values[field]
}

// Counter returns what an element of a counter array has counted, DirectCounter what an entry of a table has.
func (in *Interpreter) Counter(array, index int) CounterValue { return in.counters[array][index] }

// DirectCounter returns what an entry of a table has counted; entries are numbered in the order of their installation.
func (in *Interpreter) DirectCounter(t *Table, entry int) CounterValue {
	if list := in.direct[in.tables[t].number]; entry < len(list) {
		return list[entry]
	}
	return CounterValue{}
}

// Register returns the lowest 64 bits of a register.
func (in *Interpreter) Register(array, index int) uint64 {
	if w := in.wide[array]; w != nil {
		return new(big.Int).And(w[index], wideOnes(64)).Uint64()
	}
	return in.registers[array][index]
}
