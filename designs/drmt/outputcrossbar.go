package drmt

// aluWrite is what an ALU gives to the output crossbar.
type aluWrite struct {
	value  uint32
	dest   Field
	guard  Predicate
	packet uint8 // of the two that can have actions in a cycle
}

// outputCrossbar is the action output crossbar: 32 ALUs to 224 fields (§5.1). It keeps the ALUs' results of a cycle
// until all have read the old header vector.
type outputCrossbar struct {
	writes  [ALUs]aluWrite
	n       int
	written [2][(Fields + 63) / 64]uint64 // by packet: fields that an ALU has written in this cycle
}

// put takes an ALU's result. The compiler gives a cycle no more instructions than there are ALUs.
func (x *outputCrossbar) put(w aluWrite) {
	x.writes[x.n%ALUs] = w
	x.n++
}

// commit writes the results whose guards are true. It returns a field that two ALUs wrote, NoField if there is none:
// then the second's value is there.
func (x *outputCrossbar) commit(packets *[2]*thread) Field {
	clash := NoField
	for i := range x.n {
		w := &x.writes[i]
		t := packets[w.packet]
		if !t.predicates.Has(w.guard) {
			continue
		}
		if seen := &x.written[w.packet][w.dest>>6]; *seen>>(w.dest&63)&1 != 0 {
			clash = w.dest
		} else {
			*seen |= 1 << (w.dest & 63)
		}
		t.header.Set(w.dest, w.value)
	}
	if x.n > 0 {
		x.n = 0
		x.written = [2][(Fields + 63) / 64]uint64{}
	}
	return clash
}
