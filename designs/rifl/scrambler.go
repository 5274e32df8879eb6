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

// span returns which bits of word i of a frame are scrambled: n bits, from bit shift up.
func span(i, words int) (n, shift int) {
	switch i {
	case 0:
		return 62, 0
	case words - 1:
		return 64 - codeBits, codeBits
	}
	return 64, 0
}

// scrambleWord scrambles word i of a frame.
func scrambleWord(w uint64, i, words int, state uint64) (scrambled, next uint64) {
	n, shift := span(i, words)
	mask := ^uint64(0) >> (64 - n) << shift
	s, next := scrambleBits(w&mask>>shift, n, state)
	return w&^mask | s<<shift, next
}

// descrambleWord inverts scrambleWord.
func descrambleWord(w uint64, i, words int, state uint64) (data, next uint64) {
	n, shift := span(i, words)
	mask := ^uint64(0) >> (64 - n) << shift
	d, next := descrambleBits(w&mask>>shift, n, state)
	return w&^mask | d<<shift, next
}

// scrambleFrame scrambles a frame in place and returns the scrambler's next state.
func scrambleFrame(frame []uint64, state uint64) uint64 {
	for i := range frame {
		frame[i], state = scrambleWord(frame[i], i, len(frame), state)
	}
	return state
}

// descrambleFrame inverts scrambleFrame.
func descrambleFrame(frame []uint64, state uint64) uint64 {
	for i := range frame {
		frame[i], state = descrambleWord(frame[i], i, len(frame), state)
	}
	return state
}
