package pcs

// Kind is T_TYPE and R_TYPE of 49.2.13.2.3: what a block or eight XGMII characters are to the state machines.
type Kind uint8

// The kinds, with the letters of the state diagrams.
const (
	KindE Kind = iota // error: fits no other kind
	KindC             // control: idles and ordered sets
	KindS             // has a /S/
	KindT             // has a /T/
	KindD             // eight data characters
)

func (k Kind) String() string { return "ECSTD"[k : k+1] }

// Encode returns the block for eight XGMII characters, and their kind. For KindE the block is an error block.
func Encode(x XGMII) (Block, Kind) {
	switch {
	case x.Ctrl == 0:
		return Block{x.Data, HeaderData, true}, KindD
	case x.Ctrl == 0xff && x.Data == idleData:
		return Block{TypeC8, HeaderControl, true}, KindC
	case x.Ctrl == 0x01 && byte(x.Data) == CharStart:
		return Block{x.Data&^0xff | TypeS0, HeaderControl, true}, KindS
	}
	return encodeRare(x)
}

// encodeRare encodes the words that [Encode] does not: neither eight data characters, nor eight idles, nor a start in
// lane 0.
func encodeRare(x XGMII) (Block, Kind) {
	p, k := uint64(0), KindE
	low, lowChars := encodeHalf(x, 0)
	high, highChars := encodeHalf(x, 4)
	switch lowChars + highChars {
	case "CCCCCCCC":
		if hasError(x) { // eight control characters "other than /E/"
			return ErrorBlock(), KindE
		}
		p, k = TypeC8|low<<8|high<<36, KindC
	case "CCCCODDD":
		p, k = TypeC4O4|low<<8|oCode(x, 4)<<36|high<<40, KindC
	case "CCCCSDDD":
		p, k = TypeC4S4|low<<8|high<<40, KindS
	case "ODDDSDDD":
		p, k = TypeO0S4|low<<8|oCode(x, 0)<<32|high<<40, KindS
	case "ODDDODDD":
		p, k = TypeO0O4|low<<8|oCode(x, 0)<<32|oCode(x, 4)<<36|high<<40, KindC
	case "SDDDDDDD":
		p, k = x.Data&^0xff|TypeS0, KindS
	case "ODDDCCCC":
		p, k = TypeO0C4|low<<8|oCode(x, 0)<<32|high<<36, KindC
	default:
		return encodeTerminate(x)
	}
	return Block{p, HeaderControl, true}, k
}

// encodeTerminate handles data, /T/, control: the /T/ in any lane.
func encodeTerminate(x XGMII) (Block, Kind) {
	t := 0
	for t < 8 && x.Ctrl>>t&1 == 0 {
		t++
	}
	if c, ctrl := x.Lane(t % 8); t == 8 || !ctrl || c != CharTerm {
		return ErrorBlock(), KindE
	}
	p := uint64(termType[t]) | x.Data<<8&(1<<(8+8*t)-1)
	for i := t + 1; i < 8; i++ {
		c, ctrl := x.Lane(i)
		if !ctrl || codeOfChar[c] == badCode {
			return ErrorBlock(), KindE
		}
		p |= uint64(codeOfChar[c]) << (8 + 7*i)
	}
	return Block{p, HeaderControl, true}, KindT
}

// encodeHalf returns the bits of four lanes from lane at on, and their format: "CCCC", "ODDD", "SDDD", "DDDD" or "?".
// The bits are four codes of 7 bits for "CCCC", and the three data characters otherwise.
func encodeHalf(x XGMII, at int) (bits uint64, chars string) {
	first, _ := x.Lane(at)
	switch x.Ctrl >> at & 0xf {
	case 0b0000:
		return 0, "DDDD"
	case 0b0001:
		bits = x.Data >> (8*at + 8) & 0xffffff
		switch first {
		case CharStart:
			return bits, "SDDD"
		case CharSequence, CharSignal:
			return bits, "ODDD"
		}
	case 0b1111:
		for i := range 4 {
			c, _ := x.Lane(at + i)
			code := codeOfChar[c]
			if code == badCode {
				return 0, "?"
			}
			bits |= uint64(code) << (7 * i)
		}
		return bits, "CCCC"
	}
	return 0, "?"
}

func oCode(x XGMII, at int) uint64 {
	if c, _ := x.Lane(at); c == CharSignal {
		return oCodeSignal
	}
	return oCodeSequence
}

func hasError(x XGMII) bool {
	for i := range 8 {
		if c, _ := x.Lane(i); c == CharError {
			return true
		}
	}
	return false
}
