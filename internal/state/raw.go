package state

import "encoding/binary"

// Memory of models is mostly zeros. Where there are at least two words it is written in groups of up to eight: a byte that has a bit for
// each word that is not zero, then those words. After a whole group of zeros comes the number of further ones. The bytes of the last,
// broken word are written as they are.
const (
	word   = 8        // bytes
	group  = 8 * word // bytes of eight words
	sparse = 2 * word // bytes from which on groups are worth it
)

// appendMemory appends memory to what is written.
func appendMemory(buf, mem []byte) []byte {
	if len(mem) < sparse {
		return append(buf, mem...)
	}
	for len(mem) >= word {
		mask, at := byte(0), len(buf)
		buf = append(buf, 0)
		n := min(len(mem), group) / word
		for i := range n {
			if x := binary.NativeEndian.Uint64(mem[word*i:]); x != 0 {
				mask |= 1 << i
				buf = binary.NativeEndian.AppendUint64(buf, x)
			}
		}
		mem = mem[word*n:]
		if buf[at] = mask; mask == 0 && len(mem) >= group {
			zeros := 0
			for len(mem) >= group && allZero(mem[:group]) {
				mem = mem[group:]
				zeros++
			}
			buf = binary.AppendUvarint(buf, uint64(zeros))
		}
	}
	return append(buf, mem...)
}

func allZero(mem []byte) bool {
	var x uint64
	for i := 0; i < group; i += word {
		x |= binary.NativeEndian.Uint64(mem[i:])
	}
	return x == 0
}

// Memory reads into mem what [Encoder.Memory] wrote. What is there already is not written again: it may be a table that all simulations
// of a program share.
func (d *Decoder) Memory(mem []byte) error {
	for grouped := len(mem) >= sparse; grouped && len(mem) >= word; {
		mask, err := d.byte()
		if err != nil {
			return err
		}
		n := min(len(mem), group) / word
		for i := range n {
			x := uint64(0)
			if mask>>i&1 != 0 {
				b, err := d.take(word)
				if err != nil {
					return err
				}
				x = binary.NativeEndian.Uint64(b)
			}
			setWord(mem[word*i:], x)
		}
		mem = mem[word*n:]
		if mask != 0 || len(mem) < group {
			continue
		}
		zeros, err := d.Uint()
		if err != nil {
			return err
		}
		if zeros > uint64(len(mem)/group) {
			return errDamaged
		}
		for range zeros {
			for i := 0; i < group; i += word {
				setWord(mem[i:], 0)
			}
			mem = mem[group:]
		}
	}
	b, err := d.take(len(mem))
	if err == nil && string(b) != string(mem) {
		copy(mem, b)
	}
	return err
}

func setWord(mem []byte, x uint64) {
	if binary.NativeEndian.Uint64(mem) != x {
		binary.NativeEndian.PutUint64(mem, x)
	}
}
