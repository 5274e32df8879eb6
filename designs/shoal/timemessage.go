package shoal

import "github.com/goldwire/goldwire/pcs"

// Kinds of time messages. The first three go round the ring that slot 1 of a cyclic schedule makes of the nodes, before
// the switches move.
const (
	timeRound  = 1 + iota // measures the way round: passed on as it is
	timeBeacon            // Value: cycles of the whole way round; Count: the master's counter; passed on as it is
	timeStart             // Count: when the switches start; passed on as it is
	// Value: what the sender saw between the receiver's counter and its own, Count: the sender's counter
	timeProbe
	timeSum    // Value: the sum of the sender's delays, for the alignment of slots
	timeNotice // Value: by node, the nodes that the sender cannot reach any more (§3.5)
)

// timeNone stands in a probe's Value for nothing seen yet.
const timeNone = 0xffff

// Widths of a time message, 48 bits: kind 3, node 5, value 16, count 24.
const (
	timeCountBits = 24
	timeCountMask = 1<<timeCountBits - 1
)

// TimeMessage is a node's message about its counter. As in DTP (Lee et al., SIGCOMM 2016) it takes the place of an idle
// block, so that it costs no bandwidth. DTP puts its 56 bits into the eight codes of an idle block; those do not
// survive a circuit switch, whose PHYs decode and encode again. Here two signal ordered sets (/Fsig/, Table 49-1) have
// 24 bits each, which every PCS carries.
type TimeMessage struct {
	Count uint32 `bits:"24"` // of the sender when the word left it, modulo 2^24
	Value uint16
	From  uint8 `bits:"5"`
	Kind  uint8 `bits:"3"` // 0: no message
}

// word is the message on the XGMII:
//
//	lane 0    1 2 3         4    5 6 7
//	     /Fsig/ bits 23:0   /Fsig/ bits 47:24     47:24 Count, 23:8 Value, 7:3 From, 2:0 Kind
func (m TimeMessage) word() pcs.XGMII {
	bits := uint64(m.Count&timeCountMask)<<24 | uint64(m.Value)<<8 | uint64(m.From)<<3 | uint64(m.Kind)
	return pcs.XGMII{
		Data: pcs.CharSignal | bits<<8&0xffffff00 | pcs.CharSignal<<32 | bits>>24<<40, Ctrl: 0x11, Valid: true,
	}
}

// parseTimeMessage returns a word's message, of kind 0 if it is none.
func parseTimeMessage(x pcs.XGMII) TimeMessage {
	if !x.Valid || x.Ctrl != 0x11 || x.Data&0xff != pcs.CharSignal || x.Data>>32&0xff != pcs.CharSignal {
		return TimeMessage{}
	}
	bits := x.Data>>8&0xffffff | x.Data>>40<<24
	return TimeMessage{
		Count: uint32(bits >> 24), Value: uint16(bits >> 8), From: uint8(bits >> 3 & 31), Kind: uint8(bits & 7),
	}
}
