package study

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/rtl"
)

// processorClaims are the widths and limits of §5.1 and Figures 9 and 11, counted on ports and in runs.
func processorClaims() []claims.Claim {
	const given = "A parameter of package drmt and of its schedules: "
	return []claims.Claim{
		{
			ID: "drmt/figure9/keys", Source: "dRMT §5.1, Figure 9", Printed: "640 bits",
			Text:  "A processor sends 640 bits of key in a cycle, eight segments of 80.",
			Judge: claims.Exactly("640", "bits"), Expect: claims.Holds, Measure: portBits("key_", "data_"),
		},
		{
			ID: "drmt/figure9/results", Source: "dRMT §5.3, Figure 9", Printed: "8 x 10 + 8 x 96 bits",
			Text:  "Eight instruction pointers of 10 bits and eight segments of action data of 96 bits come back in a cycle.",
			Judge: claims.Exactly("848", "bits"), Expect: claims.Holds, Measure: portBits("result_", "data_"),
		},
		{ID: "drmt/5.1/header-vector", Source: "dRMT §5.1", Printed: "4 kbit", Text: "A packet header vector has 4 kbit.",
			Judge: claims.Exactly("4096", "bits"), Expect: claims.Holds, Measure: portBits("header", "words_")},
		{
			ID: "drmt/5.1/fields", Source: "dRMT §5.1", Printed: "64 + 96 + 64 = 224 fields",
			Text: "Its fields are 64 of 8 bits, 96 of 16 and 64 of 32.",
			Judge: claims.Shape("64 of 8, 96 of 16, 64 of 32 bits", "fields", func(m claims.Measurement) bool {
				return len(m.Rows) == 3 && m.Rows[0].Value == 64 && m.Rows[1].Value == 96 && m.Rows[2].Value == 64
			}),
			Expect:  claims.Holds,
			Measure: fields,
		},
		{
			ID: "drmt/5.1/modified", Source: "dRMT §5.1", Printed: "1 kbit",
			Text:  "32 ALUs of 32 bits modify up to 1 kbit of a header vector in a cycle.",
			Judge: claims.Exactly("1024", "bits"), Expect: claims.Holds,
			Note:    "A program of one action that writes 32 fields; an action of 33 is refused.",
			Measure: modified,
		},
		{
			ID: "drmt/figure11/entries", Source: "dRMT §5.1, Figure 11", Printed: "1K",
			Text:  "A slice of the VLIW instruction memory holds 1K instructions, in 32 slices.",
			Judge: claims.Exactly("1024", "entries"), Expect: claims.Holds,
			Measure: vliw(func(m vliwMemory) (int, string, string) {
				return m.entries, "entries", "that each of 32 slices gives back"
			}),
		},
		{
			ID: "drmt/figure11/pointers", Source: "dRMT §5.1, Figure 11", Printed: "8:1",
			Text:  "A select chooses one of eight instruction pointers for each slice.",
			Judge: claims.Exactly("8", "pointers"), Expect: claims.Holds,
			Measure: vliw(func(m vliwMemory) (int, string, string) { return m.pointers, "pointers", "that reach every slice" }),
		},
		{
			ID: "drmt/figure11/select-table", Source: "dRMT §5.1, Figure 11", Printed: "32 x 96b",
			Text:  "The ALU select table has 32 entries of 96 bits.",
			Judge: claims.Exactly("3072", "bits"), Expect: claims.Holds,
			Note: "Random selects, three bits each, that the fetched instructions show to be as they were loaded.",
			Measure: vliw(func(m vliwMemory) (int, string, string) {
				return m.selects * 3, "bits", "selects of 32 program counters and 32 slices, three bits each"
			}),
		},
		{
			ID: "drmt/5.1/scratch-entries", Source: "dRMT §5.1", Printed: "64, eight write ports, eight read ports",
			Text:  "The scratch pad holds 64 results; eight are written and eight read in a cycle.",
			Judge: claims.Exactly("64", "entries"), Expect: claims.Holds,
			Note:    "Written by eight ports in 8 cycles, read by eight ports in 8 cycles.",
			Measure: scratchEntries,
		},
		{
			ID: "drmt/table1/capacities", Source: "dRMT Table 1", Printed: "8, 80 bits, 32, 1 or 2",
			Text:   "Match capacity, match unit size, action capacity and inter-packet concurrency of dRMT.",
			Expect: claims.Given,
			Reason: given + "drmt.Segments, drmt.SegmentBytes, drmt.ALUs, drmt.MaxIPC; each schedule is checked against them.",
		},
		{
			ID: "drmt/6/thread-limit", Source: "dRMT §6", Printed: "32", Text: "A processor holds up to 32 packets.",
			Expect: claims.Given,
			Reason: given + "drmt.Threads; what programs take is measured (drmt/a.1/threads, drmt/6/threads).",
		},
		{
			ID: "drmt/1/cluster-memory", Source: "dRMT §1, §5.2", Printed: "11 Mbit SRAM, 1.25 Mbit TCAM",
			Text: "Memory of an RMT stage and of a cluster.", Expect: claims.Given,
			Reason: given + "drmt.ClusterBlocks, 106 blocks of 1K x 112 bits and 16 of 2K x 40 bits, from the RMT paper.",
		},
	}
}

