package rifl

import "github.com/goldwire/goldwire/rtl"

// FlowMonitor is a lane's flow control on the frame clock (§4.D): it takes the notifications out of the data frames
// that come, and says when the far end has to pause. Both answers are registers, and so is the count that the second
// goes by.
type FlowMonitor struct {
	Valid rtl.Async[bool] // see Deserialiser: the frame is taken at this edge
	First rtl.Async[uint64]
	Last  rtl.Async[uint64]
	Count rtl.Async[uint16] // frames that the lane's buffer holds

	RemotePaused rtl.Out[bool] // the far end's user is stalled
	LocalFull    rtl.Out[bool] // ours is: the far end has to pause

	level FlowLevel
}

// newFlowMonitor returns a monitor for IDs of s bits.
func newFlowMonitor(p Profile, s int) *FlowMonitor {
	_, level := FlowSize(p, s)
	return &FlowMonitor{level: level}
}

// Tick is a frame cycle.
func (m *FlowMonitor) Tick() {
	m.level.Judge(int(m.Count.Get()))
	m.LocalFull.Set(m.level.Full)
	if !m.Valid.Get() {
		return
	}
	frame := [2]uint64{m.First.Get(), m.Last.Get()}
	if on, ok := notification(MetaOf(frame[:]), formatOf(frame[:])); ok {
		m.RemotePaused.Set(on)
	}
}

// notification tells whether a data frame is one of flow control, and which.
func notification(meta, format uint8) (pause, ok bool) {
	return format == FormatPause, meta == metaNone && (format == FormatPause || format == FormatResume)
}
