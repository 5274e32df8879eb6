package state

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Words of models are mostly zeros and small numbers. They are written in groups of eight: four bits for each word say
// how many of its bytes follow, the lowest ones; those above are zeros. After a group of zeros comes a byte, the number
// of further such groups.
const (
	group      = 8
	mostPacked = block*word + block/2 + block/group + word // bytes of a block, and what the last word is written over
)

// pack appends at most a block of words to the output.
func pack(buf []byte, words []uint64) []byte {
	if cap(buf)-len(buf) < mostPacked {
		buf = slices.Grow(buf, max(mostPacked, len(buf)))
	}
	at := len(buf)
	buf = buf[:cap(buf)]
	for len(words) > 0 {
		g := words[:min(group, len(words))]
		words = words[len(g):]
		head := buf[at : at+4]
		at += (len(g) + 1) / 2
		lengths := uint32(0)
		for i, x := range g {
			n := (bits.Len64(x) + 7) / 8
			binary.LittleEndian.PutUint64(buf[at:], x)
			lengths |= uint32(n) << (4 * i)
			at += n
		}
		if len(g) < group {
			for i := range (len(g) + 1) / 2 {
				head[i] = byte(lengths >> (8 * i))
			}
			break
		}
		if binary.LittleEndian.PutUint32(head, lengths); lengths == 0 {
			n := zeros(words)
			words = words[n*group:]
			buf[at] = byte(n)
			at++
		}
	}
	return buf[:at]
}

// zeros returns how many groups of zeros there are before something else.
func zeros(words []uint64) (n int) {
	for ; len(words) >= group; n++ {
		g := (*[group]uint64)(words)
		if g[0]|g[1]|g[2]|g[3]|g[4]|g[5]|g[6]|g[7] != 0 {
			break
		}
		words = words[group:]
	}
	return n
}

// unpack reads as many words as there is room for and returns the data after them.
func unpack(words []uint64, data []byte) ([]byte, error) {
	for len(words) > 0 {
		g := words[:min(group, len(words))]
		words = words[len(g):]
		n := (len(g) + 1) / 2
		if len(data) < n {
			return nil, errDamaged
		}
		var head [4]byte
		copy(head[:], data[:n])
		lengths := binary.LittleEndian.Uint32(head[:])
		data = data[n:]
		for i := range g {
			n := lengths >> (4 * i) & 15
			if n > word || int(n) > len(data) {
				return nil, errDamaged
			}
			if len(data) >= word {
				g[i] = binary.LittleEndian.Uint64(data) & (1<<(8*n) - 1)
			} else {
				var last [word]byte
				copy(last[:], data[:n])
				g[i] = binary.LittleEndian.Uint64(last[:])
			}
			data = data[n:]
		}
		if lengths != 0 || len(g) < group {
			continue
		}
		if len(data) == 0 || int(data[0]) > len(words)/group {
			return nil, errDamaged
		}
		more := group * int(data[0])
		clear(words[:more])
		words, data = words[more:], data[1:]
	}
	return data, nil
}
