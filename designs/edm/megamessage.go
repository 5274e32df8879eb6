package edm

// mega is several writes to one node under one notification (§3.1.2). Their data goes as a stream of words: each write
// but the first is preceded by a word with its place, and filled up to whole words.
type mega struct {
	writes   [megaMost]Request
	n, after int    // writes, and the one whose data comes after the current
	address  uint64 // of the current write's next word, in both memories
	local    uint64
	left     int // bytes of it
}

// megaMost is how many writes a mega message has at most.
const megaMost = 8

// placeWord packs where data goes: 48 bits of address, 16 of size.
func placeWord(address uint64, bytes int) uint64 { return address | uint64(bytes)<<48 }

func placeOf(w uint64) (address uint64, bytes int) { return w & (1<<48 - 1), int(w >> 48) }

// begin starts the stream of a write.
func (m *mega) begin() {
	w := &m.writes[m.after]
	m.address, m.local, m.left = w.Address, w.Local, int(w.Bytes)
	m.after++
}

// next goes on to the stream's next word: the place of a write, or the data that the data buffer has at local.
func (m *mega) next() (place, local uint64, isData bool) {
	if m.left == 0 {
		m.begin()
		return placeWord(m.address, m.left), 0, false
	}
	local = m.local
	m.address += 8
	m.local += 8
	m.left = max(0, m.left-8)
	return 0, local, true
}

// words rounds bytes up to whole words.
func words(bytes int) int { return (bytes + 7) &^ 7 }

// gather begins a mega message with a write, takes further writes to the same node along from the message queue, and
// returns the bytes that all of them take: at most batch, if there is more than one.
func (m *mega) gather(waiting *messageQueue, first Request, batch int) uint16 {
	*m = mega{n: 1}
	m.writes[0] = first
	sum := words(int(first.Bytes))
	for m.n < megaMost && first.Address>>48 == 0 && first.Rest == 0 {
		next := waiting.first(queueOf(first))
		if next == nil || next.Address>>48 != 0 || next.Rest != 0 || sum+8+words(int(next.Bytes)) > batch {
			break
		}
		r := waiting.take(queueOf(first))
		m.writes[m.n] = r
		m.n++
		sum += 8 + words(int(r.Bytes))
	}
	if m.n == 1 {
		return first.Bytes
	}
	m.begin()
	return uint16(sum)
}
