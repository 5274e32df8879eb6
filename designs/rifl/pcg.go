package rifl

import "math/bits"

// pcg is PCG-DXSM with 128 bits of state. It gives the numbers of math/rand/v2's, but fills whole beats: from one word
// to the next its state stays in the processor's registers.
type pcg struct{ hi, lo uint64 }

// step returns the next state of a linear congruential generator: the state times a factor, plus an increment.
func (p pcg) step() pcg {
	const (
		factorHi, factorLo       = 2549297995355413924, 4865540595714422341
		incrementHi, incrementLo = 6364136223846793005, 1442695040888963407
	)
	hi, lo := bits.Mul64(p.lo, factorLo)
	hi += p.hi*factorLo + p.lo*factorHi
	lo, carry := bits.Add64(lo, incrementLo, 0)
	hi, _ = bits.Add64(hi, incrementHi, carry)
	return pcg{hi, lo}
}

// number is what a state gives, its bits mixed by DXSM (double xorshift multiply).
func (p pcg) number() uint64 {
	n := p.hi
	n ^= n >> 32
	n *= 0xda942042e4dd58b5
	n ^= n >> 48
	return n * (p.lo | 1)
}

// Uint64 implements math/rand/v2's Source.
func (p *pcg) Uint64() uint64 {
	*p = p.step()
	return p.number()
}

// fill draws words, four a turn where it can: then Go's compiler keeps the factors in registers, too.
func (p *pcg) fill(words []uint64) {
	s := *p
	for ; len(words) >= 4; words = words[4:] {
		four := (*[4]uint64)(words)
		s = s.step()
		four[0] = s.number()
		s = s.step()
		four[1] = s.number()
		s = s.step()
		four[2] = s.number()
		s = s.step()
		four[3] = s.number()
	}
	for i := range words {
		s = s.step()
		words[i] = s.number()
	}
	*p = s
}
