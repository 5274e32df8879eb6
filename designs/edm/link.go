package edm

import (
	"fmt"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// dark is what a receiver sees without light: no sync header.
var dark = pcs.Block{Valid: true}

// linkTx is the sender's end of a link: its register, and the line's bit errors.
type linkTx struct {
	In  rtl.In[pcs.Block]
	Off rtl.In[bool] // the sender is off
	Out rtl.Out[pcs.Block]

	loss *blocks.Lossy

	cut   uint64 // from this edge on nothing comes through, 0 for never
	cycle uint64
}

// Tick sends one block.
func (l *linkTx) Tick() {
	l.cycle++
	b := l.In.Get()
	if l.loss != nil {
		if e := l.loss.Errors(pcs.BlockBits); e != (blocks.Bits128{}) && b.Valid {
			b.Header ^= uint8(e.Lo & 3)
			b.Payload ^= e.Lo>>2 | e.Hi<<62
		}
	}
	if l.cut != 0 && l.cycle >= l.cut || l.Off.Get() {
		b = dark
	}
	l.Out.Set(b)
}

// linkRx is the receiver's end: the register that the recovered clock fills. Link and register together delay by
// exactly the link's time. A receiver that saw an error passes nothing on: EDM disables a link on which corruption is
// seen (§3.3).
type linkRx struct {
	In      rtl.Async[pcs.Block]
	Corrupt rtl.In[bool]
	Out     rtl.Out[pcs.Block]
	Down    rtl.Out[bool]

	KeepUp bool // do not disable the link

	down bool
}

// Tick takes a block from the line.
func (l *linkRx) Tick() {
	if l.Corrupt.Get() && !l.KeepUp {
		l.down = true
	}
	l.Down.Set(l.down)
	b := l.In.Get()
	if l.down {
		b = dark
	}
	l.Out.Set(b)
}

// linkEdges is how many edges of a link its ends' registers take; a delay has the others.
const linkEdges = 2

// LinkEnd is one end of a link: the boxes of Figure 3 between EDM's stack and the line. EDM's own boxes stand between
// encoder and scrambler, and between descrambler and decoder (§3.2).
type LinkEnd struct {
	Mux      TxMux
	TxPCS    pcs.Tx // its encoder is for frames
	line     linkTx
	Receiver linkRx
	RxPCS    pcs.Rx // its decoder is for frames
	Demux    RxDemux
	recorder *recorder // nil without [Config.Record]

	Source   pcs.FrameSource
	framer   pcs.Framer
	deframer pcs.Deframer
	Sink     pcs.FrameSink

	TxClock, RxClock *rtl.Clock
}

// crossingDepth is the depth of FIFOs whose other side takes a value at every edge.
const crossingDepth = 8

// addLinks puts a host's interface and its port together.
func (n *Network) addLinks(f *Switching, i int, h *Interface) error {
	cfg, p := n.Config, f.Ports[i]
	period := cfg.BlockClock().Period()
	h.TxClock = n.clockAt(fmt.Sprintf("host_%d", i), cfg.Phases[i])
	p.TxClock = n.Clock

	// one link's PCS stages on top of its wires: encoder or multiplexer, scrambler, descrambler, decoder or demultiplexer
	pcsStages := period.Times(int64(cfg.stages(4)))
	up, upPhase := blocks.Recover(f.up[i].Add(pcsStages), cfg.Phases[i], period)
	down, downPhase := blocks.Recover(f.down[i].Add(pcsStages), clock.Time{}, period)
	if up < linkEdges || down < linkEdges {
		return fmt.Errorf("links of %v and %v, want more than a cycle of %v", f.up[i], f.down[i], period)
	}
	p.RxClock = n.clockAt(fmt.Sprintf("%sport_%d_rx", f.name, i), upPhase)
	h.RxClock = n.clockAt(fmt.Sprintf("%shost_%d_rx", f.name, i), downPhase)

	host, port := n.Sim.Scope(fmt.Sprintf("%shost_%d", f.name, i)), n.Sim.Scope(fmt.Sprintf("%sport_%d", f.name, i))
	n.addEnd(host, &h.LinkEnd, true)
	n.addEnd(port, &p.LinkEnd, false)
	stretch(host.On(h.TxClock), "wire", up-linkEdges, &h.line.Out, &p.Receiver.In)
	stretch(port.On(p.TxClock), "wire", down-linkEdges, &p.line.Out, &h.Receiver.In)
	rtl.Tie(false, &h.line.Off)
	if f.off == nil {
		rtl.Tie(false, &p.line.Off)
	} else {
		rtl.Connect(&p.Receiver.Down, &f.off.Down[i])
		rtl.Connect(&f.off.Off, &p.line.Off)
	}

	// the host
	tx, rx := host.On(h.TxClock), host.On(h.RxClock)
	rx.Add("rx", &h.Rx)
	h.Events.Add("grant_queue", rx, tx)
	h.Words.Add("words", rx, tx)
	h.places.Add("places", tx, rx)
	stretch(rx, "rx_control_stages", cfg.stages(3), &h.Demux.Control, &h.Rx.Control)
	stretch(rx, "rx_data_stages", cfg.stages(3), &h.Demux.Data, &h.Rx.Data)
	rtl.Connect(&h.Rx.Event, &h.Events.Write.In)
	rtl.Connect(&h.Rx.PushEvent, &h.Events.Write.Push)
	rtl.Connect(&h.Rx.Word, &h.Words.Write.In)
	rtl.Connect(&h.Rx.PushWord, &h.Words.Write.Push)
	rtl.Tie(true, &h.Events.Read.Pop, &h.Words.Read.Pop, &h.places.Read.Pop)
	rtl.Connect(&h.places.Read.Out, &h.Rx.Place)
	rtl.Connect(&h.places.Read.Valid, &h.Rx.Placed)

	// the port
	core, prx := port.On(n.Clock), port.On(p.RxClock)
	core.Add("identify", &p.Identify)
	p.Forward.Add("forward", prx, core)
	rtl.Connect(&p.Demux.Control, &p.Identify.In)
	rtl.Connect(&p.Identify.Body, &f.Grants.Body[i])
	rtl.Connect(&p.Demux.Data, &p.Forward.Write.In)
	rtl.Connect(&p.Demux.Push, &p.Forward.Write.Push)
	rtl.Tie(true, &p.Forward.Read.Pop)
	stretch(core, "forward_stages", cfg.stages(4), &p.Forward.Read.Out, &f.Crossbar.In[i])
	stretch(core, "forward_valid_stages", cfg.stages(4), &p.Forward.Read.Valid, &f.Crossbar.Valid[i])
	rtl.Connect(&f.Grants.Control[i], &p.Mux.Control)
	rtl.Connect(&f.Crossbar.Out[i], &p.Mux.Data)
	return nil
}

// addEnd puts the PCS of one end of a link together.
func (n *Network) addEnd(scope *rtl.Scope, e *LinkEnd, host bool) {
	cfg := n.Config
	tx, rx := scope.On(e.TxClock), scope.On(e.RxClock)
	e.Mux = TxMux{
		Types: DefaultTypes, Sharing: cfg.Mux, DataFirst: host, Depth: 256, Reserve: 2*requestBlocks + cfg.stages(3),
	}
	e.Demux = RxDemux{Types: DefaultTypes, MaxFrame: cfg.Frames}
	e.Receiver.KeepUp = cfg.KeepUp
	tx.Add("mux", &e.Mux)
	e.TxPCS.AddLine(tx)
	tx.Add("line", &e.line)
	rx.Add("receiver", &e.Receiver)
	e.RxPCS.AddLine(rx)
	rx.Add("demux", &e.Demux)
	rtl.Connect(&e.Mux.Out, &e.TxPCS.Scrambler.In)
	rtl.Connect(&e.TxPCS.Scrambler.Out, &e.line.In)
	if cfg.Record {
		e.recorder = &recorder{}
		tx.Add("recorder", e.recorder)
		rtl.Connect(&e.line.Out, &e.recorder.In)
	}
	rtl.Connect(&e.Receiver.Out, &e.RxPCS.Descrambler.In)
	rtl.Connect(&e.RxPCS.Descrambler.Out, &e.Demux.In)
	rtl.Connect(&e.Demux.Corrupt, &e.Receiver.Corrupt)
	if cfg.Frames == 0 {
		rtl.Tie(pcs.IdleBlock(), &e.Mux.Frame)
		return
	}
	tx.Add("frame_source", &e.Source)
	tx.Add("framer", &e.framer)
	e.TxPCS.AddEncoder(tx)
	e.RxPCS.AddDecoder(rx)
	rx.Add("deframer", &e.deframer)
	rx.Add("frame_sink", &e.Sink)
	rtl.ConnectStream(e.Source.Output(), e.framer.Input())
	rtl.Connect(&e.Mux.FrameEnable, &e.framer.Enable)
	rtl.Connect(&e.framer.Out, &e.TxPCS.Encoder.In)
	rtl.Connect(&e.TxPCS.Encoder.Out, &e.Mux.Frame)
	rtl.Connect(&e.Demux.Frame, &e.RxPCS.Decoder.In)
	rtl.Connect(&e.Demux.Next, &e.RxPCS.Decoder.Next)
	rtl.Connect(&e.RxPCS.Decoder.Out, &e.deframer.In)
	rtl.Connect(&e.deframer.Out, &e.Sink.In)
}
