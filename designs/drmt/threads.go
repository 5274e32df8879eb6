package drmt

// Threads is how many packets a processor holds at most (§6).
const Threads = 32

// MaxIPC is how many packets may start matches, and how many may start actions, in a cycle of a processor (Table 1).
const MaxIPC = 2

// ThreadEntry is an entry of the thread scheduling table: the packets that matches, and actions, start for in one cycle
// of the period, by their age in periods.
type ThreadEntry struct {
	Match, Action [MaxIPC]uint8
}

// thread is a packet in a processor.
type thread struct {
	header     HeaderVector
	predicates Predicates
	tag        Tag
	serial     uint32 // counts the periods of the processor
}

// threadFile has the header vectors of a processor's packets. Each period takes the next thread, whether a packet comes
// or not.
type threadFile struct {
	threads []thread
	newest  int
	serial  uint32
}

// next takes the oldest thread for a new period. Its contents stay until it is loaded.
func (f *threadFile) next() {
	if f.newest++; f.newest == len(f.threads) {
		f.newest = 0
	}
	f.serial++
}

// at returns the number of the thread with the packet that came the given number of periods ago, which is at most the
// number of threads.
func (f *threadFile) at(age uint8) int {
	i := f.newest - int(age)
	if i < 0 {
		i += len(f.threads)
	}
	return i
}

// of returns the thread with the packet that came the given number of periods ago.
func (f *threadFile) of(age uint8) *thread { return &f.threads[f.at(age)] }

// load puts a packet in the newest thread.
func (f *threadFile) load(t Tag, h *HeaderVector) {
	n := &f.threads[f.newest]
	n.tag, n.serial = t, f.serial
	n.predicates = Predicates{1 << Always}
	if t.Valid {
		n.header = *h
	}
}
