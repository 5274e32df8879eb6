package pcs

import "github.com/goldwire/goldwire/rtl"

// BERMonitor raises HiBER when too many sync headers of a window are invalid: Figure 49-15. It watches only while
// blocks are locked. Latency 1 cycle.
type BERMonitor struct {
	In    rtl.In[Block]
	Lock  rtl.In[bool]
	HiBER rtl.Out[bool] // hi_ber

	Window uint32 // length of the window in blocks: see BERWindow10G
	Limit  uint32 // invalid headers in a window that make it bad

	timer uint32 `bits:"32"`
	count uint32 `bits:"32"` // ber_cnt
	high  bool   `bits:"1"`
}

// Windows and limits of the BER monitor.
const (
	// 49.2.13.2.4: 125 µs of blocks of 6.4 ns, 16 invalid headers.
	BERWindow10G = 19531
	BERLimit10G  = 16
	// 107.2: 2 ms of blocks of 2.56 ns, 97 invalid headers.
	BERWindow25G = 781250
	BERLimit25G  = 97
)

// Reset starts a window.
func (m *BERMonitor) Reset() {
	m.timer, m.count, m.high = 0, 0, false
	m.HiBER.Set(false)
}

// Tick looks at one header.
func (m *BERMonitor) Tick() {
	if b := m.In.Get(); !m.Lock.Get() {
		m.timer, m.count, m.high = 0, 0, false
	} else if b.Valid {
		if !b.HeaderOK() && m.count < m.Limit {
			m.count++
		}
		if m.count == m.Limit { // HI_BER
			m.high = true
		}
		m.timer++
		if m.timer == m.Window {
			if m.count < m.Limit { // GOOD_BER
				m.high = false
			}
			m.timer, m.count = 0, 0
		}
	}
	m.HiBER.Set(m.high)
}
