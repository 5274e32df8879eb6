package budgets

import (
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// adder is a trivial module: a register and an addition.
type adder struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

func (a *adder) Tick() { a.Out.Set(a.In.Get() + 1) }

// ring is n adders in a circle.
func ring(cfg rtl.Config, n int) (*rtl.Clock, error) {
	sim := rtl.New(cfg)
	clk := sim.Clock("clk", clock.Block25G)
	sc := sim.Scope("ring").On(clk)
	adders := make([]adder, n)
	for i := range adders {
		sc.Add(fmt.Sprintf("adder_%d", i), &adders[i])
		rtl.Connect(&adders[i].Out, &adders[(i+1)%n].In)
	}
	return clk, sim.Elaborate()
}

// player sends words over and over.
type player struct {
	Out   rtl.Out[pcs.XGMII]
	words []pcs.XGMII // a power of two
	next  int
}

func (p *player) Tick() {
	p.Out.Set(p.words[p.next&(len(p.words)-1)])
	p.next++
}

// summer sums up the words that it receives.
type summer struct {
	In  rtl.In[pcs.XGMII]
	sum uint64
}

func (s *summer) Tick() { s.sum = condense(s.sum, s.In.Get()) }

// condense is cheap, and a line of Verilog. It adds: repeated traffic would cancel out under exclusive or.
func condense(sum uint64, x pcs.XGMII) uint64 {
	return (sum<<1 | sum>>63) + (x.Data ^ uint64(x.Ctrl)<<56)
}

// loop is the PCS loop of the budgets: source, encoder, scrambler, descrambler, decoder, sink.
type loop struct {
	player
	tx   pcs.Tx
	rx   pcs.Rx
	sink summer
	link adder // only in linkedLoops
}

// loops builds n of them in one simulation. They share no signals.
func loops(cfg rtl.Config, n int) ([]*loop, *rtl.Clock, error) {
	return build(cfg, n, false)
}

// linkedLoops builds n of them, each with an adder that reads its neighbour's, so that workers have to meet at every
// edge.
func linkedLoops(cfg rtl.Config, n int) ([]*loop, *rtl.Clock, error) {
	return build(cfg, n, true)
}

func build(cfg rtl.Config, n int, linked bool) ([]*loop, *rtl.Clock, error) {
	sim := rtl.New(cfg)
	clk := sim.Clock("clk", clock.Block25G)
	all := make([]*loop, n)
	words := traffic() // one for all: the budgets are about modules, not about memory for stimuli
	for i := range all {
		l := &loop{player: player{words: words}}
		sc := sim.Scope(fmt.Sprintf("loop_%d", i)).On(clk)
		sc.Add("source", &l.player)
		l.tx.Add(sc)
		l.rx.Add(sc)
		sc.Add("sink", &l.sink)
		rtl.Connect(&l.player.Out, &l.tx.Encoder.In)
		rtl.Connect(&l.tx.Scrambler.Out, &l.rx.Descrambler.In)
		rtl.Connect(&l.rx.Decoder.Out, &l.sink.In)
		if linked {
			sc.Add("link", &l.link)
		}
		all[i] = l
	}
	for i, l := range all {
		if linked {
			rtl.Connect(&all[(i+1)%n].link.Out, &l.link.In)
		}
	}
	return all, clk, sim.Elaborate()
}

// handFused is the same as a loop, written by hand without modules: what the kernel's overhead is measured against. It
// returns the sink's sum after the given number of cycles.
func handFused(words []pcs.XGMII, cycles int) uint64 {
	// registers, named by the module that drives them
	var source, decoded pcs.XGMII
	var encoded, scrambled, descrambled pcs.Block
	decoded = pcs.LocalFaultWord()
	decoded.Valid = false
	encoded = pcs.LocalFaultBlock()
	encoded.Valid = false
	tx, rx, kind := pcs.TxInit, pcs.RxInit, pcs.KindE
	scrambler, descrambler := uint64(1<<58-1), uint64(1<<58-1)
	var sum uint64
	for i := range cycles {
		sum = condense(sum, decoded)

		next := scrambled
		next.Payload, _ = pcs.Descramble(next.Payload, descrambler)
		if next.Valid {
			following := pcs.Classify(next)
			if rx = rx.Next(kind, following); rx == pcs.RxE {
				decoded = pcs.ErrorWord()
			} else {
				decoded = pcs.Decode(descrambled)
			}
			kind = following
			descrambled, descrambler = next, scrambled.Payload>>6
		} else {
			decoded.Valid = false
		}

		scrambled = encoded
		if encoded.Valid {
			scrambled.Payload, scrambler = pcs.Scramble(encoded.Payload, scrambler)
		}

		if source.Valid {
			b, k := pcs.Encode(source)
			if tx = tx.Next(k); tx == pcs.TxE {
				b = pcs.ErrorBlock()
			}
			encoded = b
		} else {
			encoded.Valid = false
		}
		source = words[i&(len(words)-1)]
	}
	return sum
}

// trafficWords is how many words of traffic there are: a power of two.
const trafficWords = 1024

// traffic is frames of 64 to 1518 bytes and gaps, as XGMII words. It ends in idle.
func traffic() []pcs.XGMII {
	rng := rand.New(rand.NewPCG(1, 2))
	words := make([]pcs.XGMII, 0, trafficWords)
	for len(words) < trafficWords-256 {
		words = append(words, pcs.XGMII{Data: 0xd5555555555555fb, Ctrl: 1, Valid: true})
		size := 64 + rng.IntN(1455)
		for ; size >= 8; size -= 8 {
			words = append(words, pcs.XGMII{Data: rng.Uint64(), Valid: true})
		}
		idle := pcs.IdleWord()
		end := pcs.XGMII{Data: rng.Uint64()&(1<<(8*size)-1) | 0xfd<<(8*size), Ctrl: 0xff << size, Valid: true}
		if size < 7 {
			end.Data |= idle.Data << (8*size + 8)
		}
		words = append(words, end, idle)
	}
	for len(words) < trafficWords {
		words = append(words, pcs.IdleWord())
	}
	return words
}
