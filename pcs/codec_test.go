package pcs

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// formats is Figure 49-7 as it is drawn: the block type field, the eight characters, and the fields of the payload
// after it from left to right. It shares nothing with the codec but the drawing.
var formats = []struct {
	typ    byte
	chars  string // per lane: C control, O ordered set, S, T, D
	fields string // name of the lane's character and bits; _ is padding
}{
	{0x1e, "CCCCCCCC", "C0:7 C1:7 C2:7 C3:7 C4:7 C5:7 C6:7 C7:7"},
	{0x2d, "CCCCODDD", "C0:7 C1:7 C2:7 C3:7 O4:4 D5:8 D6:8 D7:8"},
	{0x33, "CCCCSDDD", "C0:7 C1:7 C2:7 C3:7 _:4 D5:8 D6:8 D7:8"},
	{0x66, "ODDDSDDD", "D1:8 D2:8 D3:8 O0:4 _:4 D5:8 D6:8 D7:8"},
	{0x55, "ODDDODDD", "D1:8 D2:8 D3:8 O0:4 O4:4 D5:8 D6:8 D7:8"},
	{0x78, "SDDDDDDD", "D1:8 D2:8 D3:8 D4:8 D5:8 D6:8 D7:8"},
	{0x4b, "ODDDCCCC", "D1:8 D2:8 D3:8 O0:4 C4:7 C5:7 C6:7 C7:7"},
	{0x87, "TCCCCCCC", "_:7 C1:7 C2:7 C3:7 C4:7 C5:7 C6:7 C7:7"},
	{0x99, "DTCCCCCC", "D0:8 _:6 C2:7 C3:7 C4:7 C5:7 C6:7 C7:7"},
	{0xaa, "DDTCCCCC", "D0:8 D1:8 _:5 C3:7 C4:7 C5:7 C6:7 C7:7"},
	{0xb4, "DDDTCCCC", "D0:8 D1:8 D2:8 _:4 C4:7 C5:7 C6:7 C7:7"},
	{0xcc, "DDDDTCCC", "D0:8 D1:8 D2:8 D3:8 _:3 C5:7 C6:7 C7:7"},
	{0xd2, "DDDDDTCC", "D0:8 D1:8 D2:8 D3:8 D4:8 _:2 C6:7 C7:7"},
	{0xe1, "DDDDDDTC", "D0:8 D1:8 D2:8 D3:8 D4:8 D5:8 _:1 C7:7"},
	{0xff, "DDDDDDDT", "D0:8 D1:8 D2:8 D3:8 D4:8 D5:8 D6:8"},
}

// tableOf491 is Table 49-1: XGMII control character to 7-bit code.
var tableOf491 = map[byte]uint64{
	0x07: 0x00, 0x06: 0x06, 0xfe: 0x1e, 0x1c: 0x2d, 0x3c: 0x33, 0x7c: 0x4b, 0xbc: 0x55, 0xdc: 0x66, 0xf7: 0x78,
}

// encodeByFigure encodes eight characters of a format field by field.
func encodeByFigure(typ byte, fields string, x XGMII) Block {
	p, at := uint64(typ), 8
	for _, f := range strings.Fields(fields) {
		name, width, _ := strings.Cut(f, ":")
		n, _ := strconv.Atoi(width)
		if name != "_" {
			lane, _ := strconv.Atoi(name[1:])
			char := byte(x.Data >> (8 * lane))
			var v uint64
			switch name[0] {
			case 'C':
				v = tableOf491[char]
			case 'D':
				v = uint64(char)
			case 'O':
				v = map[byte]uint64{0x9c: 0x0, 0x5c: 0xf}[char]
			}
			p |= v << at
		}
		at += n
	}
	if at != 64 {
		panic("format of " + strconv.Itoa(at) + " bits")
	}
	return Block{p, 0b01, true}
}

// fill makes eight random characters of a format.
func fill(rng *rand.Rand, chars string, noError bool) XGMII {
	x := XGMII{Valid: true}
	controls := []byte{0x07, 0x07, 0x06, 0x1c, 0x3c, 0x7c, 0xbc, 0xdc, 0xf7, 0xfe}
	if noError {
		controls = controls[:9]
	}
	for i := range 8 {
		var c byte
		switch chars[i] {
		case 'C':
			c = controls[rng.IntN(len(controls))]
		case 'O':
			c = []byte{0x9c, 0x5c}[rng.IntN(2)]
		case 'S':
			c = 0xfb
		case 'T':
			c = 0xfd
		case 'D':
			c = byte(rng.Uint32())
		}
		if chars[i] != 'D' {
			x.Ctrl |= 1 << i
		}
		x.Data |= uint64(c) << (8 * i)
	}
	return x
}

