package drmt

import (
	"math/bits"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/xbar"
)

// Tag goes with a header vector.
type Tag struct {
	Number    uint32 // of the packet, in the order in which packets enter processors
	Origin    uint32 // of the packet that came, in the order of arrival; Number, if no packet runs more than once
	Payload   uint16 // the byte of the packet that came at which the payload begins
	Rest      uint16 // of a recirculated packet: bytes before the payload that left the deparser and are no header now
	Slot      uint16 // of the ingress' packet buffer
	Processor uint8
	Valid     bool
}

// ProcessorFaultKind says what a processor met.
type ProcessorFaultKind uint8

// Kinds of faults.
const (
	NoFault       ProcessorFaultKind = iota
	ResultMissing                    // a packet's result did not come back in its cycle
	ResultStray                      // a result came back that nobody waits for
	FieldClash                       // two ALUs wrote one field of a packet
)

// ProcessorFault is the last fault of a cycle.
type ProcessorFault struct {
	Kind  ProcessorFaultKind `bits:"2"`
	Where uint8              // the lane, or the field
}

// Processor is a match-action processor (§5.1, Figure 9). A packet whose Tag names it enters at cycle 0 of its period,
// runs the whole program, and leaves T cycles later.
type Processor struct {
	Tag    rtl.In[Tag]
	Header rtl.In[HeaderVector]
	Config [Segments]rtl.In[SegmentConfig]
	Key    [Segments]rtl.Out[xbar.Word[Key]]
	Result [Segments]rtl.In[xbar.Word[Result]]

	OutTag    rtl.Out[Tag]
	OutHeader rtl.Out[HeaderVector]
	Fault     rtl.Out[ProcessorFault]
	// Issued has the slots whose instructions were fetched at the last edge: that is when their actions start.
	Issued rtl.Out[uint8]
	// Occupied is how many threads hold a packet, Waiting how many results the scratch pad holds.
	Occupied, Waiting rtl.Out[uint8]

	number  uint8
	offset  int
	image   *Image
	decoded *decoder

	phase    int
	threads  threadFile
	arriving HeaderVector // the packet that enters at this edge
	keyed    uint8        // segments that had a key at the last edge
	leaving  bool         // a packet stood at the output at the last edge
	scratch  ScratchPad
	issue    issueRegister
	output   outputCrossbar
	came     uint8           // segments on which a result came in this cycle
	merged   [Segments]uint8 // by the segment of an arrival: the one whose result is taken
	fault    ProcessorFault
	held     int // threads with a packet
	waiting  int // results in the scratch pad
	writing  [ScratchPorts]ScratchWrite
}

// issueRegister stands between fetch and execution.
type issueRegister struct {
	counter  int
	active   uint8 // slots
	pointers [Slots]uint16
	data     [Slots]Result
	packets  [2]int // numbers of their threads
}

// decoder is derived from an image, once for all processors: which ALUs a slot has in each cycle and which do anything
// for a pointer, which slots are in use, and on which segments results come.
type decoder struct {
	assigned [][Slots]uint32 // by program counter
	used     []uint32        // by pointer
	slots    []uint8         // by cycle of the period
	expected []uint8         // segments, by cycle of the period
}

func newDecoder(im *Image) *decoder {
	m := im.Memory
	d := &decoder{
		assigned: make([][Slots]uint32, len(m.Select)), used: make([]uint32, Pointers), slots: make([]uint8, im.Period),
		expected: make([]uint8, im.Period),
	}
	for c := range im.Period {
		for s := range im.Slots[c] {
			if im.Slots[c][s].Kind != Unused {
				d.slots[c] |= 1 << s
			}
		}
		for _, a := range im.Arrivals[c] {
			d.expected[c] |= 1 << a.Lane
			for _, l := range a.Parts {
				d.expected[c] |= 1 << l
			}
		}
	}
	for c, sel := range m.Select {
		for a, slot := range sel {
			d.assigned[c][slot&selectMask] |= 1 << a
		}
	}
	for a, slice := range m.Slices {
		for p := range slice {
			if slice[p].Op != Nop {
				d.used[p] |= 1 << a
			}
		}
	}
	return d
}

