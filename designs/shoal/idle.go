package shoal

// SkipIdle passes over slots in which nothing happens: no message is under way, and no answer is. It goes on to a slot
// from which the rack does exactly the same as after all slots one by one, at most to the given one. It may stay where
// it is. A rack with failures or corruption never skips: in one a cell may tell of a failure, in the other each header
// is drawn for.
//
// A rack at rest repeats itself. Its headers are dummies that say that nothing waits, the same in each epoch, and lie
// in a ring by the slot. So it is the same again after a number of slots that both the epoch and the ring divide.
func (r *Rack) SkipIdle(to uint64) {
	epoch := uint64(r.Times.Epoch)
	if r.pending > 0 || r.failures != nil || r.noise != nil || r.slot < r.busy+r.settling() || to <= r.slot {
		return
	}
	period := epoch / gcd(epoch, r.ring) * r.ring
	if to-r.slot < period || !r.answered() {
		return
	}
	r.slot += (to - r.slot) / period * period
}

// Stuck tells whether the messages under way have no cell left that could move: some were lost to a failure, which
// nobody sends again (§3.5). It looks now and then, at the cells sent since its last look: if there are none in a time
// in which all cells and answers arrive, there will be none. A rack with corruption is never stuck: each header is
// drawn for.
func (r *Rack) Stuck() bool {
	if r.failures == nil || r.noise != nil || r.slot < r.failures.from || r.slot < r.asked+r.settling() {
		return false
	}
	before := r.out
	r.asked, r.out = r.slot, r.CellsOut()
	return r.pending > 0 && r.out == before
}

// settling is how many slots after its last message a rack is at rest: all answers have come, and the rings have
// nothing else any more.
func (r *Rack) settling() uint64 {
	most := int32(0)
	for _, x := range r.Times.rings {
		most = max(most, x.mask)
	}
	return (uint64(most)+3)*uint64(r.Times.Epoch) + uint64(r.Times.flight) + r.ring
}

// answered tells whether no node has a cell to send, or waits for the answer to one.
func (r *Rack) answered() bool {
	for i := range r.Nodes {
		n := &r.Nodes[i]
		if len(n.active) > 0 || r.Links.queued[i] > 0 {
			return false
		}
		for k := range n.flows {
			if f := &n.flows[k]; f.waiting > 0 || f.inReady > 0 {
				return false
			}
		}
	}
	return true
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
