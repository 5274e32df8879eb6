package rifl

// The scrambler is self-synchronous, 1 + x^13 + x^33 (§5.B): each bit is xored with those sent 13 and 33 bits before it. It
// runs over the bits F-3:12 of frame after frame, most significant first, and starts from 0.

const scramblerMask = 1<<33 - 1

// scrambleBits scrambles the low n bits of data, 33 to 64 of them, the most significant first. State has the last 33 bits sent,
// the latest in bit 0.
func scrambleBits(data uint64, n int, state uint64) (scrambled, next uint64) {
	t := data ^ echo(n, state)
	// 1/(1+u) = (1+u)(1+u^2)(1+u^4), where u shifts by 13 and by 33, u^2 by 26 and u^4 by 52
	t ^= t>>13 ^ t>>33
	t ^= t >> 26
	t ^= t >> 52
	return t, (state<<n | t) & scramblerMask
}

// descrambleBits inverts Scramble. State has the last 33 bits received, so any 33 bits bring it into step.
func descrambleBits(scrambled uint64, n int, state uint64) (data, next uint64) {
	return scrambled ^ scrambled>>13 ^ scrambled>>33 ^ echo(n, state), (state<<n | scrambled) & scramblerMask
}

// echo is what the bits of the state add to the next n.
func echo(n int, state uint64) uint64 { return state<<(n-33) ^ state&(1<<13-1)<<(n-13) }

// wordPart is what of a frame's word is scrambled: the first word is without its SYN, the last without its code.
type wordPart uint8

const (
	wholeWord wordPart = iota
	firstWord
	lastWord
)

const (
	firstBits = synShift      // of the first word are scrambled
	lastBits  = 64 - codeBits // of the last
)

// partOf returns what of a word is scrambled.
func partOf(at WordPlace) wordPart {
	switch {
	case at.First:
		return firstWord
	case at.Last:
		return lastWord
	}
	return wholeWord
}

// scrambleWord scrambles a word of a frame.
func scrambleWord(w uint64, part wordPart, state uint64) (scrambled, next uint64) {
	switch part {
	case firstWord:
		s, next := scrambleBits(w&(1<<firstBits-1), firstBits, state)
		return w>>firstBits<<firstBits | s, next
	case lastWord:
		s, next := scrambleBits(w>>codeBits, lastBits, state)
		return s<<codeBits | w&codeMask, next
	}
	return scrambleBits(w, 64, state)
}

// descrambleWord inverts scrambleWord.
func descrambleWord(w uint64, part wordPart, state uint64) (data, next uint64) {
	switch part {
	case firstWord:
		d, next := descrambleBits(w&(1<<firstBits-1), firstBits, state)
		return w>>firstBits<<firstBits | d, next
	case lastWord:
		d, next := descrambleBits(w>>codeBits, lastBits, state)
		return d<<codeBits | w&codeMask, next
	}
	return descrambleBits(w, 64, state)
}

// scrambleFrame scrambles a frame in place and returns the scrambler's next state.
func scrambleFrame(frame []uint64, state uint64) uint64 {
	for i := range frame {
		frame[i], state = scrambleWord(frame[i], partOf(WordPlace{i == 0, i == len(frame)-1}), state)
	}
	return state
}

// descrambleFrame inverts scrambleFrame.
func descrambleFrame(frame []uint64, state uint64) uint64 {
	for i := range frame {
		frame[i], state = descrambleWord(frame[i], partOf(WordPlace{i == 0, i == len(frame)-1}), state)
	}
	return state
}