// portBits counts the bits of a processor's ports, by the prefix of their names and of the names of their parts.
func portBits(port, part string) measure {
	return claims.Fixed(func() (m claims.Measurement, err error) {
		all, err := rtl.Ports(&drmt.Processor{})
		if err != nil {
			return m, err
		}
		n, ports := 0, 0
		for _, p := range all {
			if !strings.HasPrefix(p.Name, port) {
				continue
			}
			ports++
			for _, l := range p.Leaves {
				if strings.HasPrefix(l.Name, part) {
					n += l.Width
				}
			}
		}
		return claims.Count(n, "bits", "of %d ports of a processor", ports), nil
	})
}

// fields counts the bits that each field of an empty header vector takes when it is written with ones.
func fields(context.Context, *claims.Run) (m claims.Measurement, err error) {
	count := map[int]int{}
	for f := range drmt.Field(drmt.Fields) {
		var h drmt.HeaderVector
		h.Set(f, ^uint32(0))
		n := 0
		for _, w := range h.Words {
			n += bits.OnesCount64(w)
		}
		count[n]++
	}
	m = claims.Count(drmt.Fields, "fields", "by the bits that each takes when it is written")
	for _, n := range []int{8, 16, 32} {
		m.Rows = append(m.Rows, claims.Row{Label: fmt.Sprintf("of %d bits", n), Value: float64(count[n])})
	}
	return m, nil
}

// modified runs a program whose only action writes ones to 32 fields of 32 bits, and counts the bits that differ
// between the header vector that goes into the processor and the vector that comes out, a cycle later.
func modified(context.Context, *claims.Run) (m claims.Measurement, err error) {
	m, err = modify(drmt.ALUs)
	if err != nil {
		return m, err
	}
	if _, err := modify(drmt.ALUs + 1); err == nil {
		return claims.Measurement{}, fmt.Errorf("an action of %d fields is not refused", drmt.ALUs+1)
	}
	return m, nil
}

