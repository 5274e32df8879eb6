package spfc

// StateChange is an ingress port's state from a time on.
type StateChange struct {
	Time   Time
	Port   int
	Victim bool
	Paused bool
	IRC    uint32 // at the change
}

// Decision is a PAUSE or a RESUME of an ingress port and priority.
type Decision struct {
	Time      Time
	Port      int
	Prio      int
	Pause     bool
	Used      int64 // of the queue, headroom included
	Threshold int64
}

func (m *Manager) decide(now Time, in, prio int, pause bool) {
	if m.cfg.Log {
		q := &m.queues[in*Priorities+prio]
		m.decisions = append(m.decisions, Decision{Time: now, Port: in, Prio: prio, Pause: pause, Used: q.used + q.headroom,
			Threshold: m.threshold(&m.ports[in])})
	}
}

// Decisions returns the record of PAUSEs and RESUMEs.
func (m *Manager) Decisions() []Decision { return m.decisions }

// PausesOf returns the counts of a port's PAUSEs.
func (m *Manager) PausesOf(port int) PauseCounts { return m.ports[port].pauses }

// States returns the record of the ports' states, up to a time. A window's end stands at its own time.
func (m *Manager) States(now Time) []StateChange {
	for port := range m.ports {
		m.advance(now, port)
	}
	return m.states
}
