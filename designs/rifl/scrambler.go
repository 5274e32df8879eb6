package rifl

// The scrambler is self-synchronous, 1 + x^13 + x^33 (§5.B): each bit is xored with those sent 13 and 33 bits before
// it. It runs over the bits F-3:12 of frame after frame, most significant first, and starts from 0.

const scramblerMask = 1<<33 - 1

// The first word of a frame is scrambled without its SYN, the last without its code. In both functions the bits that
// are left stand in the low bits of t, as in a shorter word, and what the state adds to the 64 bits after it is
// state<<31 ^ state<<51.
const synMask = 3 << synShift

// scrambleWord scrambles a word of a frame. State has the last 33 bits sent, the latest in bit 0. Go's compiler just
// inlines it as it is.
func scrambleWord(w uint64, at WordPlace, state uint64) (scrambled, next uint64) {
	t := state<<31 ^ state<<51
	if at.First {
		t = w&^synMask ^ t>>2
	} else if t ^= w; at.Last {
		t >>= CodeBits
	}
	// 1/(1+u) = (1+u)(1+u^2)(1+u^4), where u shifts by 13 and by 33, u^2 by 26 and u^4 by 52
	t ^= t>>13 ^ t>>33
	t ^= t >> 26
	t ^= t >> 52
	next = t & scramblerMask
	if at.First {
		t |= w & synMask
	} else if at.Last {
		t = t<<CodeBits | w&codeMask
	}
	return t, next
}

// descrambleWord inverts scrambleWord. State has the last 33 bits received, so any 33 bits bring it into step.
func descrambleWord(w uint64, at WordPlace, state uint64) (data, next uint64) {
	t, e := w, state<<31^state<<51
	if at.First {
		t, e = w&^synMask, e>>2
	} else if at.Last {
		t, e = w>>CodeBits, e>>CodeBits
		return w ^ (t>>13^t>>33^e)<<CodeBits, t & scramblerMask
	}
	return w ^ t>>13 ^ t>>33 ^ e, t & scramblerMask
}

// ScrambleFrame scrambles a frame in place and returns the scrambler's next state.
func ScrambleFrame(frame []uint64, state uint64) uint64 {
	for i := range frame {
		frame[i], state = scrambleWord(frame[i], WordPlace{i == 0, i == len(frame)-1}, state)
	}
	return state
}

// DescrambleFrame inverts scrambleFrame.
func DescrambleFrame(frame []uint64, state uint64) uint64 {
	for i := range frame {
		frame[i], state = descrambleWord(frame[i], WordPlace{i == 0, i == len(frame)-1}, state)
	}
	return state
}
