package pcs

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// The stimuli of the units, in three profiles: as the standard allows, hostile, and both in turns.

// noise is a stream of XGMII words: frames and gaps as the standard has them, frames and gaps with every kind of
// disorder in between, or stretches of the one and of the other.
type noise struct {
	rng     *rand.Rand
	profile vectors.Profile
	valid   bool // every word is

	legal   bool // the stretch
	left    int  // of it: words of a hostile one, frames of a legal one
	gap     int  // control words still to come before the next frame of a legal stretch
	data    int  // words of data still to come before a /T/
	end     int  // the lane of a legal frame's /T/
	inFrame bool
}

// hostileFirst is how many words of disorder a mixed stimulus begins with: short sets of vectors cover most with them.
const hostileFirst = 600

func newNoise(b *vectors.Bench) *noise {
	n := &noise{rng: b.Rand(), profile: b.Profile(), legal: b.Profile() == vectors.Legal, left: hostileFirst}
	b.Keep(n)
	return n
}

// always makes every word valid.
func (n *noise) always() *noise { n.valid = true; return n }

// chars returns eight characters for a format such as "CCCCSDDD": D any byte, C mostly idle, I idle, O the character
// of any ordered set, Q of a sequence.
func (n *noise) chars(format string) XGMII {
	x := XGMII{Valid: true}
	for i := range 8 {
		c := byte(n.rng.Uint32())
		switch format[i] {
		case 'C':
			c = CharIdle
			if n.rng.IntN(4) == 0 {
				c = controlCodes[n.rng.IntN(len(controlCodes))].char
			}
		case 'O':
			c = CharSequence
			if n.rng.IntN(2) == 0 {
				c = CharSignal
			}
		case 'I':
			c = CharIdle
		case 'Q':
			c = CharSequence
		case 'P':
			c = 0x55 // preamble (4.2.5)
		case 'X':
			c = 0xd5 // start frame delimiter (4.2.6)
		case 'S':
			c = CharStart
		case 'T':
			c = CharTerm
		}
		if strings.IndexByte("DPX", format[i]) < 0 {
			x.Ctrl |= 1 << i
		}
		x.Data |= uint64(c) << (8 * i)
	}
	return x
}

var (
	startFormats     = []string{"SDDDDDDD", "CCCCSDDD", "ODDDSDDD"}
	controlFormats   = []string{"CCCCCCCC", "CCCCODDD", "ODDDODDD", "ODDDCCCC"}
	terminateFormats = []string{
		"TCCCCCCC", "DTCCCCCC", "DDTCCCCC", "DDDTCCCC", "DDDDTCCC", "DDDDDTCC", "DDDDDDTC", "DDDDDDDT",
	}
)

func (n *noise) pick(formats []string) XGMII { return n.chars(formats[n.rng.IntN(len(formats))]) }

// word returns the next word.
func (n *noise) word(uint64) XGMII {
	if !n.valid && n.rng.IntN(33) == 0 {
		return XGMII{Data: n.rng.Uint64(), Ctrl: uint8(n.rng.Uint32())}
	}
	if n.profile == vectors.Mixed && n.left <= 0 && !n.inFrame {
		n.legal = !n.legal
		if n.left = 200 + n.rng.IntN(400); n.legal {
			n.left, n.gap = 1+n.rng.IntN(3), 1
		}
	}
	if n.legal {
		return n.legalWord()
	}
	n.left--
	var x XGMII
	switch roll := n.rng.IntN(100); {
	case roll == 0: // any characters at all
		return XGMII{n.rng.Uint64(), uint8(n.rng.Uint32()), true}
	case roll < 4: // a good word out of turn
		return n.pick([][]string{startFormats, controlFormats, terminateFormats, {"DDDDDDDD"}}[n.rng.IntN(4)])
	case roll < 6: // one control mask bit or character wrong
		x = n.pick([][]string{startFormats, controlFormats, terminateFormats}[n.rng.IntN(3)])
		if n.rng.IntN(2) == 0 {
			x.Ctrl ^= 1 << n.rng.IntN(8)
		} else {
			x.Data ^= uint64(n.rng.IntN(256)) << (8 * n.rng.IntN(8))
		}
		return x
	case !n.inFrame && n.rng.IntN(3) == 0:
		n.inFrame, n.data = true, n.rng.IntN(6)
		return n.pick(startFormats)
	case !n.inFrame:
		return n.pick(controlFormats)
	case n.data > 0:
		n.data--
		return n.chars("DDDDDDDD")
	default:
		n.inFrame = false
		return n.pick(terminateFormats)
	}
}

