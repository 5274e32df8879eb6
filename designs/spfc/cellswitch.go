package spfc

import (
	"encoding/binary"
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// LineCell is the word of a line in a cell slot: 64 bytes of a frame, byte 0 in bits 7:0 of the first word.
type LineCell struct {
	Data  [CellBytes / 8]uint64
	Valid bool
	First bool
	Last  bool
	Bytes uint8 `bits:"7"` // 64 but in the last cell of a frame
}

// Where a switch looks in the first cell of a frame: destination address, and a tag of IEEE 802.1Q before IPv6, which
// has no checksum over the two bits of ECN that the switch sets.
const (
	frameDest = 5  // last byte of the destination address: the host
	frameTCI  = 14 // priority in the three highest bits
	frameECN  = 19 // IPv6 traffic class, RFC 3168: bits 5 and 4 are ECN
	ecnCE     = 0x30
)

// CellSwitch is the switch as hardware: clocked per cell slot, a cell in and a cell out of each port in a slot, PFC
// frames as the 64 bytes that they are. Frames are admitted with their last cell and can leave in the same slot;
// latency from that to the first cell out is 1 cycle.
//
// It makes the decisions of [Switch] with the same [Manager], but has memory in cells, TCs that count slots, timers
// that count quanta, and frames. Its PFC has no reaction time.
type CellSwitch struct {
	In  []rtl.In[LineCell]
	Out []rtl.Out[LineCell]

	cfg    SwitchConfig
	timing PFCTiming
	slot   uint64
	mmu    *Manager
	memory *cellMemory
	ports  []cellPort
	frames packetStore
	queues []packetQueue // as Switch.queues
	arbs   []egressPort
	most   int64 // bytes of a frame
	err    error
}

type cellPort struct {
	tc       uint32 // slots of the window that are left
	head     int32  // cells of the frame that comes in
	tail     int32
	bytes    int
	standing uint8
	untold   uint8
	refresh  uint16
	timers   [Priorities]uint16
	open     uint8
	sending  int32 // the next cell of the frame that goes out, -1: none
	first    bool  // it is the frame's first
	left     int   // bytes of the frame
	cell     LineCell
}

// NewCellSwitch returns an empty switch. Its buffer is accounted in cells of 64 bytes.
func NewCellSwitch(cfg SwitchConfig, pfc PFCConfig) (*CellSwitch, error) {
	if err := pfc.Check(); err != nil {
		return nil, err
	}
	if pfc.Reaction != 0 || pfc.UntilResumed || pfc.FrameBytes != CellBytes || cfg.Buffer.Cell != CellBytes {
		return nil, fmt.Errorf("a clocked switch has no reaction time, real quanta, and PFC frames and cells of %d bytes",
			CellBytes)
	}
	s, err := NewSwitch(cfg)
	if err != nil {
		return nil, err
	}
	n := len(cfg.Buffer.Ports)
	c := &CellSwitch{In: make([]rtl.In[LineCell], n), Out: make([]rtl.Out[LineCell], n), cfg: cfg,
		timing: PFCTiming{Quanta: pfc.Quanta, Refresh: pfc.Refresh},
		mmu:    s.mmu, ports: make([]cellPort, n), queues: s.queues, arbs: s.egress, most: pfc.MaxPacket}
	for i, p := range cfg.Buffer.Ports {
		if slot := CellBytes * p.ByteTime; cfg.Buffer.Policy == SPFC && cfg.Buffer.Window%slot != 0 ||
			p.ByteTime != cfg.Buffer.Ports[0].ByteTime {
			return nil, fmt.Errorf("port %d: slots of %d ps do not fit a window of %d ps, or are not those of port 0", i,
				slot, cfg.Buffer.Window)
		}
		if phase := cfg.Buffer.WindowPhase; phase != 0 {
			return nil, fmt.Errorf("a window phase of %d ps: a clocked switch has none", phase)
		}
	}
	c.mmu.clocked = true
	// the accounted bytes, and at each port a frame that comes in and one that goes out
	cells := cfg.Buffer.Bytes / CellBytes
	if cfg.Buffer.HeadroomApart {
		for _, p := range cfg.Buffer.Ports {
			cells += p.Headroom / CellBytes * Priorities
		}
	}
	c.memory = newCellMemory(int(cells + 2*int64(n)*(c.most/CellBytes+1)))
	return c, nil
}

// Reset is an idle switch.
func (c *CellSwitch) Reset() {
	for i := range c.ports {
		c.ports[i] = cellPort{tc: c.window(), head: -1, tail: -1, open: 0xff, sending: -1}
		c.Out[i].Set(LineCell{})
	}
	c.frames = packetStore{free: -1}
}

// window is the slots of TC.
func (c *CellSwitch) window() uint32 { return uint32(c.cfg.Buffer.Window / c.slotTime()) }

func (c *CellSwitch) slotTime() Time { return CellBytes * c.cfg.Buffer.Ports[0].ByteTime }

// Tick is a slot, in this order: windows end; every port takes a cell in; every idle port starts a frame, in the order
// of ports; an idle port that found none, and has meanwhile been given a RESUME to send, starts it; every port puts a
// cell out.
func (c *CellSwitch) Tick() {
	c.slot++
	now := Time(c.slot) * c.slotTime()
	if !c.cfg.Buffer.Readings.CountOld {
		c.countDown(now)
	}
	for i := range c.ports {
		c.receive(now, i)
	}
	for i := range c.ports {
		p := &c.ports[i]
		refreshLater(p.standing, &p.untold, &p.refresh)
	}
	for i := range c.ports {
		if p := &c.ports[i]; p.sending < 0 && !c.startPFC(i) {
			c.startFrame(now, i)
		}
	}
	for i := range c.ports {
		p := &c.ports[i]
		if p.sending < 0 && !p.cell.Valid {
			c.startPFC(i)
		}
		c.nextCell(p)
		c.Out[i].Set(p.cell)
		p.cell = LineCell{}
	}
	if c.cfg.Buffer.Readings.CountOld {
		c.countDown(now)
	}
}

// countDown is a slot of the ports' TCs.
func (c *CellSwitch) countDown(now Time) {
	if c.cfg.Buffer.Policy != SPFC {
		return
	}
	for i := range c.ports {
		p := &c.ports[i]
		if p.tc--; p.tc == 0 {
			p.tc = c.window()
			c.mmu.endWindow(now, i)
		}
	}
}

// receive takes a cell in, and counts the quanta of the port's transmitter.
func (c *CellSwitch) receive(now Time, port int) {
	p := &c.ports[port]
	cell := c.In[port].Get()
	var pause PFCFrame
	var bytes [PFCFrameBytes]byte
	if cell.Valid && cell.First && cell.Last && cell.Bytes == PFCFrameBytes {
		for i, w := range cell.Data {
			binary.LittleEndian.PutUint64(bytes[8*i:], w)
		}
		if pause.read(&bytes) == pfcGood {
			p.open = countQuanta(&p.timers, &pause)
			return
		}
		pause.Enable = 0
	}
	p.open = countQuanta(&p.timers, &pause)
	if !cell.Valid {
		return
	}
	if cell.First {
		p.head, p.tail, p.bytes = -1, -1, 0
	}
	p.bytes += int(cell.Bytes)
	if p.tail = c.memory.write(p.tail, &cell.Data); p.tail < 0 || int64(p.bytes) > c.most {
		c.fail(fmt.Errorf("slot %d: port %d: no cell is free, or a frame of over %d bytes", c.slot, port, c.most))
		return
	}
	if cell.First {
		p.head = p.tail
	}
	if cell.Last {
		c.admit(now, port)
	}
}

// admit asks the manager about a whole frame.
func (c *CellSwitch) admit(now Time, port int) {
	p := &c.ports[port]
	first := &c.memory.cells[p.head].data
	host, prio := byteOf(first, frameDest), int(byteOf(first, frameTCI)>>5)
	if int(host) >= len(c.cfg.Routes) || len(c.cfg.Routes[host]) != 1 {
		c.fail(fmt.Errorf("slot %d: port %d: no single route to host %d", c.slot, port, host))
		return
	}
	out := int(c.cfg.Routes[host][0])
	accepted, pause := c.mmu.Enqueue(now, port, prio, out, int64(p.bytes))
	if pause {
		tellLater(&p.standing, &p.untold, Decisions{Pause: 1 << prio})
	}
	if !accepted {
		for at := p.head; at >= 0; {
			at = c.memory.release(at)
		}
		return
	}
	if c.mmu.Arrived(prio, out, int64(p.bytes)) {
		c.setCE(p.head)
	}
	in := port
	if c.cfg.Arbitration == FIFO {
		in = 0
	}
	c.frames.push(&c.queues[(out*Priorities+prio)*len(c.ports)+in],
		&Packet{Flow: uint32(p.head), Bytes: uint16(p.bytes), Prio: uint8(prio), in: uint8(port)})
	c.arbs[out].some |= 1 << prio
	c.arbs[out].prios[prio].some |= 1 << in
}

func byteOf(cell *[CellBytes / 8]uint64, i int) uint8 { return uint8(cell[i/8] >> (8 * (i % 8))) }

// startPFC puts a PFC frame on an idle line, if there is something to tell.
func (c *CellSwitch) startPFC(port int) bool {
	p := &c.ports[port]
	if p.untold == 0 {
		return false
	}
	f := tellNow(p.standing, &p.untold, &p.refresh, c.timing)
	var buffer [PFCFrameBytes]byte
	f.AppendBytes(buffer[:0], [6]byte{0x02, 5: byte(port)}) // a locally administered address
	p.cell = LineCell{Valid: true, First: true, Last: true, Bytes: PFCFrameBytes}
	for i := range p.cell.Data {
		p.cell.Data[i] = binary.LittleEndian.Uint64(buffer[8*i:])
	}
	return true
}

// startFrame starts the next frame on an idle line.
func (c *CellSwitch) startFrame(now Time, port int) {
	p := &c.ports[port]
	n := len(c.ports)
	frame := c.arbs[port].next(c.queues[port*Priorities*n:(port+1)*Priorities*n], &c.frames, p.open, c.cfg.InTurn, c.most)
	if frame == nil {
		return
	}
	p.sending, p.first, p.left = int32(frame.Flow), true, int(frame.Bytes)
	resume, mark := c.mmu.Dequeue(now, int(frame.in), int(frame.Prio), port, int64(frame.Bytes))
	if mark {
		c.setCE(p.sending)
	}
	if resume {
		in := &c.ports[frame.in]
		tellLater(&in.standing, &in.untold, Decisions{Resume: 1 << frame.Prio})
	}
}

// setCE marks a frame by its first cell.
func (c *CellSwitch) setCE(first int32) {
	c.memory.cells[first].data[frameECN/8] |= ecnCE << (8 * (frameECN % 8))
}

// nextCell takes a cell of the frame that is on the line out of the memory.
func (c *CellSwitch) nextCell(p *cellPort) {
	if p.sending < 0 {
		return
	}
	p.cell = LineCell{Data: c.memory.cells[p.sending].data, Valid: true, First: p.first,
		Bytes: uint8(min(p.left, CellBytes))}
	p.sending = c.memory.release(p.sending)
	p.cell.Last = p.sending < 0
	p.first = false
	p.left -= CellBytes
}

func (c *CellSwitch) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// Err returns the first thing that went wrong.
func (c *CellSwitch) Err() error { return c.err }

// Manager returns the buffer manager, to look at.
func (c *CellSwitch) Manager() *Manager { return c.mmu }
