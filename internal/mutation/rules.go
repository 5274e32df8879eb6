package mutation

// handshakes are where inputs are beats that stand until they are taken.
type handshakes []handshake

// handshake is a port with valid and ready, as columns of a row.
type handshake struct {
	valid, ready int
	fields       []int
}

// handshakes returns the ports that the unit's Ready lists.
func (s *search) handshakes() (list handshakes) {
	for i, f := range s.fields {
		ready, ok := s.unit.Ready[f.Port]
		if !ok || f.Name != f.Port+"_valid" {
			continue
		}
		h := handshake{valid: i, ready: -1}
		for k, other := range s.fields {
			if other.Port == f.Port {
				h.fields = append(h.fields, k)
			}
			if other.Name == ready {
				h.ready = k
			}
		}
		if h.ready >= 0 {
			list = append(list, h)
		}
	}
	return list
}

// stand puts the beats that wait in the last row into the next. Before the first row nothing waits.
func (list handshakes) stand(last, row []uint64) {
	for _, h := range list {
		if last != nil && last[h.valid] == 1 && last[h.ready] == 0 {
			for _, i := range h.fields {
				row[i] = last[i]
			}
		}
	}
}

// assumed tells whether the inputs of the row that was answered last keep the unit's Environment.
func (c *campaign) assumed() bool {
	for _, a := range c.lanes.n.assumes {
		if c.lanes.bit(a.en, 0) == 1 && c.lanes.bit(a.a, 0) == 0 {
			return false
		}
	}
	return true
}
