package pcs

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// EndpointUnit is a whole PCS of 10GBASE-R, both ways, between the XGMII and a transceiver of 64 bits, as a unit of two
// clocks: the transmitter's, and the one that the transceiver recovers, 100 ppm away. Around it are a MAC that sends
// frames, and a far end whose line has bit errors: in some windows of the BERMonitor enough for hi_ber, in others not.
//
//	in ─ Encoder ─ Scrambler ─ TxGearbox ─ to_line
//	out ─ Decoder ─ Descrambler ─ RxGearbox ─ from_line
//	             BlockSync, BERMonitor ┘
func EndpointUnit() vectors.Unit {
	const (
		width  = 64
		errors = 5e-4 // a bit: some 20 bad headers in a window of 19,531 blocks, and 16 make it bad
	)
	line := clock.Block10G.Times(BlockBits, width)
	far := line.PPM(-100)
	return vectors.Unit{
		Name: "pcs/endpoint", Doc: "a whole PCS, both ways, from the XGMII to a transceiver of 64 bits",
		Ref: "IEEE 802.3 Figure 49-4", Clock: line,
		Clocks: []vectors.UnitClock{{Name: "transmit", Freq: line}, {Name: "receive", Freq: far}},
		Assemble: func(b *vectors.Bench) vectors.Assembly {
			transmit, receive := b.Sim().Clock("transmit", line), b.Sim().Clock("receive", far)
			send := func(c *rtl.Clock, name string) *Tx {
				f, tx := &Framer{}, &Tx{Gearbox: NewTxGearbox(width)}
				vectors.DriveStream(b.On(c), f.Input(), newBeatGaps(b).next)
				b.Sim().Scope(name+"_mac").On(c).Add("framer", f)
				tx.Add(b.Sim().Scope(name).On(c))
				rtl.Connect(&f.Out, &tx.Encoder.In)
				rtl.Connect(&tx.Gearbox.Enable, &f.Enable)
				return tx
			}
			tx, other := send(transmit, "tx"), send(receive, "far")
			loss, err := blocks.NewLossy(errors, b.Rand().Uint64())
			if err != nil {
				panic(err) // the rate is a constant
			}
			channel := NewChannel(width, 3, loss, nil)
			b.Sim().Scope("line").On(receive).Add("channel", channel)
			rx := &Rx{Gearbox: NewRxGearbox(width, 17), BERMonitor: &BERMonitor{Window: BERWindow10G, Limit: BERLimit10G}}
			rx.Add(b.Sim().Scope("rx").On(receive))
			rtl.Connect(&other.Gearbox.Out, &channel.In)
			rtl.Connect(&channel.Out, &rx.Gearbox.In)
			return vectors.Assembly{Clocks: []*rtl.Clock{transmit, receive}, Ports: []vectors.AssemblyPort{
				vectors.PortOf(&tx.Encoder, "in", "in", transmit),
				vectors.PortOf(tx.Gearbox, "enable", "enable", transmit),
				vectors.PortOf(tx.Gearbox, "out", "to_line", transmit),
				vectors.PortOf(rx.Gearbox, "in", "from_line", receive),
				vectors.PortOf(&rx.Decoder, "out", "out", receive),
				vectors.PortOf(&rx.BlockSync, "lock", "lock", receive),
				vectors.PortOf(rx.BERMonitor, "hi_ber", "hi_ber", receive),
			}}
		},
	}
}
