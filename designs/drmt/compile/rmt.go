package compile

import (
	"fmt"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// PipelineResult is a program compiled for RMT.
type PipelineResult struct {
	Image    *drmt.PipelineImage
	Parser   *drmt.Parser
	Deparser *drmt.Deparser
	// Segments, ALUs and Memory are in use in each stage.
	Segments, ALUs []int
	Memory         []drmt.Blocks
}

// RMT compiles a program for a pipeline of stages, each with a table's match and its action in one stage and its memory
// with them (§2.1). StageOf has the stage of each table and condition, by name; nil: the compiler puts each, in the
// program's order, into the first stage that has room and that its dependencies let it have. A stage has the memory of
// opt.Memory, RMT's own by default; opt.Clusters means nothing here.
func RMT(p *p4.Program, stageOf map[string]int, opt Options) (*PipelineResult, error) {
	c, err := newCompiler(p, opt)
	if err != nil {
		return nil, err
	}
	err = c.initial(opt)
	if err != nil {
		return nil, err
	}
	for _, o := range c.operations {
		if o.match != nil && o.match.table.Array > 0 {
			return nil, fmt.Errorf("%s: %s: registers and counters are not supported on RMT", p.Name, o.name)
		}
	}
	if opt.Memory == (drmt.Blocks{}) {
		opt.Memory = drmt.ClusterBlocks
	}
	l := &stager{compiler: c, have: opt.Memory, stage: make([]int, len(c.operations)), result: &PipelineResult{}}
	reach := c.flow.reaches()
	for x := range c.operations {
		first := l.earliest(x, reach)
		if stageOf != nil {
			s, ok := stageOf[c.operations[x].name]
			if !ok || s < first {
				return nil, fmt.Errorf(
					"%s: %s is in stage %d, its dependencies want %d or later", p.Name, c.operations[x].name, s, first,
				)
			}
			first = s
		}
		if err := l.place(x, first, stageOf != nil); err != nil {
			return nil, err
		}
	}
	if err := l.link(); err != nil {
		return nil, err
	}
	r := l.result
	if r.Parser, err = c.parser(); err != nil {
		return nil, err
	}
	if r.Deparser, err = c.deparser(); err != nil {
		return nil, err
	}
	if r.Deparser.SendsAgain() {
		return nil, fmt.Errorf("%s: packets that run again, and copies, are not supported on RMT", p.Name)
	}
	return r, r.Image.Check()
}

// stager places operations in stages.
type stager struct {
	*compiler
	have   drmt.Blocks
	stage  []int // by node
	known  []int // by node: the stage in which it is known whether a packet comes to it
	result *PipelineResult
}

// earliest returns the first stage that a node's dependencies allow: all operations of a stage read the header vector
// as it came, and a guard can follow from conditions and matches of its own stage.
func (l *stager) earliest(x int, reach [][]bool) int {
	first := 0
	b := &l.operations[x]
	keys := map[int]bool{}
	if b.match != nil {
		keys = b.match.keys
	}
	for y := range x {
		if !reach[y][x] {
			continue
		}
		a := &l.operations[y]
		for _, touched := range []map[int]bool{keys, b.reads, b.writes} {
			if _, ok := l.common(a.writes, touched); ok {
				first = max(first, l.stage[y]+1)
			}
		}
		if _, ok := l.common(a.reads, b.writes); ok {
			first = max(first, l.stage[y])
		}
		if a.match != nil {
			if _, ok := l.common(a.match.keys, b.writes); ok {
				first = max(first, l.stage[y])
			}
		}
	}
	known := 0
	if e := l.flow.equivalent(x); e < x {
		known = l.known[e]
	} else {
		for _, w := range l.flow.deciders(x) {
			known = max(known, l.known[w.node], l.stage[w.node])
		}
	}
	l.known = append(l.known, known)
	return max(first, known)
}

// maxStages bounds a program.
const maxStages = 1024

// place finds room from a stage on, or in that stage only.
func (l *stager) place(x, stage int, fixed bool) error {
	op := &l.operations[x]
	var width int
	var blocks drmt.Blocks
	alus := len(op.alus)
	if op.match != nil {
		width, blocks, alus = segmentsOf(op.match.keyBytes), op.match.blocks(), op.match.alus
	}
	if width > drmt.Segments || alus > drmt.StageALUs || !blocks.Within(l.have) {
		return fmt.Errorf(
			"%s: %s needs %d key segments, %d ALUs and %v; a stage has %d, %d and %v", l.program.Name, op.name, width,
			alus, blocks, drmt.Segments, drmt.StageALUs, l.have,
		)
	}
	r := l.result
	for ; ; stage++ {
		if stage >= maxStages {
			return fmt.Errorf("%s: more than %d stages", l.program.Name, maxStages)
		}
		for len(r.Segments) <= stage {
			r.Segments, r.ALUs, r.Memory = append(r.Segments, 0), append(r.ALUs, 0), append(r.Memory, drmt.Blocks{})
		}
		if r.Segments[stage]+width <= drmt.Segments && r.ALUs[stage]+alus <= drmt.StageALUs &&
			r.Memory[stage].Add(blocks).Within(l.have) {
			break
		}
		if fixed {
			return fmt.Errorf(
				"%s: stage %d has no room for %s: %d key segments, %d ALUs and %v", l.program.Name, stage, op.name, width,
				alus, blocks,
			)
		}
	}
	r.Segments[stage] += width
	r.ALUs[stage] += alus
	r.Memory[stage] = r.Memory[stage].Add(blocks)
	l.stage[x] = stage
	return nil
}

// link makes the image. Operations of a stage stand in the program's order, so that terms are evaluated in it.
func (l *stager) link() error {
	im := &drmt.PipelineImage{Name: l.program.Name, Stages: make([]drmt.StageProgram, len(l.result.Segments))}
	l.result.Image = im
	for i := range im.Stages { // pointer 0 does nothing
		im.Stages[i].Actions, im.Stages[i].Outcome = make([][]drmt.Instruction, 1), make([]drmt.Predicate, 1)
	}
	lanes := make([]int, len(im.Stages))
	for x := range l.operations {
		op, s := &l.operations[x], l.stage[x]
		st := &im.Stages[s]
		if op.match == nil {
			st.Fixed = append(st.Fixed, op.alus...)
		} else {
			for i := range op.match.choices {
				ch := &op.match.choices[i]
				ch.pointer = uint16(len(st.Actions))
				st.Actions, st.Outcome = append(st.Actions, ch.alus), append(st.Outcome, ch.outcome)
			}
			table, err := l.table(op.match)
			if err != nil {
				return err
			}
			t := drmt.StageTable{Name: op.match.table.Name, Table: table}
			for k, seg := range l.segments(op.match.table) {
				st.Keys[lanes[s]+k] = seg
				t.Lanes = append(t.Lanes, lanes[s]+k)
			}
			lanes[s] += len(t.Lanes)
			st.Tables = append(st.Tables, t)
		}
	}
	// A term is evaluated in the first stage in which both sides are known, which is where the other machine's edge would
	// be.
	for x := range l.operations {
		op := &l.operations[x]
		for _, t := range op.terms {
			st := &im.Stages[l.stage[x]]
			st.Terms = append(st.Terms, drmt.PredicateTerm{A: t.a, B: t.b, Set: t.set})
		}
		if e := l.flow.equivalent(x); e < x || x == 0 {
			continue
		}
		for _, w := range l.flow.deciders(x) {
			from := &l.operations[w.node]
			st := &im.Stages[max(l.known[w.node], l.stage[w.node])]
			st.Terms = append(st.Terms, drmt.PredicateTerm{A: from.guard, B: from.outcomes[w.next], Set: op.guard})
		}
	}
	return nil
}

// segments returns the key segments of a table.
func (c *compiler) segments(t *p4.Table) []drmt.SegmentConfig {
	bytes := c.keyBytes(t)
	segs := make([]drmt.SegmentConfig, segmentsOf(len(bytes)))
	for i := range segs {
		segs[i].Enable = true
		for b := range drmt.SegmentBytes {
			at := zero.Byte()
			if k := i*drmt.SegmentBytes + b; k < len(bytes) {
				at = bytes[k]
			}
			segs[i].SetByte(b, at)
		}
	}
	return segs
}
