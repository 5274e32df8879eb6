package pcs

// Classify returns the kind of a received block: R_BLOCK_TYPE of 49.2.13.2.3.
func Classify(b Block) Kind {
	switch b.Header {
	case HeaderData:
		return KindD
	case HeaderControl:
		if b.Payload == TypeC8 { // eight idles
			return KindC
		}
		return classifyControl(b.Payload)
	}
	return KindE
}

func classifyControl(p uint64) Kind {
	if lane := termLane[byte(p)]; lane != 0 {
		return kindIf(codesOK(p, int(lane), 8), KindT)
	}
	oCode0OK := oCodeOK(p >> 32)
	oCode4OK := oCodeOK(p >> 36)
	switch byte(p) {
	case TypeC8:
		return kindIf(codesOK(p, 0, 8) && !hasErrorCode(p), KindC)
	case TypeC4O4:
		return kindIf(codesOK(p, 0, 4) && oCode4OK, KindC)
	case TypeC4S4:
		return kindIf(codesOK(p, 0, 4), KindS)
	case TypeO0S4:
		return kindIf(oCode0OK, KindS)
	case TypeO0O4:
		return kindIf(oCode0OK && oCode4OK, KindC)
	case TypeS0:
		return KindS
	case TypeO0C4:
		return kindIf(oCode0OK && codesOK(p, 4, 8), KindC)
	}
	return KindE
}

func kindIf(ok bool, k Kind) Kind {
	if ok {
		return k
	}
	return KindE
}

// codesOK tells whether the control codes of lanes from to to-1 stand in Table 49-1. In every format the code of lane i
// has the same seven bits.
func codesOK(p uint64, from, to int) bool {
	for i := from; i < to; i++ {
		if charOfCode[p>>(8+7*i)&0x7f] == badCode {
			return false
		}
	}
	return true
}

func hasErrorCode(p uint64) bool {
	for i := range 8 {
		if p>>(8+7*i)&0x7f == codeError {
			return true
		}
	}
	return false
}

func oCodeOK(code uint64) bool { return code&0xf == oCodeSequence || code&0xf == oCodeSignal }

func oChar(code uint64) uint64 {
	if code&0xf == oCodeSignal {
		return CharSignal
	}
	return CharSequence
}

// Decode returns the XGMII characters of a block whose kind is not KindE.
func Decode(b Block) XGMII {
	p := b.Payload
	switch {
	case b.Header == HeaderData:
		return XGMII{p, 0, true}
	case p == TypeC8:
		return XGMII{idleData, 0xff, true}
	case byte(p) == TypeS0:
		return XGMII{p&^0xff | CharStart, 0x01, true}
	}
	if lane := termLane[byte(p)]; lane != 0 {
		t := int(lane) - 1
		data := p >> 8 & (1<<(8*t) - 1)
		data |= CharTerm << (8 * t)
		return XGMII{data | controlChars(p, t+1, 8), 0xff << t, true}
	}
	low := p >> 8 & 0xffffff << 8    // D1-D3
	high := p >> 40 & 0xffffff << 40 // D5-D7
	switch byte(p) {
	case TypeC8:
		return XGMII{controlChars(p, 0, 8), 0xff, true}
	case TypeC4O4:
		return XGMII{controlChars(p, 0, 4) | oChar(p>>36)<<32 | high, 0x1f, true}
	case TypeC4S4:
		return XGMII{controlChars(p, 0, 4) | CharStart<<32 | high, 0x1f, true}
	case TypeO0S4:
		return XGMII{oChar(p>>32) | low | CharStart<<32 | high, 0x11, true}
	case TypeO0O4:
		return XGMII{oChar(p>>32) | low | oChar(p>>36)<<32 | high, 0x11, true}
	case TypeO0C4:
		return XGMII{oChar(p>>32) | low | controlChars(p, 4, 8), 0xf1, true}
	}
	return ErrorWord()
}

// controlChars returns the characters of the control codes of lanes from to to-1, each in its lane.
func controlChars(p uint64, from, to int) uint64 {
	var data uint64
	for i := from; i < to; i++ {
		data |= uint64(charOfCode[p>>(8+7*i)&0x7f]) << (8 * i)
	}
	return data
}
