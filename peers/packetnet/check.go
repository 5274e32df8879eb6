package packetnet

import "fmt"

// oneClass tells whether a scheme's hosts know no traffic classes.
func (c Config) oneClass() bool { return c.Scheme == CXL || c.Scheme == DCQCN || c.Scheme == NDP }

// perPair tells whether a scheme has a connection for each pair of nodes, and not for each message.
func (c Config) perPair() bool {
	return !c.PerMessage && (c.Scheme == DCTCP || c.Scheme == PFC || c.Scheme == PFabric)
}

// checkTopology finds schemes that a topology does not have, and nodes that it cannot join.
func (c Config) checkTopology() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%s: %s: %s", c.Scheme, c.Topology, fmt.Sprintf(format, args...))
	}
	if c.Topology == Torus != (c.Scheme == R2C2) {
		return fail("want r2c2 on a torus, and only there")
	}
	switch c.Topology {
	case Star:
	case Clos:
		if !c.closFits() {
			return fail(
				"%d nodes on switches of %d ports, want an even number of leaves with half the ports to nodes that divides "+
					"the ports",
				c.Nodes, c.Ports,
			)
		}
		switch c.Scheme {
		case DCTCP, PFC, OutputQueued, DCQCN, NDP:
		default:
			return fail("want dctcp, pfc, output-queued, dcqcn or ndp")
		}
		if c.Spray && c.Scheme != NDP && c.Scheme != OutputQueued {
			return fail("Spray changes the order of frames, which only ndp and output-queued bear")
		}
	case Torus:
		if c.Side < 2 || c.Side*c.Side*c.Side != c.Nodes {
			return fail("%d nodes, Side is %d, want its cube, and 2 or more", c.Nodes, c.Side)
		}
	default:
		return fmt.Errorf("%s: %s is no topology", c.Scheme, c.Topology)
	}
	return nil
}