func modify(fields int) (m claims.Measurement, err error) {
	p := &p4.Program{
		Name:     "ones",
		Standard: p4.Standard{IngressPort: -1, EgressSpec: 0, EgressPort: -1, PacketLength: -1},
		Deparse:  []int{0},
		Headers: []p4.Header{
			{Name: "h", Valid: 1, Bits: 32 * fields},
			{Name: "standard_metadata", Metadata: true, Fields: []int{0}, Valid: -1},
		},
		Fields: []p4.Field{{Name: "standard_metadata.egress_spec", Header: 1, Bits: 9}, {Name: "h.$valid$", Bits: 1}},
		States: []p4.State{
			{Name: "start", Ops: []p4.ParserOp{{Header: 0}}, Transitions: []p4.Transition{{Next: p4.Accept}}},
		},
		Ingress: p4.Pipeline{
			Name: "ingress",
			Nodes: []p4.Node{
				{Name: "write", Table: &p4.Table{Name: "write", Match: p4.Exact, Actions: []int{0}, Next: []int{p4.Accept}}},
			},
		},
		Egress: p4.Pipeline{Name: "egress", First: p4.Accept},
	}
	a := p4.Action{Name: "ones"}
	for i := range fields {
		f := len(p.Fields)
		p.Fields = append(p.Fields, p4.Field{Name: fmt.Sprint("h.f", i), Bits: 32})
		p.Headers[0].Fields = append(p.Headers[0].Fields, f)
		a.Ops = append(
			a.Ops,
			p4.Primitive{Op: p4.Assign, Field: f, Header: -1, Value: &p4.Expr{Kind: p4.Constant, Const: 0xffffffff}},
		)
	}
	p.Actions = []p4.Action{a}
	g, err := compile.Graph(p, compile.Options{})
	if err != nil {
		return m, err
	}
	c, err := compile.DRMT(
		p, &schedule.Schedule{Graph: g, Limits: schedule.DRMT(1), Period: 1, Start: []int{0}}, compile.Options{},
	)
	if err != nil {
		return m, err
	}
	x := &single{packet: make([]byte, 4*fields)}
	s, err := drmt.NewSwitch(
		drmt.Config{Processors: 1, Image: c.Image, Parser: c.Parser, Deparser: c.Deparser, Source: x, Sink: x},
	)
	if err != nil {
		return m, err
	}
	var in, out drmt.HeaderVector
	came, left := 0, 0
	for edge := 1; edge < 10; edge++ {
		if err := s.Clock.Run(1); err != nil {
			return m, err
		}
		if s.Ingress.Tag.Get().Valid {
			in, came = s.Ingress.Header.Get(), edge
		}
		if s.Processors[0].OutTag.Get().Valid {
			out, left = s.Processors[0].OutHeader.Get(), edge
		}
	}
	if came == 0 || left != came+2 {
		return claims.Measurement{}, fmt.Errorf("the packet came at edge %d and left at edge %d", came, left)
	}
	n := 0
	for i := range in.Words {
		n += bits.OnesCount64(in.Words[i] ^ out.Words[i])
	}
	return claims.Count(
		n, "bits", "that differ between the vectors at the ingress, edge %d, and at the processor's output, edge %d",
		came, left,
	), nil
}

// driver is a register that is set from outside before each edge.
type driver[T any] struct {
	Out  rtl.Out[T]
	next T
}

func (d *driver[T]) Tick() { d.Out.Set(d.next) }

// vliwMemory is what a run of the instruction memory shows.
type vliwMemory struct {
	entries  int // that every slice gave back as they were loaded
	pointers int // that reached every slice
	selects  int // of program counter and slice that are as they were loaded
}

func vliw(figure func(vliwMemory) (n int, unit, detail string)) measure {
	return claims.Seeded(func(seed uint64) (m claims.Measurement, err error) {
		memory, err := measureVLIW(seed)
		if err != nil {
			return m, err
		}
		n, unit, detail := figure(memory)
		return claims.Count(n, unit, "%s", detail), nil
	})
}

