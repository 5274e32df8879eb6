package packetnet

// pFabric (Alizadeh et al., SIGCOMM 2013): the switch sends first, and drops last, packets of the flow with the least
// bytes to come. The queue of an egress is a shelf in the order of arrival, short enough to be searched.

// shelves is its switch.
type shelves struct {
	*fabric
	noFlits
	of [][]int32 // by egress: packets in the order of arrival
}

func newShelves(f *fabric) *shelves { return &shelves{fabric: f, of: make([][]int32, f.n)} }

func (s *shelves) enter(id int32) { s.At(s.Now+s.sw, atSwitch, id, 0) }

func (s *shelves) serve(p int) {
	if id := s.unshelve(p); id != 0 {
		s.transmit(p, id)
	}
}

// forward puts a frame onto its egress's shelf. If it is full, the least urgent fall off, the latest of equals first.
func (s *shelves) forward(id int32) {
	p := s.n + int(s.packets[id].to)
	shelf := &s.of[p-s.n]
	o := &s.ports[p]
	k := &s.packets[id]
	for o.bytes+s.size(k) > int64(s.cfg.BufferBytes) {
		worst := -1
		for at, x := range *shelf {
			if key := s.packets[x].key; key > k.key && (worst < 0 || key >= s.packets[(*shelf)[worst]].key) {
				worst = at
			}
		}
		s.result.Drops++
		if worst < 0 {
			s.release(id)
			return
		}
		s.release(s.unshelveAt(p, worst))
	}
	s.mark(k, o.bytes)
	*shelf = append(*shelf, id)
	o.bytes += s.size(k)
	s.result.MaxQueue = max(s.result.MaxQueue, o.bytes)
	s.wake(p)
}

// unshelve takes the most urgent frame, or rather the earliest of its flow, so that flows do not starve themselves.
func (s *shelves) unshelve(p int) int32 {
	shelf := s.of[p-s.n]
	best := -1
	for at, x := range shelf {
		if best < 0 || s.packets[x].key < s.packets[shelf[best]].key {
			best = at
		}
	}
	if best < 0 {
		return 0
	}
	k := &s.packets[shelf[best]]
	for at, x := range shelf[:best] {
		if o := &s.packets[x]; o.flow == k.flow && o.kind == k.kind {
			best = at
			break
		}
	}
	return s.unshelveAt(p, best)
}

func (s *shelves) unshelveAt(p, at int) int32 {
	shelf := &s.of[p-s.n]
	id := (*shelf)[at]
	*shelf = append((*shelf)[:at], (*shelf)[at+1:]...)
	s.ports[p].bytes -= s.size(&s.packets[id])
	return id
}