// newProcessor returns processor number of a machine, which takes packets at cycle offset of the period.
func newProcessor(number, offset int, image *Image, d *decoder) *Processor {
	return &Processor{number: uint8(number), offset: offset, image: image, decoded: d}
}

// Reset has no packets.
func (p *Processor) Reset() {
	p.threads = threadFile{threads: make([]thread, p.image.threads())}
	p.phase = (p.image.Period - p.offset%p.image.Period) % p.image.Period
	p.scratch, p.issue, p.held, p.waiting, p.keyed, p.leaving = ScratchPad{}, issueRegister{}, 0, 0, 0, false
	for s := range p.Key {
		p.Key[s].Set(xbar.Word[Key]{})
	}
	p.OutTag.Set(Tag{})
	p.OutHeader.Set(HeaderVector{})
	p.Fault.Set(ProcessorFault{})
	p.Issued.Set(0)
	p.Occupied.Set(0)
	p.Waiting.Set(0)
}

// Tick is one cycle: all reads come before the writes of their fields.
func (p *Processor) Tick() {
	p.fault = ProcessorFault{}
	arrived := false
	var tag Tag
	if p.phase == 0 {
		p.threads.next()
		if tag = p.Tag.Get(); tag.Processor != p.number {
			tag = Tag{}
		}
		if tag.Valid {
			p.arriving = p.Header.Get()
		}
		arrived = true
	}
	p.generateKeys(arrived, tag.Valid)
	writes := p.receive()
	p.execute()
	p.fetch()
	for i := range writes {
		p.scratch.Write(p.writing[i].Entry, p.writing[i].Result)
	}
	p.emit()
	if arrived {
		if tag.Valid {
			p.held++
		}
		p.threads.load(tag, &p.arriving)
	}
	p.Occupied.Set(uint8(p.held))
	p.Waiting.Set(uint8(p.waiting))
	p.Fault.Set(p.fault)
	if p.phase++; p.phase == p.image.Period {
		p.phase = 0
	}
}

// generateKeys makes the keys of this cycle. A packet that arrives is read on its way into its thread. A segment
// without a key is driven once.
func (p *Processor) generateKeys(arrived, valid bool) {
	ages := &p.image.Threads[p.phase].Match
	var keyed uint8
	for s := range p.Config {
		if !p.Config[s].Get().Enable {
			continue
		}
		c := p.Config[s].Get()
		age := ages[0]
		if c.Second {
			age = ages[1]
		}
		h, there := &p.arriving, valid
		if !arrived || age != 0 {
			t := p.threads.of(age)
			h, there = &t.header, t.tag.Valid
		}
		if there {
			p.Key[s].Set(xbar.Word[Key]{Data: c.KeyOf(h), Valid: true})
			keyed |= 1 << s
		}
	}
	for l := p.keyed &^ keyed; l != 0; l &= l - 1 {
		p.Key[bits.TrailingZeros8(l)].Set(xbar.Word[Key]{})
	}
	p.keyed = keyed
}

// receive takes the results of this cycle: their outcomes become predicates, and waiting ones are to be written to the
// scratch pad.
func (p *Processor) receive() (writes int) {
	var came uint8
	for l := range p.Result {
		if p.Result[l].Get().Valid {
			came |= 1 << l
		}
	}
	if stray := came &^ p.decoded.expected[p.phase]; stray != 0 {
		p.fault = ProcessorFault{ResultStray, uint8(bits.TrailingZeros8(stray))}
	}
	p.came = came
	for i := range p.image.Arrivals[p.phase] {
		a := &p.image.Arrivals[p.phase][i]
		lane := a.Lane
		for _, l := range a.Parts {
			if came>>l&1 != 0 {
				lane = l
				break
			}
		}
		p.merged[a.Lane] = lane
		t := p.threads.of(a.Age)
		switch {
		case came>>lane&1 != 0 && !t.tag.Valid:
			p.fault = ProcessorFault{ResultStray, lane}
		case came>>a.Lane&1 == 0 && t.tag.Valid:
			p.fault = ProcessorFault{ResultMissing, a.Lane}
		case t.tag.Valid:
			r := p.Result[lane].Get().Data
			t.predicates.Set(p.image.Outcome[r.Pointer])
			if a.Scratch.Count > 0 {
				p.writing[writes] = ScratchWrite{r, a.Scratch.entry(t.serial), true}
				writes++
				p.waiting++
			}
		}
	}
	return writes
}