// measureVLIW loads the instruction memory of Figure 11 with words that are all different and with random selects, and
// fetches everything.
func measureVLIW(seed uint64) (m vliwMemory, err error) {
	const spare = 3 // cycles from a driver to the memory's output, and more
	v, err := drmt.NewVLIWFetch(drmt.ALUs, drmt.Pointers)
	if err != nil {
		return m, err
	}
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("core", drmt.Chip)
	top := sim.Scope("top").On(clk)
	var load driver[drmt.Load]
	var counter driver[drmt.Counter]
	var pointer [drmt.Slots]driver[drmt.Pointer]
	top.Add("load", &load)
	top.Add("counter", &counter)
	top.Add("memory", v)
	rtl.Connect(&load.Out, &v.Load)
	rtl.Connect(&counter.Out, &v.Counter)
	for i := range pointer {
		top.Add(fmt.Sprint("pointer_", i), &pointer[i])
		rtl.Connect(&pointer[i].Out, &v.Pointer[i])
	}
	if err := sim.Elaborate(); err != nil {
		return m, err
	}
	put := func(l drmt.Load) {
		l.Valid = true
		load.next = l
		err = clk.Run(1)
	}
	rng := rand.New(rand.NewPCG(seed, 11))
	var selects [drmt.MaxPeriod][drmt.ALUs]uint32
	for a := range drmt.ALUs {
		first := rng.Perm(drmt.Slots) // each slice has each select at some program counter
		for e := range drmt.Pointers {
			put(drmt.Load{Slice: uint8(a), Entry: uint16(e), Bits: uint32(a)<<16 | uint32(e)})
		}
		for c := range drmt.MaxPeriod {
			selects[c][a] = rng.Uint32N(drmt.Slots)
			if c < drmt.Slots {
				selects[c][a] = uint32(first[c])
			}
			put(drmt.Load{Slice: uint8(a), Entry: uint16(c), Bits: selects[c][a], Select: true})
		}
	}
	load.next = drmt.Load{}
	seen := map[uint32]bool{}
	right := [drmt.MaxPeriod][drmt.ALUs]bool{}
	reached := [drmt.Slots][drmt.ALUs]bool{}
	for base := 0; base < drmt.Pointers; base += drmt.Slots {
		for c := range drmt.MaxPeriod {
			counter.next = drmt.Counter{Count: uint8(c)}
			for i := range pointer {
				pointer[i].next = drmt.Pointer{Entry: uint16(base + i)}
			}
			if err = clk.Run(spare); err != nil {
				return m, err
			}
			for a := range v.Out {
				word := v.Out[a].Get().Bits
				seen[word] = true
				slot := int(word&0xffff) - base
				if word>>16 != uint32(a) || slot < 0 || slot >= drmt.Slots {
					return m, fmt.Errorf("slice %d gives %#x for pointers %d and up", a, word, base)
				}
				reached[slot][a] = true
				right[c][a] = uint32(slot) == selects[c][a] && (base == 0 || right[c][a])
			}
		}
	}
	for e := range drmt.Pointers {
		all := true
		for a := range drmt.ALUs {
			all = all && seen[uint32(a)<<16|uint32(e)]
		}
		if all {
			m.entries++
		}
	}
	for s := range reached {
		if !slices.Contains(reached[s][:], false) {
			m.pointers++
		}
	}
	for c := range right {
		for a := range right[c] {
			if right[c][a] {
				m.selects++
			}
		}
	}
	return m, err
}

// scratchEntries writes 64 different results through the eight write ports, reads them through the eight read ports,
// and counts the results that come back.
func scratchEntries(context.Context, *claims.Run) (m claims.Measurement, err error) {
	pad, err := drmt.NewScratchPadModule(drmt.ScratchPorts, drmt.ScratchEntries)
	if err != nil {
		return m, err
	}
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("core", drmt.Chip)
	top := sim.Scope("top").On(clk)
	var write [drmt.ScratchPorts]driver[drmt.ScratchWrite]
	var read [drmt.ScratchPorts]driver[drmt.ScratchRead]
	top.Add("pad", pad)
	for i := range write {
		top.Add(fmt.Sprint("write_", i), &write[i])
		top.Add(fmt.Sprint("read_", i), &read[i])
		rtl.Connect(&write[i].Out, &pad.Write[i])
		rtl.Connect(&read[i].Out, &pad.Read[i])
	}
	if err := sim.Elaborate(); err != nil {
		return m, err
	}
	const cycles = 8
	for c := range cycles {
		for i := range write {
			n := cycles*i + c
			write[i].next = drmt.ScratchWrite{
				Entry: uint8(n), Valid: true,
				Result: drmt.Result{Lo: uint64(n) + 1, Hi: uint32(n) + 2, Pointer: uint16(n) + 3},
			}
		}
		if err := clk.Run(1); err != nil {
			return m, err
		}
	}
	for i := range write {
		write[i].next.Valid = false
	}
	kept := 0
	for c := range cycles {
		for i := range read {
			read[i].next = drmt.ScratchRead{Entry: uint8(cycles*i + c)}
		}
		if err := clk.Run(2); err != nil { // the address, the entry
			return m, err
		}
		for i := range pad.Out {
			n := cycles*i + c
			if pad.Out[i].Get() == (drmt.Result{Lo: uint64(n) + 1, Hi: uint32(n) + 2, Pointer: uint16(n) + 3}) {
				kept++
			}
		}
	}
	return claims.Count(kept, "entries", "that came back as they were written"), nil
}
