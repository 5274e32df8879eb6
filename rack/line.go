package rack

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/peers/packetnet"

	"github.com/goldwire/goldwire/designs/edm"
	"github.com/goldwire/goldwire/designs/rifl"
)

// Line is the links' physical layer and its bit errors.
type Line struct {
	Kind string  `flag:"line" choices:"pcs,rifl" help:"links: plain Ethernet PCS, or RIFL lanes" json:"line"`
	BER  float64 `flag:"ber" min:"0" max:"1e-5" help:"bit errors of the links, a bit" json:"ber"`
}

// The choices of --line.
const (
	plainPCS  = "pcs"
	riflLanes = "rifl"
)

// plain tells whether links are as each fabric's paper has them, without errors.
func (l Line) plain() bool { return l.Kind != riflLanes && l.BER == 0 }

// overRIFL are the fabrics whose links may be RIFL lanes: a frame may be late on one link and not on another. resending
// are the ones among them that send a lost frame again.
var (
	overRIFL = []packetnet.Scheme{
		packetnet.DCTCP, packetnet.PFabric, packetnet.PFC, packetnet.DCQCN, packetnet.NDP, packetnet.OutputQueued,
	}
	resending = []packetnet.Scheme{packetnet.DCTCP, packetnet.PFabric}
)

// check finds a fabric that such links do not fit.
func (l Line) check(fabrics []string, metres float64) error {
	fit, why := overRIFL, "--line rifl: %s is not composed with it; want some of %s"
	switch {
	case l.plain():
		return nil
	case l.Kind == plainPCS:
		fit, why = resending, "--ber: %s sends no frame again that a bit error spoils; want some of %s, or --line rifl"
	case metres > maxRIFLMetres:
		return fmt.Errorf("--line rifl: a cable of %g m, want at most %d", metres, maxRIFLMetres)
	}
	var names []string
	for _, s := range fit {
		names = append(names, s.String())
	}
	for _, f := range fabrics {
		if !slices.Contains(names, f) {
			return fmt.Errorf(why, f, strings.Join(names, ", "))
		}
	}
	return nil
}

// laneRate is the rate of a lane on the line, under RIFL as under the PCS.
var laneRate = clock.MHz(25_781.25)

// maxRIFLMetres keeps RIFL's buffers within the sizes that its rule has for copper of the same delay.
const maxRIFLMetres = 300

// lanes is a link of RIFL with the same cable and transceivers as the other fabrics' links.
func (l Links) lanes() rifl.Config {
	cfg := rifl.Default()
	cfg.Profile, cfg.Lanes, cfg.LaneRate = rifl.Safe, l.Gbps/laneGbps, laneRate
	cfg.Length = l.Metres * nanoseconds(edm.MetreDelay) / rifl.NsPerMetre
	cfg.Transceivers = nanoseconds(edm.CableDelay(0))
	return cfg
}

// riflLine is the links of a star of RIFL lanes: link i joins node i's port and the switch's port n + i.
type riflLine struct {
	slots    []*rifl.Slots // by port
	num, den int64         // a frame cycle takes num/den ps
	tick     int64         // of the network's clock in ps: times come rounded up to it
	taken    uint64        // slots of frames
}

func newRIFLLine(l Links, seed uint64) (*riflLine, error) {
	cfg := rifl.FrameLinkConfig{Config: l.lanes(), BER: [2]float64{l.BER, l.BER}}
	cycle := cfg.WordTime().Times(int64(cfg.Words())).In(clock.Picosecond)
	r := &riflLine{num: cycle.Num().Int64(), den: cycle.Denom().Int64(), tick: int64(8000 / l.Gbps)}
	for port := range 2 * l.Nodes {
		cfg.Seed = seed<<16 + uint64(port%l.Nodes)
		s, err := rifl.NewSlots(cfg, port/l.Nodes)
		if err != nil {
			return nil, fmt.Errorf("--line rifl: %w", err)
		}
		r.slots = append(r.slots, s)
	}
	return r, nil
}

// Send implements [packetnet.Line]. A frame begins in the first slot that leaves when it is there, and takes whole
// slots. A frame that is there less than a tick after a slot has been rounded up from it.
func (r *riflLine) Send(port int, at int64, bytes int) (free, came int64) {
	s := r.slots[port]
	cycle := max((at-r.tick)*r.den+r.num-1, 0) / r.num
	slots := uint64((bytes + s.Bytes() - 1) / s.Bytes())
	last := s.Next(uint64(cycle)) + slots - 1
	r.taken += slots
	return r.time(s.Sent(last) + 1), r.time(s.Came(last))
}

// time is a frame cycle's in picoseconds, rounded up.
func (r *riflLine) time(cycle uint64) int64 { return (int64(cycle)*r.num + r.den - 1) / r.den }

// busy is the time of all slots of frames in picoseconds.
func (r *riflLine) busy() float64 { return float64(r.taken) * float64(r.num) / float64(r.den) }

// passes counts the links' retransmissions, and reports a link that lost frames.
func (r *riflLine) passes() (n uint64, err error) {
	for _, s := range r.slots {
		n += s.Passes()
		err = errors.Join(err, s.Err())
	}
	return n, err
}

// noise is the bit errors of plain links, by port.
type noise struct {
	seed   uint64
	ber    float64
	gbps   int64
	ports  []*blocks.Lossy
	errors [][]uint64 // positions so far, in bits from the start
}

func newNoise(l Links, seed uint64) *noise {
	return &noise{
		seed: seed<<16 + 1<<15, ber: l.BER, gbps: int64(l.Gbps), ports: make([]*blocks.Lossy, 2*l.Nodes),
		errors: make([][]uint64, 2*l.Nodes),
	}
}

// spoils tells whether a port's line has an error between two times in picoseconds: 66 bits on the line carry 64.
func (n *noise) spoils(port int, from, to int64) bool {
	bit := func(ps int64) uint64 { return uint64(ps * n.gbps / 1000 * 66 / 64) }
	loss := n.ports[port]
	if loss == nil {
		var err error
		if loss, err = blocks.NewLossy(n.ber, n.seed+uint64(port)); err != nil { // --ber has bounds
			panic(err)
		}
		n.ports[port] = loss
	}
	list := n.errors[port]
	for end := bit(to); loss.Position() < end; {
		next, ok := loss.NextError()
		if !ok || next >= end {
			loss.Skip(end - loss.Position())
			break
		}
		loss.Skip(next - loss.Position())
		loss.Errors(1)
		list = append(list, next)
	}
	n.errors[port] = list
	i, _ := slices.BinarySearch(list, bit(from))
	return i < len(list) && list[i] < bit(to)
}
