package drmt

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/rtl"
)

// RMT's pipeline (Bosshart et al., SIGCOMM 2013; dRMT §1, Table 1): a stage matches for 18 cycles, key generation
// included, and acts for 2.
const (
	StageALUs    = Fields // one for each field
	StageLatency = keyGeneration + ClusterLatency + ActionLatency
)

// StageTag goes with a header vector through a pipeline.
type StageTag struct {
	Tag        Tag
	Predicates Predicates
	Pass       uint8 // how often the packet has been recirculated
}

// StageProgram is what a stage does with a packet of one pass. It has the tables whose memory is the stage's own.
type StageProgram struct {
	Keys    KeyEntry
	Tables  []StageTable
	Fixed   []Instruction   // the same for every packet
	Actions [][]Instruction // by instruction pointer
	Outcome []Predicate     // by instruction pointer
	Terms   []PredicateTerm // in the order of evaluation
}

// StageTable is a table of a stage: its key segments and its contents.
type StageTable struct {
	Name  string
	Lanes []int
	Table *Table
}

// PipelineImage is a program compiled for RMT: its stages, one after another, more than there are stages in hardware if
// need be.
type PipelineImage struct {
	Name   string
	Stages []StageProgram
}

// Stage is a stage of an RMT pipeline: key generation, its own tables, and an ALU for each field. A header vector
// leaves 20 cycles after it came; the packets between are in a shift register. With recirculation a stage has a program
// for each pass.
type Stage struct {
	Tag       rtl.In[StageTag]
	Header    rtl.In[HeaderVector]
	OutTag    rtl.Out[StageTag]
	OutHeader rtl.Out[HeaderVector]
	// Clash tells that two ALUs wrote one field of a packet.
	Clash rtl.Out[bool]

	programs []*StageProgram // by pass
	shift    []shifted
	at       int
	writes   []aluWrite
	results  []Result
}

// shifted is a packet in a stage, with its header vector as it came.
type shifted struct {
	tag    StageTag
	header HeaderVector
}

func newStage(programs []*StageProgram) *Stage {
	own := make([]*StageProgram, len(programs)) // hash units have memory of their own
	for i, p := range programs {
		if p == nil {
			continue
		}
		x := *p
		x.Tables = slices.Clone(p.Tables)
		for k := range x.Tables {
			if x.Tables[k].Table.Kind == Computed {
				x.Tables[k].Table = x.Tables[k].Table.with(nil, nil)
			}
		}
		own[i] = &x
	}
	return &Stage{programs: own}
}

// Reset empties the stage.
func (s *Stage) Reset() {
	s.shift, s.at = make([]shifted, StageLatency-1), 0
	s.writes = make([]aluWrite, 0, StageALUs)
	s.results = make([]Result, Segments)
	s.OutTag.Set(StageTag{})
	s.OutHeader.Set(HeaderVector{})
	s.Clash.Set(false)
}

// Tick moves the shift register. What a stage does with a packet follows from the packet alone, so it is done when the
// packet leaves.
func (s *Stage) Tick() {
	x := &s.shift[s.at]
	clash := false
	if x.tag.Tag.Valid {
		if p := s.programs[x.tag.Pass]; p != nil {
			clash = s.run(p, x)
		}
		s.OutHeader.Set(x.header)
	}
	s.OutTag.Set(x.tag)
	s.Clash.Set(clash)
	if x.tag = s.Tag.Get(); x.tag.Tag.Valid {
		x.header = s.Header.Get()
	}
	if s.at++; s.at == len(s.shift) {
		s.at = 0
	}
}

// run matches, then acts.
func (s *Stage) run(p *StageProgram, x *shifted) (clash bool) {
	s.writes = s.writes[:0]
	for i := range p.Tables {
		t := &p.Tables[i]
		var key [Segments]Key
		for k, l := range t.Lanes {
			key[k] = p.Keys[l].KeyOf(&x.header)
		}
		r := t.Table.Lookup(key[:len(t.Lanes)])
		x.tag.Predicates.Set(p.Outcome[r.Pointer])
		s.compute(p.Actions[r.Pointer], x, &r)
	}
	s.compute(p.Fixed, x, &Result{})
	for i := range p.Terms {
		x.tag.Predicates.apply(&p.Terms[i])
	}
	var written [(Fields + 63) / 64]uint64
	for i := range s.writes {
		w := &s.writes[i]
		if !x.tag.Predicates.Has(w.guard) {
			continue
		}
		clash = clash || written[w.dest>>6]>>(w.dest&63)&1 != 0
		written[w.dest>>6] |= 1 << (w.dest & 63)
		x.header.Set(w.dest, w.value)
	}
	return clash
}

// compute gives instructions their operands from the header vector as it came.
func (s *Stage) compute(list []Instruction, x *shifted, data *Result) {
	for n := range list {
		i := &list[n]
		v, write := i.Op.Compute(
			operand(i.AKind, i.A, i.Const, &x.header, data), operand(i.BKind, i.B, i.Const, &x.header, data),
		)
		if v != 0 {
			x.tag.Predicates.Set(i.True)
		} else {
			x.tag.Predicates.Set(i.False)
		}
		if write && i.Dest != NoField {
			s.writes = append(s.writes, aluWrite{value: v & uint32(1<<i.Bits-1), dest: i.Dest, guard: i.Guard})
		}
	}
}

// Check reports what no stage can hold.
func (m *PipelineImage) Check() error {
	var faults []error
	if len(m.Stages) == 0 {
		faults = append(faults, fmt.Errorf("image %s: no stages", m.Name))
	}
	for i, s := range m.Stages {
		if len(s.Actions) != len(s.Outcome) || len(s.Actions) > Pointers {
			faults = append(
				faults,
				fmt.Errorf("image %s: stage %d has %d actions and %d outcomes", m.Name, i, len(s.Actions), len(s.Outcome)),
			)
		}
	}
	return errors.Join(faults...)
}
