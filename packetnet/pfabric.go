package packetnet

// pFabric (Alizadeh et al., SIGCOMM 2013): the switch sends first and drops last what belongs to the flow with the least
// bytes to come. The queue of an egress is a shelf in the order of arrival, short enough to be looked through.

// shelve puts a frame onto its egress's shelf. If it is full, the least urgent fall off, the latest of equals first.
func (w *windowed) shelve(p int, id int32) {
	shelf := &w.shelves[p-w.n]
	o := &w.ports[p]
	k := &w.packets[id]
	for o.bytes+w.size(k) > int64(w.cfg.BufferBytes) {
		worst := -1
		for at, x := range *shelf {
			if key := w.packets[x].key; key > k.key && (worst < 0 || key >= w.packets[(*shelf)[worst]].key) {
				worst = at
			}
		}
		w.result.Drops++
		if worst < 0 {
			w.release(id)
			return
		}
		w.release(w.unshelveAt(p, worst))
	}
	w.mark(k, o.bytes)
	*shelf = append(*shelf, id)
	o.bytes += w.size(k)
	w.result.MaxQueue = max(w.result.MaxQueue, o.bytes)
	w.wake(p)
}

// unshelve takes the most urgent frame, or rather the earliest of its flow, so that flows do not starve themselves.
func (w *windowed) unshelve(p int) int32 {
	shelf := w.shelves[p-w.n]
	best := -1
	for at, x := range shelf {
		if best < 0 || w.packets[x].key < w.packets[shelf[best]].key {
			best = at
		}
	}
	if best < 0 {
		return 0
	}
	k := &w.packets[shelf[best]]
	for at, x := range shelf[:best] {
		if o := &w.packets[x]; o.flow == k.flow && o.kind == k.kind {
			best = at
			break
		}
	}
	return w.unshelveAt(p, best)
}

func (w *windowed) unshelveAt(p, at int) int32 {
	shelf := &w.shelves[p-w.n]
	id := (*shelf)[at]
	*shelf = append((*shelf)[:at], (*shelf)[at+1:]...)
	w.ports[p].bytes -= w.size(&w.packets[id])
	return id
}
