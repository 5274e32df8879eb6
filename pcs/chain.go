package pcs

import "github.com/goldwire/goldwire/rtl"

// Tx is the transmit side of a PCS, from the XGMII to the line:
//
//	XGMII ─ Encoder ─ Scrambler ─ Gearbox ─ line
//
// Each box takes 1 cycle. Without a Gearbox the blocks of the Scrambler go out whole, as on a line whose transceiver
// does that work.
type Tx struct {
	Encoder   Encoder
	Scrambler Scrambler
	Gearbox   *TxGearbox // may be nil
}

// Add puts the boxes into a scope, on its clock, and connects them. Encoder.In is left to connect.
func (t *Tx) Add(s *rtl.Scope) {
	t.AddEncoder(s)
	t.AddLine(s)
	rtl.Connect(&t.Encoder.Out, &t.Scrambler.In)
}

// AddEncoder adds the encoder. Together, AddEncoder and AddLine replace Add in a design with modules of its own
// between encoder and scrambler.
func (t *Tx) AddEncoder(s *rtl.Scope) { s.Add("encoder", &t.Encoder) }

// AddLine adds scrambler and gearbox. The caller connects Scrambler.In.
func (t *Tx) AddLine(s *rtl.Scope) {
	s.Add("scrambler", &t.Scrambler)
	if t.Gearbox != nil {
		s.Add("gearbox", t.Gearbox)
		rtl.Connect(&t.Scrambler.Out, &t.Gearbox.In)
	}
}

// Rx is the receive side of a PCS, from the line to the XGMII:
//
//	line ─ Gearbox ─ Descrambler ─ Decoder ─ XGMII
//	             └ BlockSync, BERMonitor ┘
//
// Each box takes 1 cycle. Without a Gearbox the blocks arrive whole, and the decoder takes them to be locked from the
// start.
type Rx struct {
	Gearbox     *RxGearbox  // may be nil
	BlockSync   BlockSync   // finds the blocks for the Gearbox
	BERMonitor  *BERMonitor // may be nil: then the decoder sees no hi_ber
	Descrambler Descrambler
	Decoder     Decoder
}

// Add puts the boxes into a scope, on its clock, and connects them. Gearbox.In, or Descrambler.In without a gearbox,
// is left to connect.
func (r *Rx) Add(s *rtl.Scope) {
	r.AddLine(s)
	r.AddDecoder(s)
	rtl.Connect(&r.Descrambler.Out, &r.Decoder.In)
	rtl.Connect(&r.Descrambler.Next, &r.Decoder.Next)
}

// AddLine adds gearbox, block synchronisation and descrambler. Together, AddLine and AddDecoder replace Add in a
// design with modules of its own between descrambler and decoder.
func (r *Rx) AddLine(s *rtl.Scope) {
	if r.Gearbox != nil {
		r.BlockSync.Settle = 1 // the slip's way to the gearbox
		s.Add("gearbox", r.Gearbox)
		s.Add("block_sync", &r.BlockSync)
		rtl.Connect(&r.Gearbox.Out, &r.BlockSync.In, &r.Descrambler.In)
		rtl.Connect(&r.BlockSync.Slip, &r.Gearbox.Slip)
		if r.BERMonitor != nil {
			s.Add("ber_monitor", r.BERMonitor)
			rtl.Connect(&r.Gearbox.Out, &r.BERMonitor.In)
			rtl.Connect(&r.BlockSync.Lock, &r.BERMonitor.Lock)
		}
	}
	s.Add("descrambler", &r.Descrambler)
}

// AddDecoder adds the decoder. The caller connects Decoder.In and Decoder.Next.
func (r *Rx) AddDecoder(s *rtl.Scope) {
	s.Add("decoder", &r.Decoder)
	if r.Gearbox != nil {
		rtl.Connect(&r.BlockSync.Lock, &r.Decoder.Lock)
	} else {
		rtl.Tie(true, &r.Decoder.Lock)
	}
	if r.Gearbox != nil && r.BERMonitor != nil {
		rtl.Connect(&r.BERMonitor.HiBER, &r.Decoder.HiBER)
	} else {
		rtl.Tie(false, &r.Decoder.HiBER)
	}
}
