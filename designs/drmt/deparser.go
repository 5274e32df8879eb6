package drmt

// DeparsedHeader is a header as it goes to the wire, if its Valid field is not 0.
type DeparsedHeader struct {
	Valid  Field
	Pieces []Piece
}

// ChecksumInput is what a checksum sums up: pieces, or a constant of a width of its own. Pieces of a header count if
// its Valid field, unless it is NoField, is not 0.
type ChecksumInput struct {
	Pieces []Piece
	Valid  Field
	Const  uint64
	Bits   int
	// Payload says that the pieces have the sum of a payload or of a held field. It comes last and follows whole bytes.
	Payload bool
}

// Checksum is an Internet checksum (RFC 1071) that is computed before the headers are put together, if all fields of If
// are not 0.
type Checksum struct {
	Target []Piece
	Inputs []ChecksumInput
	If     []Field
	// Cond, if not nil, must not be 0, either. It is computed as the parser computes.
	Cond *ParserExpr
}

// Deparser makes packets of header vectors.
type Deparser struct {
	Headers   []DeparsedHeader
	Checksums []Checksum
	Port      []Piece // where the packet goes
	// Truncate is where 2^32 - 1 less the bytes stand that leave at most; empty if all packets leave whole.
	Truncate []Piece
	Drops    []DropRule
	// Resubmit is asked before the drop rules, Recirculate after them.
	Resubmit, Recirculate Restart
	// Alone says that a packet comes when the one before, and its copies, have left: their order at registers matters.
	Alone bool
	// Replicate, if not nil, makes copies of packets.
	Replicate *Replication `state:"none"` // as built
}

// DropRule drops a packet if pieces have a value, or unless they have it.
type DropRule struct {
	Pieces []Piece
	Value  uint64
	Unless bool
}

// SendsAgain tells whether any packet, or a copy, may come to the ingress again.
func (d *Deparser) SendsAgain() bool {
	return d.Resubmit.Flag != nil || d.Recirculate.Flag != nil || d.Replicate != nil
}

// Gap is a place among the headers of a packet that leaves: after At bytes of them come Bytes bytes of the packet that
// came, from its byte From on.
type Gap struct{ At, From, Bytes int }

// Deparse appends the headers to buffer, and the places of held fields among them to gaps. It returns the port; drop
// tells that the packet goes nowhere.
func (d *Deparser) Deparse(
	buffer []byte, gaps []Gap, h *HeaderVector,
) (out []byte, places []Gap, port uint16, drop bool) {
	to := getPieces(h, d.Port)
	if d.drops(h) {
		return buffer, gaps, 0, true
	}
	start := len(buffer)
	for i := range d.Checksums {
		d.Checksums[i].update(h)
	}
	var bits uint64
	n := 0
	for i := range d.Headers {
		x := &d.Headers[i]
		if h.Get(x.Valid) == 0 {
			continue
		}
		for _, p := range x.Pieces {
			if p.Held {
				if f := Held(h.Get(p.Field)); f.bytes() > 0 {
					gaps = append(gaps, Gap{len(buffer) - start, f.first(), f.bytes()})
				}
				continue
			}
			bits = bits<<p.Bits | uint64(h.Get(p.Field))&(1<<p.Bits-1)
			for n += int(p.Bits); n >= 8; n -= 8 {
				buffer = append(buffer, byte(bits>>(n-8)))
			}
		}
	}
	return buffer, gaps, uint16(to), false
}

func (d *Deparser) drops(h *HeaderVector) bool {
	for i := range d.Drops {
		if r := &d.Drops[i]; (getPieces(h, r.Pieces) == r.Value) != r.Unless {
			return true
		}
	}
	return false
}

// update writes a checksum.
func (c *Checksum) update(h *HeaderVector) {
	if c.counts(h) {
		setPieces(h, c.Target, uint64(c.sum(h)))
	}
}

// wrong reports that a checksum's target has a wrong value.
func (c *Checksum) wrong(h *HeaderVector) bool {
	return c.counts(h) && getPieces(h, c.Target) != uint64(c.sum(h))
}

func (c *Checksum) counts(h *HeaderVector) bool {
	for _, f := range c.If {
		if h.Get(f) == 0 {
			return false
		}
	}
	return c.Cond == nil || c.Cond.value(h, nil) != 0
}

// sum computes a checksum. Its inputs are summed as one string of bits, 16 at a time.
func (c *Checksum) sum(h *HeaderVector) uint32 {
	var sum uint32
	var bits uint64
	n := 0
	add := func(v uint64, width int) {
		for width > 0 { // 32 bits at most fit beside 15 that wait
			w := min(width, 32)
			width -= w
			bits = bits<<w | v>>width&(1<<w-1)
			for n += w; n >= 16; n -= 16 {
				sum += uint32(bits>>(n-16)) & 0xffff
			}
		}
	}
	for i := range c.Inputs {
		in := &c.Inputs[i]
		if in.Valid != NoField && in.Pieces != nil && h.Get(in.Valid) == 0 {
			continue
		}
		if in.Payload {
			if n%8 != 0 {
				add(0, 8-n%8)
			}
			v := getPieces(h, in.Pieces)
			if n == 8 { // its words do not stand where this sum's do
				add(0, 8)
				v = v>>8 | v&0xff<<8
			}
			sum += uint32(v)
			continue
		}
		if in.Pieces == nil {
			add(in.Const, in.Bits)
		}
		for _, p := range in.Pieces {
			add(uint64(h.Get(p.Field)>>p.Shift), int(p.Bits))
		}
	}
	if n > 0 { // RFC 1071: an odd byte is padded with zero
		sum += uint32(bits<<(16-n)) & 0xffff
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^sum & 0xffff
}
