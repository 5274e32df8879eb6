package pcs

// XGMII is eight lanes of the 10 Gigabit Media Independent Interface (Clause 46): two transfers of four, as Clause 49
// encodes them. A lane with its bit set in Ctrl carries a control character.
type XGMII struct {
	Data  uint64 // lane 0 in bits 7:0
	Ctrl  uint8  // lane 0 in bit 0
	Valid bool
}

// XGMII control characters (Table 49-1).
const (
	CharIdle      = 0x07 // /I/
	CharLPI       = 0x06 // /LI/, low power idle
	CharStart     = 0xfb // /S/
	CharTerm      = 0xfd // /T/
	CharError     = 0xfe // /E/
	CharSequence  = 0x9c // /Q/, leads a sequence ordered set
	CharSignal    = 0x5c // /Fsig/, leads a signal ordered set
	charReserved0 = 0x1c
	charReserved1 = 0x3c
	charReserved2 = 0x7c
	charReserved3 = 0xbc
	charReserved4 = 0xdc
	charReserved5 = 0xf7
)

const (
	everyByte    = 0x0101010101010101
	idleData     = CharIdle * everyByte
	errorData    = CharError * everyByte
	faultData    = 0x0100009c_0100009c // twice /Q/ 00 00 01: local fault (Table 46-5)
	faultControl = 0x11
)

// IdleWord is eight idle characters.
func IdleWord() XGMII { return XGMII{idleData, 0xff, true} }

// ErrorWord is eight error characters: EBLOCK_R of 49.2.13.2.1.
func ErrorWord() XGMII { return XGMII{errorData, 0xff, true} }

// LocalFaultWord is two local fault ordered sets: LBLOCK_R of 49.2.13.2.1.
func LocalFaultWord() XGMII { return XGMII{faultData, faultControl, true} }

// Lane returns a lane's character and whether it is a control character.
func (x XGMII) Lane(i int) (byte, bool) { return byte(x.Data >> (8 * i)), x.Ctrl>>i&1 == 1 }
