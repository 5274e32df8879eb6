package packetnet

// Priority flow control (IEEE Std 802.1Qbb): the switch drops nothing and pauses a node that has too much in it. All
// traffic is of one priority.

const pauseFrame = 64 // bytes

// enter counts a frame that reached the switch.
func (w *windowed) enter(id int32) {
	k := &w.packets[id]
	w.inside[k.from] += w.size(k)
	w.result.MaxIngress = max(w.result.MaxIngress, w.inside[k.from])
	if !w.asked[k.from] && w.inside[k.from] > int64(w.cfg.PauseBytes) {
		w.asked[k.from] = true
		w.result.Pauses++
		w.ask(k.from, pause)
	}
	w.at(w.now+w.sw, atSwitch, id, 0)
}

// leave sends a frame, or a pause that a node's MAC obeys without its stack.
func (w *windowed) leave(p int, id int32) {
	k := &w.packets[id]
	if k.kind == pause || k.kind == resume {
		on := int32(0)
		if k.kind == pause {
			on = 1
		}
		w.occupy(p, k.wire)
		w.at(w.now+int64(k.wire-w.gap)+w.link, pauseSeen, int32(k.to), on)
		w.release(id)
		return
	}
	w.inside[k.from] -= w.size(k)
	if w.asked[k.from] && w.inside[k.from] <= int64(w.cfg.ResumeBytes) {
		w.asked[k.from] = false
		w.ask(k.from, resume)
	}
	w.transmit(p, id)
}

// ask sends a node a pause frame, before all that waits for the link.
func (w *windowed) ask(node int16, kind packetKind) {
	w.enqueue(w.n+int(node), w.packet(packet{wire: int32(w.cfg.Preamble + pauseFrame + w.cfg.Gap), to: node, kind: kind}), true)
}

// obey stops or starts a node. The frame that it is sending goes on.
func (w *windowed) obey(p int, stop bool) {
	switch {
	case stop && !w.paused[p]:
		w.since[p] = w.now
	case !stop && w.paused[p]:
		w.result.PausedTime += (w.now - w.since[p]) * w.tick
		w.wake(p)
	}
	w.paused[p] = stop
}
