package p4

// RandomPlace is a place of a program that takes a random number, which a field has: from Low to High if Ranged, else
// 32 random bits.
type RandomPlace struct {
	Field, Place int
	Ranged       bool
	Low, High    uint64
}

// Draw is the random number from low to high that packet number packet gets at a place of the program. It follows from
// a seed, so that every run of the program finds the same. A packet that comes to a place twice finds the same number
// there.
func Draw(seed, packet uint64, place int, low, high uint64) uint64 {
	if high <= low {
		return low
	}
	r := DrawWord(seed, packet, place)
	span := high - low + 1
	if high-low > 1<<32-1 {
		r |= DrawWord(^seed, packet, place) << 32
	}
	if span != 0 {
		r %= span
	}
	return low + r
}

// DrawWord is 32 random bits, which [Draw] brings into its range.
func DrawWord(seed, packet uint64, place int) uint64 {
	x := seed*0x9e3779b97f4a7c15 + packet*0xbf58476d1ce4e5b9 + uint64(
		place+1,
	)*0x94d049bb133111eb // the constants of SplitMix64
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return (x ^ x>>31) >> 32
}