var kindOfFormat = map[byte]Kind{
	0x1e: KindC, 0x2d: KindC, 0x55: KindC, 0x4b: KindC, 0x33: KindS, 0x66: KindS, 0x78: KindS,
	0x87: KindT, 0x99: KindT, 0xaa: KindT, 0xb4: KindT, 0xcc: KindT, 0xd2: KindT, 0xe1: KindT, 0xff: KindT,
}

func TestCodecFollowsFigure49_7(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	require.Len(t, formats, 15)
	for _, f := range formats {
		for range 2000 {
			x := fill(rng, f.chars, f.typ == 0x1e)
			want := encodeByFigure(f.typ, f.fields, x)
			got, kind := Encode(x)
			require.Equal(t, want, got, "%s %x", f.chars, x)
			require.Equal(t, kindOfFormat[f.typ], kind)
			require.Equal(t, kind, Classify(got))
			require.Equal(t, x, Decode(got))
		}
	}
	for range 2000 {
		x := fill(rng, "DDDDDDDD", false)
		b, k := Encode(x)
		require.Equal(t, Block{x.Data, 0b10, true}, b)
		require.Equal(t, KindD, k)
		require.Equal(t, KindD, Classify(b))
		require.Equal(t, x, Decode(b))
	}
}

func TestKnownBlocks(t *testing.T) {
	for _, c := range []struct {
		name    string
		x       XGMII
		payload uint64
	}{
		{"idle", XGMII{0x0707070707070707, 0xff, true}, 0x000000000000001e},
		{"start of a frame in lane 0", XGMII{0xd5555555555555fb, 0x01, true}, 0xd555555555555578},
		{"start in lane 4 after idle", XGMII{0x555555fb07070707, 0x1f, true}, 0x5555550000000033},
		{"local fault twice", XGMII{0x0100009c0100009c, 0x11, true}, 0x0100000001000055},
		{"terminate in lane 0", XGMII{0x07070707070707fd, 0xff, true}, 0x0000000000000087},
		{"terminate in lane 7", XGMII{0xfd77665544332211, 0x80, true}, 0x77665544332211ff},
	} {
		b, _ := Encode(c.x)
		require.Equal(t, Block{c.payload, HeaderControl, true}, b, c.name)
	}
	require.Equal(t, LocalFaultBlock(), func() Block { b, _ := Encode(LocalFaultWord()); return b }())
	// eight times the code 0x1e after the type 0x1e
	require.Equal(t, uint64(0x3c78f1e3c78f1e1e), ErrorBlock().Payload)
}

// Of all characters and masks that are in no format of the figure, none is encoded.
func TestEverythingElseIsAnError(t *testing.T) {
	fits := func(x XGMII) bool {
		for _, f := range append(formats, struct {
			typ           byte
			chars, fields string
		}{0, "DDDDDDDD", ""}) {
			ok, errors := true, 0
			for i := range 8 {
				c, ctrl := byte(x.Data>>(8*i)), x.Ctrl>>i&1 == 1
				_, isCode := tableOf491[c]
				switch f.chars[i] {
				case 'C':
					ok = ok && ctrl && isCode
					if c == 0xfe {
						errors++
					}
				case 'O':
					ok = ok && ctrl && (c == 0x9c || c == 0x5c)
				case 'S':
					ok = ok && ctrl && c == 0xfb
				case 'T':
					ok = ok && ctrl && c == 0xfd
				case 'D':
					ok = ok && !ctrl
				}
			}
			if ok && !(f.typ == 0x1e && errors > 0) {
				return true
			}
		}
		return false
	}
	chars := []byte{0x07, 0x06, 0xfb, 0xfd, 0xfe, 0x9c, 0x5c, 0x1c, 0xf7, 0x00, 0x55}
	var good, bad int
	rapid.Check(t, func(t *rapid.T) {
		var x XGMII
		f := rapid.SampledFrom(formats).Draw(t, "format")
		x = fill(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)), f.chars, false)
		for range rapid.IntRange(0, 2).Draw(t, "changes") {
			lane := rapid.IntRange(0, 7).Draw(t, "lane")
			x.Data = x.Data&^(0xff<<(8*lane)) | uint64(rapid.SampledFrom(chars).Draw(t, "char"))<<(8*lane)
			if rapid.Bool().Draw(t, "control") {
				x.Ctrl ^= 1 << lane
			}
		}
		b, k := Encode(x)
		if fits(x) {
			good++
			require.NotEqual(t, KindE, k, "%x", x)
			require.Equal(t, x, Decode(b))
			return
		}
		bad++
		require.Equal(t, KindE, k, "%x", x)
		require.Equal(t, ErrorBlock(), b)
	})
	require.NotZero(t, good)
	require.NotZero(t, bad)
}