func (c Config) check() error {
	atLeast := func(name string, v, least int64) error {
		if v < least {
			return fmt.Errorf("%s: %s is %d, want at least %d", c.Scheme, name, v, least)
		}
		return nil
	}
	switch {
	case int(c.Scheme) >= len(schemes):
		return fmt.Errorf("%s is no scheme", c.Scheme)
	case c.Nodes < 2 || c.Nodes > 512:
		return fmt.Errorf("%s: %d nodes, want 2 to 512", c.Scheme, c.Nodes)
	case c.RateGbps < 1 || 8000%c.RateGbps != 0:
		return fmt.Errorf("%s: %d Gb/s, want a divisor of 8000", c.Scheme, c.RateGbps)
	case c.PerMessage && c.Scheme != DCTCP && c.Scheme != PFC:
		return fmt.Errorf("%s: PerMessage, want dctcp or pfc with it", c.Scheme)
	case c.Classes < 1 || c.Classes > classes || c.Classes != 1 && c.oneClass():
		return fmt.Errorf("%s: %d classes, want 1 to %d, and 1 with cxl, dcqcn and ndp", c.Scheme, c.Classes, classes)
	}
	switch plans := c.Scheme == IRD || c.Scheme == CXL || c.Scheme == Fastpass || c.Scheme == R2C2; {
	case c.Line != nil && plans:
		return fmt.Errorf("%s: Line, want a scheme that does not plan with the links' times", c.Scheme)
	case c.Spoils != nil && c.Scheme != DCTCP && c.Scheme != PFabric:
		return fmt.Errorf("%s: Spoils, want dctcp or pfabric, which send a lost frame again", c.Scheme)
	}
	if err := c.checkTopology(); err != nil {
		return err
	}
	type bound struct {
		name     string
		v, least int64
	}
	checks := []bound{
		{"Limit", c.Limit, 1}, {"HostDelay", c.HostDelay, 0}, {"LinkDelay", c.LinkDelay, 0},
		{"SwitchDelay", c.SwitchDelay, 0}, {"MemoryDelay", c.MemoryDelay, 0},
		{"RequestBytes", int64(c.RequestBytes), 1}, {"WriteHeaderBytes", int64(c.WriteHeaderBytes), 0},
	}
	if c.Scheme == CXL {
		checks = append(checks, bound{"FlitBytes", int64(c.FlitBytes), 1},
			bound{"FlitPayload", int64(c.FlitPayload), int64(c.RequestBytes + 2*maxSwap)},
			bound{"CreditBatch", int64(c.CreditBatch), 1}, bound{"Credits", int64(c.Credits), int64(c.CreditBatch)})
	} else {
		checks = append(checks, bound{"Preamble", int64(c.Preamble), 0}, bound{"FrameHeader", int64(c.FrameHeader), 0},
			bound{"Gap", int64(c.Gap), 0}, bound{"MinFrame", int64(c.MinFrame), 0},
			bound{"TransportHeader", int64(c.TransportHeader), 0}, bound{"AckBytes", int64(c.AckBytes), 1},
			bound{"MTU", int64(c.MTU), int64(c.TransportHeader + c.RequestBytes + 2*maxSwap)})
	}
	tick := int64(8000 / c.RateGbps)
	frame := int64(max(c.MinFrame, c.FrameHeader+c.MTU))
	switch c.Scheme {
	case DCTCP, PFabric, PFC:
		checks = append(checks, bound{"InitialWindow", int64(c.InitialWindow), 1},
			bound{"MaxWindow", int64(c.MaxWindow), int64(max(c.InitialWindow, c.MTU))},
			bound{"MarkBytes", int64(c.MarkBytes), 0}, bound{"AckDelay", c.AckDelay, 0}, bound{"DupAcks", int64(c.DupAcks), 0})
		if c.Scheme == PFC {
			checks = append(checks, bound{"ResumeBytes", int64(c.ResumeBytes), 0},
				bound{"PauseBytes", int64(c.PauseBytes), int64(c.ResumeBytes)},
				bound{"MinTimeout", c.MinTimeout, 0})
		} else { // only a timeout sends a dropped packet again
			checks = append(checks, bound{"BufferBytes", int64(c.BufferBytes), frame}, bound{"MinTimeout", c.MinTimeout, 1})
		}
	case IRD:
		checks = append(checks, bound{"GrantWindow", int64(c.GrantWindow), 1}, bound{"GrantSlots", int64(c.GrantSlots), 0})
	case Fastpass:
		checks = append(checks, bound{"GrantBytes", int64(c.GrantBytes), 1})
	case DCQCN:
		p := &c.DCQCN
		checks = append(checks, bound{"MarkBytes", int64(c.MarkBytes), 0}, bound{"MarkMost", int64(c.MarkMost), 0},
			bound{"AlphaInterval", p.AlphaInterval, tick}, bound{"IncreaseEvery", p.IncreaseEvery, tick},
			bound{"DecreaseEvery", p.DecreaseEvery, 0}, bound{"CNPInterval", p.CNPInterval, 0},
			bound{"ByteCounter", p.ByteCounter, 0}, bound{"FastRecovery", int64(p.FastRecovery), 0},
			bound{"Additive", p.Additive, 0}, bound{"Hyper", p.Hyper, 0}, bound{"Least", p.Least, 1},
			bound{"MaxWindow", int64(c.MaxWindow), 1},
			bound{"ResumeBytes", int64(c.ResumeBytes), 0}, bound{"PauseBytes", int64(c.PauseBytes), int64(c.ResumeBytes)})
	case NDP:
		checks = append(checks, bound{"FirstPackets", int64(c.FirstPackets), 1},
			bound{"QueuePackets", int64(c.QueuePackets), 1})
	case R2C2:
		checks = append(checks, bound{"RateInterval", c.RateInterval, 1})
		if !(c.Headroom >= 0 && c.Headroom < 1) {
			return fmt.Errorf("r2c2: Headroom is %v, want 0 to less than 1", c.Headroom)
		}
	}
	if !(c.MarkShare >= 0 && c.MarkShare <= 1) {
		return fmt.Errorf("%s: MarkShare is %v, want 0 to 1", c.Scheme, c.MarkShare)
	}
	for _, k := range checks {
		if err := atLeast(k.name, k.v, k.least); err != nil {
			return err
		}
	}
	return nil
}
