package p4

import (
	"hash/crc32"
	"math/bits"
)

// calculate computes a calculation over the packet's fields. payload is the rest after its headers.
func (in *Interpreter) calculate(n int, payload []byte) uint64 {
	c := &in.program.Calculations[n]
	data := in.input(c.Input, c.Bits)
	if c.Payload {
		data = append(data, payload...)
	}
	in.key = data
	switch c.Algorithm {
	case RoundRobin:
		in.rounds[n]++
		return in.rounds[n] - 1
	case RoundRobinConsistent:
		if in.seen[n] == nil {
			in.seen[n] = map[string]int{}
		}
		if v, ok := in.seen[n][string(data)]; ok {
			return uint64(v)
		}
		v := len(in.seen[n])
		in.seen[n][string(data)] = v
		return uint64(v)
	}
	return Digested(c.Algorithm, data)
}

// input puts values side by side, without fields and headers that are not valid, and fills the last byte with zeros.
func (in *Interpreter) input(list []*Expr, width []int) []byte {
	p := in.program
	b := bitWriter{out: in.key[:0]}
	for i, e := range list {
		switch e.Kind {
		case FieldValue:
			f := &p.Fields[e.Field]
			h := f.Header
			if !in.isValid(h) {
				continue
			}
			n := f.Bits
			if x := &p.Headers[h]; x.Variable > 0 && x.Fields[x.Variable-1] == e.Field {
				n = in.vector.bits[h]
			}
			in.fieldInto(&b, e.Field, n)
		case HeaderValue:
			if in.isValid(e.Field) {
				in.headerInto(&b, e.Field)
			}
		case Constant:
			if width[i] > 64 {
				b.putWide(in.exact(e, nil), width[i])
			} else {
				b.put(e.Const, width[i])
			}
		default: // of a program made by hand
			b.put(in.unsigned(e, nil), width[i])
		}
	}
	return b.pad()
}

// Digested returns the hash of some bytes.
func Digested(a Algorithm, data []byte) uint64 {
	switch a {
	case CSum16:
		return internetChecksum(data)
	case CRC16:
		return crc(data, 0x8005, 16, 0, 0, true)
	case CRC32:
		return uint64(crc32.ChecksumIEEE(data))
	case CRCCCITT:
		return crc(data, 0x1021, 16, 0xffff, 0, false)
	case CRC8Custom:
		return crc(data, 0x07, 8, 0, 0, false)
	case CRC64Custom:
		return crc(data, 0x1b, 64, 0, 0, true)
	case XOR16:
		return xorWords(data, 2)
	case XOR32:
		return xorWords(data, 4)
	case Identity:
		v := uint64(0)
		for _, b := range data[:min(len(data), 8)] {
			v = v<<8 | uint64(b)
		}
		return v
	}
	return 0
}

// crc divides polynomials over GF(2), most significant bit first; reflected ones take each byte, and give the result,
// the other way round.
func crc(data []byte, polynomial uint64, width int, initial, final uint64, reflected bool) uint64 {
	mask, top := Ones(width), uint64(1)<<(width-1)
	r := initial
	for _, b := range data {
		if reflected {
			b = bits.Reverse8(b)
		}
		r ^= uint64(b) << (width - 8)
		for range 8 {
			if r&top != 0 {
				r = r<<1 ^ polynomial
			} else {
				r <<= 1
			}
		}
		r &= mask
	}
	if reflected {
		r = bits.Reverse64(r) >> (64 - width)
	}
	return r ^ final
}

// xorWords is the exclusive or of words of some bytes, the last one filled with zeros.
func xorWords(data []byte, n int) uint64 {
	v := uint64(0)
	for i, b := range data {
		v ^= uint64(b) << (8 * (n - 1 - i%n))
	}
	return v
}

// internetChecksum is RFC 1071's: the complement of the ones' complement sum of 16-bit words.
func internetChecksum(data []byte) uint64 {
	sum := uint64(0)
	for i := 0; i+1 < len(data); i += 2 {
		sum += uint64(data[i])<<8 | uint64(data[i+1])
	}
	if len(data)%2 == 1 {
		sum += uint64(data[len(data)-1]) << 8
	}
	for sum>>16 != 0 {
		sum = sum&0xffff + sum>>16
	}
	return ^sum & 0xffff
}

// checksum computes a checksum.
func (in *Interpreter) checksum(c *Checksum, payload []byte) uint64 {
	if c.Calculation > 0 {
		return in.calculate(c.Calculation-1, payload)
	}
	in.key = in.input(c.Input, c.Bits)
	return internetChecksum(in.key)
}

// verify compares checksums of headers that are valid. One that is wrong makes it false.
func (in *Interpreter) verify(payload []byte) bool {
	right := true
	for i := range in.program.Checksums {
		c := &in.program.Checksums[i]
		if !c.Verify || !in.isValid(in.program.Fields[c.Target].Header) || c.If != nil && !in.isTrue(c.If, nil) {
			continue
		}
		right = right && in.checksum(c, payload) == in.vector.values[c.Target]
	}
	return right
}

// update writes checksums.
func (in *Interpreter) update(payload []byte) {
	for i := range in.program.Checksums {
		c := &in.program.Checksums[i]
		if c.Update && (c.If == nil || in.isTrue(c.If, nil)) {
			in.set(c.Target, in.checksum(c, payload))
		}
	}
}
