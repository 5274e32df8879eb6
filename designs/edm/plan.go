package edm

import (
	"fmt"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/rtl"
)

// failStop switches a switch off when a link to it has failed: one that no longer hears a host decides otherwise than
// its mirror (see Merge). The notification that it misses first would be granted later than this acts.
type failStop struct {
	Down []rtl.Async[bool] // by port; rises once
	Off  rtl.Out[bool]

	off bool
}

// Reset is on.
func (f *failStop) Reset() {
	f.off = false
	f.Off.Set(false)
}

// Tick looks at all links.
func (f *failStop) Tick() {
	for i := range f.Down {
		f.off = f.off || f.Down[i].Get()
	}
	f.Off.Set(f.off)
}

// Faults are planned before the first edge of a network, for a cycle of the sender's clock, 1 or later.

// line returns the sender's end of a link: up from a node to a switch, or down to it.
func (n *Network) line(fabric, node int, up bool) (*linkTx, error) {
	if fabric < 0 || fabric >= len(n.Switches) || node < 0 || node >= len(n.Hosts) {
		return nil, fmt.Errorf(
			"no link between switch %d and node %d: %d switches and %d nodes", fabric, node, len(n.Switches), len(n.Hosts),
		)
	}
	if up {
		return &n.Hosts[node].Interfaces[fabric].line, nil
	}
	return &n.Switches[fabric].Ports[node].line, nil
}

// CutLink cuts a link: from this cycle on nothing enters it.
func (n *Network) CutLink(fabric, node int, up bool, cycle uint64) error {
	l, err := n.line(fabric, node, up)
	if err == nil {
		l.cut = max(cycle, 1)
	}
	return err
}

// FlipBits flips bits of a link: bit 66 (c - 1) + b is bit b, in the order of the line, of the block that enters it in
// cycle c.
func (n *Network) FlipBits(fabric, node int, up bool, positions ...uint64) error {
	l, err := n.line(fabric, node, up)
	if err != nil {
		return err
	}
	if l.loss == nil {
		if l.loss, err = blocks.NewLossy(0, 0); err != nil {
			return err
		}
	}
	return l.loss.SetFlips(positions)
}

// BitErrors gives a link a bit error rate, in place of the plan for its bits.
func (n *Network) BitErrors(fabric, node int, up bool, ber float64, seed uint64) error {
	l, err := n.line(fabric, node, up)
	if err != nil {
		return err
	}
	l.loss, err = blocks.NewLossy(ber, seed)
	return err
}

// KillSwitch cuts all links of a switch.
func (n *Network) KillSwitch(fabric int, cycle uint64) error {
	for node := range n.Hosts {
		for _, up := range []bool{true, false} {
			if err := n.CutLink(fabric, node, up, cycle); err != nil {
				return err
			}
		}
	}
	if fabric < 0 || fabric >= len(n.Switches) {
		return fmt.Errorf("no switch %d: there are %d", fabric, len(n.Switches))
	}
	n.Switches[fabric].Dead = true
	return nil
}

// KillNode cuts all links of a node.
func (n *Network) KillNode(node int, cycle uint64) error {
	for fabric := range n.Switches {
		for _, up := range []bool{true, false} {
			if err := n.CutLink(fabric, node, up, cycle); err != nil {
				return err
			}
		}
	}
	return nil
}
