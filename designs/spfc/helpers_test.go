package spfc

import (
	"fmt"

	"github.com/stretchr/testify/require"
)

// source sends its packets, each not before its time, in order, as far as its priority is open.
type source struct {
	net     *Network
	id      int
	packets []Packet // Sent is the time before which it does not go
	sent    int
}

func (s *source) Attach(n *Network, id int)  { s.net, s.id = n, id }
func (s *source) Receive(Time, int, *Packet) {}
func (s *source) Timer(Time, uint64)         { s.net.Kick(s.id, 0) }

func (s *source) Transmit(now Time, _ int, open uint8) (p *Packet, more bool) {
	if s.sent == len(s.packets) {
		return nil, false
	}
	p = &s.packets[s.sent]
	if p.Sent > now {
		s.net.At(p.Sent, s.id, 0)
		return nil, false
	}
	if open>>p.Prio&1 == 0 {
		return nil, false
	}
	s.sent++
	return p, true
}

// sink takes all and remembers when.
type sink struct {
	net *Network
	id  int
	got []string
	n   int

	packets []Packet
}

func (s *sink) Attach(n *Network, id int)                        { s.net, s.id = n, id }
func (s *sink) Timer(Time, uint64)                               {}
func (s *sink) Transmit(Time, int, uint8) (p *Packet, more bool) { return nil, false }
func (s *sink) Receive(now Time, _ int, p *Packet) {
	s.n++
	s.packets = append(s.packets, *p)
	s.got = append(s.got, fmt.Sprint(now, " ", p.Flow, ".", p.Seq, " ", p.CE))
}

// star is senders and receivers around one switch: sources at the first ports, sinks at the others.
type star struct {
	*Network
	sw      *Switch
	sources []*source
	sinks   []*sink
}

func newStar(t require.TestingT, cfg SwitchConfig, pfc PFCConfig, senders int, up, down Link) *star {
	n, err := NewNetwork(pfc)
	require.NoError(t, err)
	ports := len(cfg.Buffer.Ports)
	for dest := range ports - senders { // host d is the sink at port senders + d
		if len(cfg.Routes) < ports-senders {
			cfg.Routes = append(cfg.Routes, []uint8{uint8(senders + dest)})
		}
	}
	st := &star{Network: n}
	st.sw, err = NewSwitch(cfg)
	require.NoError(t, err)
	n.Add(st.sw, ports)
	for i := range ports {
		if i < senders {
			s := &source{}
			st.sources = append(st.sources, s)
			require.NoError(t, n.Connect(n.Add(s, 1), 0, 0, i, up))
		} else {
			s := &sink{}
			st.sinks = append(st.sinks, s)
			require.NoError(t, n.Connect(0, i, n.Add(s, 1), 0, down))
		}
	}
	return st
}

// start has all sources asked at time 0.
func (st *star) start() {
	for _, s := range st.sources {
		st.At(0, s.id, 0)
	}
}
