package spfc

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/rtl"
)

const slot100G = CellBytes * Gbps100

// cellHost sends frames in order, each not before its time, stops a priority by the PFC frames that it gets, and
// remembers the frames that came.
type cellHost struct {
	In  rtl.In[LineCell]
	Out rtl.Out[LineCell]

	edge     uint64
	frames   []Packet
	cell     int
	timers   [Priorities]uint16
	toSwitch *blocks.DelayLine[LineCell]
	toHost   *blocks.DelayLine[LineCell]
	got      []string
	pauses   int
	wrong    string
	in       Packet
	inCells  int
}

func newCellHost(delay int) *cellHost {
	return &cellHost{toSwitch: blocks.NewDelayLine(delay, LineCell{}), toHost: blocks.NewDelayLine(delay, LineCell{})}
}

func (h *cellHost) Reset() { h.Out.Set(LineCell{}) }

// cellOf is one cell of a frame: its headers, its name, and a word that only this cell has.
func cellOf(p *Packet, k int) LineCell {
	c := LineCell{Valid: true, First: k == 0, Last: (k+1)*CellBytes >= int(p.Bytes), Bytes: CellBytes}
	if k == 0 {
		var b [CellBytes]byte
		copy(b[:], []byte{0x02, 0, 0, 0, 0, byte(p.Dest), 0x02, 0, 0, 0, 1, byte(p.Flow), 0x81, 0x00, p.Prio << 5,
			0, 0x86, 0xdd, 0x60})
		binary.LittleEndian.PutUint32(b[24:], p.Flow)
		binary.LittleEndian.PutUint32(b[28:], uint32(p.Seq))
		for i := range c.Data {
			c.Data[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
	}
	c.Data[7] = uint64(p.Flow)<<40 | p.Seq<<8 | uint64(k)
	return c
}

func (h *cellHost) Tick() {
	h.edge++
	in := h.toHost.Shift(h.In.Get())
	var pause PFCFrame
	if in.Valid {
		var b [CellBytes]byte
		for i, w := range in.Data {
			binary.LittleEndian.PutUint64(b[8*i:], w)
		}
		if f, err := ParsePFC(b[:]); err == nil && in.First && in.Last {
			pause = f
			h.pauses++
		} else {
			h.take(in, b[:])
		}
	}
	open := countQuanta(&h.timers, &pause)
	var out LineCell
	if len(h.frames) > 0 {
		p := &h.frames[0]
		if h.cell > 0 || Time(h.edge)*slot100G >= p.Sent && open>>p.Prio&1 != 0 {
			out = cellOf(p, h.cell)
			h.cell++
			if out.Last {
				h.cell, h.frames = 0, h.frames[1:]
			}
		}
	}
	h.Out.Set(h.toSwitch.Shift(out))
}

// take checks a cell of a frame.
func (h *cellHost) take(c LineCell, b []byte) {
	if c.First {
		h.in = Packet{Flow: binary.LittleEndian.Uint32(b[24:]), Seq: uint64(binary.LittleEndian.Uint32(b[28:])),
			CE: b[frameECN]&ecnCE == ecnCE}
		h.inCells = 0
	}
	if want := uint64(h.in.Flow)<<40 | h.in.Seq<<8 | uint64(h.inCells); c.Data[7] != want && h.wrong == "" {
		h.wrong = fmt.Sprintf("edge %d: cell %x, want %x", h.edge, c.Data[7], want)
	}
	h.inCells++
	if c.Last {
		h.got = append(h.got, fmt.Sprint(Time(h.edge)*slot100G, " ", h.in.Flow, ".", h.in.Seq, " ", h.in.CE))
	}
}

// Clocked cells and PFC frames in bits, or events packet by packet: every packet arrives at the same time with the
// same mark, every PAUSE and RESUME is decided at the same time with the same bytes and threshold, the same packets
// are dropped, and the accounts are equal.
func TestCellSwitchAgainstNetwork(t *testing.T) {
	seen := ManagerCounts{}
	rapid.Check(t, func(t *rapid.T) {
		senders, ports := rapid.IntRange(2, 4).Draw(t, "senders"), 0
		ports = senders + rapid.IntRange(1, 2).Draw(t, "receivers")
		delay := rapid.IntRange(1, 12).Draw(t, "delay in slots")
		link := Link{ByteTime: Gbps100, Delay: Time(delay) * slot100G}
		pfc := DefaultPFC()
		pfc.MaxPacket = 16 * CellBytes
		pfc.Refresh = rapid.Uint16Range(1, 60).Draw(t, "refresh")
		pfc.Quanta = pfc.Refresh + rapid.Uint16Range(17, 60).Draw(t, "quanta")
		headroom := pfc.HeadroomNeeded(link)
		if rapid.IntRange(0, 3).Draw(t, "headroom") == 0 {
			headroom = rapid.Int64Range(0, headroom).Draw(t, "too small")
		}
		cfg := SwitchConfig{Buffer: DefaultBuffer(ports, 0, headroom),
			Arbitration: rapid.SampledFrom([]Arbitration{RoundRobin, IngressFair, FIFO}).Draw(t, "arbitration"),
			InTurn:      rapid.Bool().Draw(t, "in turn")}
		b := &cfg.Buffer
		b.Cell, b.Log, b.Seed = CellBytes, true, 7
		b.MarkArrivals = rapid.Bool().Draw(t, "mark arrivals")
		b.Lossless = 1<<3 | 1<<5
		b.Reserve = rapid.SampledFrom([]int64{0, 64, 1024}).Draw(t, "reserve")
		b.ResumeOffset = rapid.SampledFrom([]int64{0, 512, 3072}).Draw(t, "resume offset")
		b.Bytes = -b.Pool() + rapid.Int64Range(0, 40_000).Draw(t, "pool")
		b.Bytes = max(b.Bytes, CellBytes)
		b.Policy = rapid.SampledFrom([]Policy{DT, ST, SPFC, SPFC, SPFC, Pinned}).Draw(t, "policy")
		b.Pinned = 1
		b.AlphaShift = rapid.IntRange(-3, 3).Draw(t, "alpha")
		b.Window = Time(rapid.IntRange(1, 200).Draw(t, "TC")) * slot100G
		b.K = rapid.Int64Range(1, 9).Draw(t, "K")
		if b.CircuitThreshold(0) == 0 {
			b.K = 1
		}
		b.Readings = Readings{Latch: rapid.Bool().Draw(t, "latch"), ResumeWaits: rapid.Bool().Draw(t, "resume waits"),
			SampleOnly: rapid.Bool().Draw(t, "sample only"),
			CountOld:   rapid.Bool().Draw(t, "count old")}
		for i := range b.Ports {
			b.Ports[i].ECN = ECN{KMin: 1000, KMax: 8000, PMax: 0.5}
		}
		if b.Check() != nil {
			return
		}
		st := newStar(t, cfg, pfc, senders, link, link)
		for dest := range ports - senders {
			cfg.Routes = append(cfg.Routes, []uint8{uint8(senders + dest)})
		}
		sw, err := NewCellSwitch(cfg, pfc)
		require.NoError(t, err)
		sim := rtl.New(rtl.Config{})
		clk := sim.Clock("cells", cellClock)
		scope := sim.Scope("test").On(clk)
		scope.Add("switch", sw)
		hosts := make([]*cellHost, ports)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for i := range hosts {
			hosts[i] = newCellHost(delay)
			scope.Add(fmt.Sprint("host", i), hosts[i])
			rtl.Connect(&hosts[i].Out, &sw.In[i])
			rtl.Connect(&sw.Out[i], &hosts[i].In)
		}
		const last = 500
		for i, s := range st.sources {
			at := 1 + rng.IntN(40)
			for seq := 0; at < last; seq++ {
				p := Packet{Flow: uint32(i), Seq: uint64(seq), Bytes: uint16(CellBytes * (1 + rng.IntN(16))),
					Prio: []uint8{3, 3, 3, 5, 0}[rng.IntN(5)],
					Dest: uint16(rng.IntN(ports - senders)), Sent: Time(at) * slot100G}
				if rng.IntN(30) == 0 {
					at += rng.IntN(300)
				}
				at += rng.IntN(12)
				s.packets = append(s.packets, p)
			}
			hosts[i].frames = append(hosts[i].frames, s.packets...)
			st.At(s.packets[0].Sent, s.id, 0)
		}
		require.NoError(t, sim.Elaborate())
		edges := 0
		for busy := true; busy && edges < 60_000; {
			require.NoError(t, clk.Run(1000))
			edges += 1000
			busy = sw.Manager().Stored() > 0
			for _, h := range hosts {
				busy = busy || len(h.frames) > 0
			}
		}
		require.NoError(t, clk.Run(100)) // for the cells still on the lines
		require.NoError(t, st.Run(t.Context(), Time(edges+100)*slot100G))
		require.NoError(t, sw.Err())
		require.Equal(t, st.sw.Manager().Decisions(), sw.Manager().Decisions())
		for i := senders; i < ports; i++ {
			require.Empty(t, hosts[i].wrong)
			require.Equal(t, st.sinks[i-senders].got, hosts[i].got, "receiver %d", i-senders)
		}
		require.Equal(t, st.sw.Manager().Counts, sw.Manager().Counts)
		for i := range senders {
			require.Zero(t, len(hosts[i].frames), "all was sent")
			c := st.Counts(0, i)
			require.EqualValues(t, c.PauseFrames+c.ResumeFrames, hosts[i].pauses)
		}
		require.Zero(t, sw.Manager().Stored())
		require.Zero(t, sw.memory.used, "cells left in the memory")
		c := sw.Manager().Counts
		seen.Pauses += c.Pauses
		seen.Dropped += c.Dropped
		seen.Lost += c.Lost
		seen.Marks += c.Marks
	})
	require.Positive(t, seen.Pauses)
	require.Positive(t, seen.Dropped)
	require.Positive(t, seen.Lost)
	require.Positive(t, seen.Marks)
}