// legalWord returns the next word of frames of all lengths, mostly with short gaps.
func (n *noise) legalWord() XGMII {
	const idle = "IIIIIIII"
	switch {
	case n.inFrame && n.data > 0:
		n.data--
		return n.chars("DDDDDDDD")
	case n.inFrame:
		n.inFrame = false
		n.left--
		n.gap = 1 + n.rng.IntN(4)
		if n.rng.IntN(32) == 0 {
			n.gap = n.rng.IntN(2000)
		}
		return n.chars("DDDDDDDD"[:n.end] + "T" + idle[:7-n.end])
	case n.gap > 0:
		n.gap--
		if n.rng.IntN(8) == 0 {
			return n.chars([]string{"IIIIQDDD", "QDDDQDDD", "QDDDIIII"}[n.rng.IntN(3)])
		}
		return n.chars(idle)
	}
	bytes := frameLength(n.rng)
	n.inFrame = true
	format := "SPPPPPPX"
	if n.rng.IntN(2) == 0 { // the second half of the preamble is in the next word
		bytes += 4
		format = []string{"IIIISPPP", "QDDDSPPP"}[n.rng.IntN(2)]
	}
	n.data, n.end = bytes/8, bytes%8
	return n.chars(format)
}

const jumboBytes = 9000

// frameLength returns the bytes of a frame, its FCS included: any from 64 to 1518, often the least, at times 9000.
func frameLength(rng *rand.Rand) int {
	const most = 1518
	switch rng.IntN(16) {
	case 0:
		return jumboBytes
	case 1, 2:
		return MinFrameBytes
	}
	return MinFrameBytes + rng.IntN(most-MinFrameBytes+1)
}

// block returns the next word as a block, in disorder at times with a header, a type or a bit wrong.
func (n *noise) block(cycle uint64) Block {
	x := n.word(cycle)
	if !x.Valid {
		return Block{Payload: x.Data, Header: x.Ctrl & 3}
	}
	b, _ := Encode(x)
	if n.legal {
		return b
	}
	switch n.rng.IntN(60) {
	case 0:
		b.Header = uint8(n.rng.IntN(4))
	case 1:
		b.Payload = b.Payload&^0xff | uint64(n.rng.IntN(256))
	case 2:
		b.Payload ^= 1 << n.rng.IntN(64)
	}
	return b
}

// pacedBlocks gives a block two cycles after each Enable, as framer and encoder would.
type pacedBlocks struct {
	Enable rtl.In[bool]
	Out    rtl.Out[Block]

	next  *noise
	first bool
}

func (p *pacedBlocks) Reset() { p.Out.Set(Block{}); p.first = false }

func (p *pacedBlocks) Tick() {
	b := Block{}
	if p.first {
		b = p.next.block(0)
		b.Valid = true
	}
	p.first = p.Enable.Get()
	p.Out.Set(b)
}

// pacedInVerilog says for proofs when pacedBlocks may give a block. That it may leave one out shows more of the
// gearbox.
const pacedInVerilog = `  reg [1:0] goldwire_asked;
  always @(posedge clk) goldwire_asked <= rst ? 2'b00 : {goldwire_asked[0], enable};
  always @* assume (!in_valid || goldwire_asked[1]);`

// headers returns blocks whose headers are good for a while, then bad for a while, sometimes here and there.
func headers(bench *vectors.Bench) func(uint64) Block {
	rng, left, badIn := bench.Rand(), 0, 1
	bench.Keep(&left, &badIn)
	return func(uint64) Block {
		if left == 0 {
			left = 20 + rng.IntN(300)
			badIn = []int{1 << 30, 1 << 30, 60, 12, 3, 2}[rng.IntN(6)]
		}
		left--
		b := Block{Payload: rng.Uint64(), Header: HeaderData, Valid: rng.IntN(33) > 0}
		if rng.IntN(2) == 0 {
			b.Header = HeaderControl
		}
		if rng.IntN(badIn) == 0 {
			b.Header = uint8(3 * rng.IntN(2))
		}
		return b
	}
}

// unitFrames makes frames for the framer, without their FCS: every length from 1 to 80 in a random order, then 20 long
// ones, and again. The legal profile has no length below 60, the hostile one no long ones.
type unitFrames struct {
	rng     *rand.Rand
	profile vectors.Profile
	short   [80]int // lengths, in this round's order
	at      int     // the round's next frame
	frame   []byte
}

// next returns a frame, which stands until the next call.
func (u *unitFrames) next() []byte {
	n := u.length()
	u.frame = slices.Grow(u.frame[:0], jumboBytes)[:n]
	for i := range u.frame {
		u.frame[i] = byte(u.rng.Uint32())
	}
	return u.frame
}

func (u *unitFrames) length() int {
	const long = 20
	for {
		if u.at == 0 {
			for i := range u.short {
				u.short[i] = i + 1
			}
			u.rng.Shuffle(len(u.short), func(i, j int) { u.short[i], u.short[j] = u.short[j], u.short[i] })
		}
		i := u.at
		u.at = (u.at + 1) % (len(u.short) + long)
		switch {
		case i >= len(u.short):
			if u.profile != vectors.Hostile {
				return frameLength(u.rng) - FCSBytes
			}
		case u.profile != vectors.Legal || u.short[i] >= MinFrameBytes-FCSBytes:
			return u.short[i]
		}
	}
}

