package rifl

// The scrambler is self-synchronous, 1 + x^13 + x^33 (§5.B): each bit is xored with those sent 13 and 33 bits before it. It
// runs over the bits F-3:12 of frame after frame, most significant first, and starts from 0.

const scramblerMask = 1<<33 - 1

// wordPart is what of a frame's word is scrambled: the first word is without its SYN, the last without its code.
type wordPart struct {
	bits       uint64 // those that are scrambled
	head, tail uint8  // how many before and after them are not
}

// partOf returns what of a word is scrambled.
func partOf(at WordPlace) wordPart {
	switch {
	case at.First:
		return wordPart{bits: 1<<synShift - 1, head: 64 - synShift}
	case at.Last:
		return wordPart{bits: ^uint64(codeMask), tail: codeBits}
	}
	return wordPart{bits: 1<<64 - 1}
}

// scrambleWord scrambles a word of a frame. State has the last 33 bits sent, the latest in bit 0.
func scrambleWord(w uint64, part wordPart, state uint64) (scrambled, next uint64) {
	t := (w ^ echo(state)>>(part.head&63)) & part.bits
	// 1/(1+u) = (1+u)(1+u^2)(1+u^4), where u shifts by 13 and by 33, u^2 by 26 and u^4 by 52
	t ^= t>>13 ^ t>>33
	t ^= t >> 26
	t ^= t >> 52
	return t&part.bits | w&^part.bits, t >> (part.tail & 63) & scramblerMask
}

// descrambleWord inverts scrambleWord. State has the last 33 bits received, so any 33 bits bring it into step.
func descrambleWord(w uint64, part wordPart, state uint64) (data, next uint64) {
	t := w & part.bits
	return w ^ (t>>13^t>>33^echo(state)>>(part.head&63))&part.bits, t >> (part.tail & 63) & scramblerMask
}

// echo is what the bits of the state add to the next 64.
func echo(state uint64) uint64 { return state<<31 ^ state<<51 }

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