// execute is the second cycle of the actions that were fetched in the last one.
func (p *Processor) execute() {
	r := &p.issue
	for slots := r.active; slots != 0; slots &= slots - 1 {
		slot := bits.TrailingZeros8(slots)
		pointer := r.pointers[slot]
		for alus := p.decoded.assigned[r.counter][slot] & p.decoded.used[pointer]; alus != 0; alus &= alus - 1 {
			p.compute(&p.image.Memory.Slices[bits.TrailingZeros32(alus)][pointer], &r.data[slot])
		}
	}
	for i := range p.image.Terms[p.phase] {
		term := &p.image.Terms[p.phase][i]
		if t := p.threads.of(term.Age); t.tag.Valid {
			t.predicates.apply(term)
		}
	}
	acting := [2]*thread{&p.threads.threads[r.packets[0]], &p.threads.threads[r.packets[1]]}
	if f := p.output.commit(&acting); f != NoField {
		p.fault = ProcessorFault{FieldClash, uint8(f)}
	}
}

// compute is one ALU with its input selector.
func (p *Processor) compute(i *Instruction, data *Result) {
	n := uint8(0)
	if i.Second {
		n = 1
	}
	t := &p.threads.threads[p.issue.packets[n]]
	if !t.tag.Valid {
		return
	}
	v, write := i.Op.Compute(
		operand(i.AKind, i.A, i.Const, &t.header, data), operand(i.BKind, i.B, i.Const, &t.header, data),
	)
	if v != 0 {
		t.predicates.Set(i.True)
	} else {
		t.predicates.Set(i.False)
	}
	if write && i.Dest != NoField {
		p.output.put(aluWrite{v & uint32(1<<i.Bits-1), i.Dest, i.Guard, n})
	}
}

// fetch collects the pointers and data of the actions that start in this cycle.
func (p *Processor) fetch() {
	r := &p.issue
	r.counter, r.active = p.phase, 0
	for n, age := range p.image.Threads[p.phase].Action {
		r.packets[n] = p.threads.at(age)
	}
	for slots := p.decoded.slots[p.phase]; slots != 0; slots &= slots - 1 {
		s := bits.TrailingZeros8(slots)
		c := &p.image.Slots[p.phase][s]
		switch c.Kind {
		case FromLane:
			if p.came>>c.Lane&1 == 0 {
				continue
			}
			r.data[s] = p.Result[p.merged[c.Lane]].Get().Data
			r.pointers[s] = r.data[s].Pointer
		case FromScratch:
			t := p.threads.of(c.Age)
			if !t.tag.Valid {
				continue
			}
			r.data[s] = p.scratch.Read(c.Scratch.entry(t.serial))
			r.pointers[s] = r.data[s].Pointer
			p.waiting--
		case Fixed:
			r.pointers[s] = c.Pointer
		}
		r.active |= 1 << s
	}
	p.Issued.Set(r.active)
}

// emit sends the packet whose last action has just been executed.
func (p *Processor) emit() {
	var tag Tag
	if p.phase == p.image.Length%p.image.Period {
		t := p.threads.of(uint8(p.image.Length / p.image.Period))
		if tag = t.tag; tag.Valid {
			p.OutHeader.Set(t.header)
			t.tag.Valid = false
			p.held--
		}
	}
	if tag.Valid || p.leaving {
		p.OutTag.Set(tag)
	}
	p.leaving = tag.Valid
}