// A received block is an error exactly if no eight characters encode to it, padding aside.
func TestClassifyRefusesWhatCannotBeSent(t *testing.T) {
	for typ := range 256 {
		b := Block{uint64(typ), HeaderControl, true}
		_, known := kindOfFormat[byte(typ)]
		require.Equal(t, known, Classify(b) != KindE, "block type %#x", typ)
	}
	for _, h := range []uint8{0b00, 0b11} {
		require.Equal(t, KindE, Classify(Block{TypeC8, h, true}))
		require.Equal(t, KindE, Classify(Block{0, h, true}))
	}
	for code := range uint64(128) {
		valid := false
		for _, c := range tableOf491 {
			valid = valid || c == code
		}
		for lane := range 8 {
			k := Classify(Block{TypeC8 | code<<(8+7*lane), HeaderControl, true})
			require.Equal(t, valid && code != codeError, k == KindC, "code %#x in lane %d", code, lane)
			if lane > 0 {
				k = Classify(Block{TypeT0 | code<<(8+7*lane), HeaderControl, true})
				require.Equal(t, valid, k == KindT, "/T/ before code %#x in lane %d", code, lane)
			}
		}
	}
	for o := range uint64(16) {
		want := o == 0 || o == 15
		require.Equal(t, want, Classify(Block{TypeO0C4 | o<<32, HeaderControl, true}) == KindC)
		require.Equal(t, want, Classify(Block{TypeO0S4 | o<<32, HeaderControl, true}) == KindS)
		require.Equal(t, want, Classify(Block{TypeO0O4 | o<<36, HeaderControl, true}) == KindC)
		require.Equal(t, want, Classify(Block{TypeC4O4 | o<<36, HeaderControl, true}) == KindC)
	}
}

// scrambleSerial is 49.2.6 bit by bit: s[n] = d[n] + s[n-39] + s[n-58].
func scrambleSerial(data uint64, last *[]byte) (out uint64) {
	for i := range 64 {
		n := len(*last)
		bit := byte(data>>i&1) ^ (*last)[n-39] ^ (*last)[n-58]
		*last = append(*last, bit)
		out |= uint64(bit) << i
	}
	return out
}

func TestScramblerEqualsItsSerialDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		state := rapid.Uint64().Draw(t, "state") & (1<<58 - 1)
		last := make([]byte, 58)
		for i := range last {
			last[i] = byte(state >> i & 1)
		}
		tx, rx := state, state
		for range 5 {
			data := rapid.Uint64().Draw(t, "data")
			var s, d uint64
			s, tx = Scramble(data, tx)
			require.Equal(t, scrambleSerial(data, &last), s)
			d, rx = Descramble(s, rx)
			require.Equal(t, data, d)
			require.Equal(t, tx, rx)
		}
	})
}

// The descrambler comes into step by itself, and multiplies an error by three.
func TestDescramblerSynchronisesItself(t *testing.T) {
	tx, rx := uint64(scramblerReset), uint64(0x123456789abcdef)
	var s, d uint64
	s, tx = Scramble(0xdead, tx)
	_, rx = Descramble(s, rx)
	s, _ = Scramble(0xbeef, tx)
	d, _ = Descramble(s, rx)
	require.EqualValues(t, 0xbeef, d, "one word of 64 bits is more than the 58 needed")

	for bit := range 64 {
		lo, state := Descramble(1<<bit, 0)
		hi, _ := Descramble(0, state)
		var got []int
		for i := range 64 {
			if lo>>i&1 == 1 {
				got = append(got, i)
			}
		}
		for i := range 64 {
			if hi>>i&1 == 1 {
				got = append(got, 64+i)
			}
		}
		require.Equal(t, []int{bit, bit + 39, bit + 58}, got)
	}
}