func buildFramer(b *vectors.Bench) rtl.Module {
	f := &Framer{}
	gaps, enable := newBeatGaps(b), b.Rand()
	vectors.DriveStream(b, f.Input(), gaps.next)
	vectors.Drive(b, &f.Enable, func(uint64) bool { return enable.IntN(33) > 0 })
	return f
}

// beatGaps holds beats back: often between frames, seldom inside one, which makes the framer run dry.
type beatGaps struct {
	frames unitFrames
	source FrameSource // cuts one frame at a time into beats; it is not in the simulation

	rng   *rand.Rand
	whole bool   // none inside a frame
	from  uint64 // the cycle in which the next beat may be offered
}

func newBeatGaps(b *vectors.Bench) *beatGaps {
	g := &beatGaps{
		frames: unitFrames{rng: b.Rand(), profile: b.Profile()}, source: FrameSource{Frames: make([][]byte, 1)},
		rng: b.Rand(), whole: b.Profile() == vectors.Legal, from: 2,
	}
	b.Keep(g)
	return g
}

// next returns the beat to offer in a cycle.
func (g *beatGaps) next(cycle uint64) Beat {
	if cycle < g.from {
		return Beat{}
	}
	if g.source.at == 0 {
		g.source.Frames[0], g.source.frame = g.frames.next(), 0
	}
	b := g.source.next()
	switch {
	case b.Last && g.rng.IntN(2) == 0:
		g.from = cycle + 1 + uint64(g.rng.IntN(40))
	case b.Valid && !b.Last && !g.whole && g.rng.IntN(150) == 0:
		g.from = cycle + 2 + uint64(g.rng.IntN(6))
	}
	return b
}

func buildDeframer(b *vectors.Bench) rtl.Module {
	d, damage := &Deframer{}, &charDamage{rng: b.Rand(), none: b.Profile() == vectors.Legal}
	vectors.Drive(b, &damage.In, charStream(b))
	b.Add("damage", damage)
	rtl.Connect(&damage.Out, &d.In)
	return d
}

// charStream returns frames with good FCS and gaps of 4 to 20 bytes: 1 to 80 bytes long, not padded (hostile), of all
// lengths that the standard allows (legal), or mostly the former and one in 40 of the latter (mixed).
func charStream(b *vectors.Bench) func(uint64) XGMII {
	rng, profile := b.Rand(), b.Profile()
	var line chars
	var frame []byte // the rest of the frame, its FCS included
	gap, inFrame := 8, false
	memory := make([]byte, 9000)
	b.Keep(&line, &frame, &gap, &inFrame)
	length := func() int {
		if profile == vectors.Legal || profile == vectors.Mixed && rng.IntN(40) == 0 {
			return frameLength(rng) - FCSBytes
		}
		return 1 + rng.IntN(80)
	}
	return func(uint64) XGMII {
		if rng.IntN(33) == 0 {
			return XGMII{Data: rng.Uint64(), Ctrl: uint8(rng.Uint32())}
		}
		for line.n < 8 {
			switch {
			case gap > 0:
				line.push(CharIdle, 1, 1)
				gap--
			case !inFrame:
				line.push(preamble, 0x01, 8)
				frame = memory[:length()]
				crc := crc32.Init()
				for i := range frame {
					frame[i] = byte(rng.Uint32())
					crc = crc32.UpdateByte(crc, frame[i])
				}
				for i := range FCSBytes {
					frame = append(frame, byte(crc32.Final(crc)>>(8*i)))
				}
				inFrame = true
			case len(frame) > 0:
				line.push(uint64(frame[0]), 0, 1)
				frame = frame[1:]
			default:
				line.push(CharTerm, 1, 1)
				gap = 3 + rng.IntN(17)
				gap += (4 - (line.n+gap)%4) % 4
				inFrame = false
			}
		}
		x := XGMII{Valid: true}
		x.Data, x.Ctrl = line.pop()
		return x
	}
}

// charDamage changes a character now and then: data, control, or which of the two it is; or puts a /T/ in early.
type charDamage struct {
	In  rtl.In[XGMII]
	Out rtl.Out[XGMII]
	rng *rand.Rand

	none bool
}

func (c *charDamage) Tick() {
	x := c.In.Get()
	if x.Valid && !c.none {
		lane := c.rng.IntN(8)
		put := func(char byte) {
			x.Data = x.Data&^(0xff<<(8*lane)) | uint64(char)<<(8*lane)
			x.Ctrl |= 1 << lane
		}
		switch c.rng.IntN(150) {
		case 0:
			x.Data ^= 1 << c.rng.IntN(64)
		case 1:
			put(CharError)
		case 2:
			x.Ctrl ^= 1 << lane
		case 3:
			if x.Ctrl == 0 { // a frame cut short: /T/ and idle from here on
				x = XGMII{x.Data&(1<<(8*lane)-1) | idleData<<(8*lane), 0xff << lane, true}
				put(CharTerm)
			}
		case 4: // a start in lane 4, whatever was on its way
			x = XGMII{idleData&0xffffffff | preamble&0xffffffff<<32, 0x1f, true}
		}
	}
	c.Out.Set(x)
}
