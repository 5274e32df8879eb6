package spfc

// Packet is a packet between nodes. Flow, Kind, Seq and Sent are the hosts' own.
type Packet struct {
	Flow  uint32
	Dest  uint16 // host
	Bytes uint16 // on the line, with everything that takes line time
	Prio  uint8
	Kind  uint8
	CE    bool  // ECN congestion experienced
	in    uint8 // ingress port of the switch that stores it
	Seq   uint64
	Sent  Time
}

// ring is a queue that grows.
type ring[T any] struct {
	items []T // a power of two
	head  int
	count int
}

func (r *ring[T]) push(v T) { *r.extend() = v }

// extend adds an element and returns it, to be filled.
func (r *ring[T]) extend() *T {
	if r.count == len(r.items) {
		r.grow()
	}
	r.count++
	return &r.items[(r.head+r.count-1)&(len(r.items)-1)]
}

func (r *ring[T]) grow() {
	grown := make([]T, max(8, 2*len(r.items)))
	for i := range r.count {
		grown[i] = r.items[(r.head+i)&(len(r.items)-1)]
	}
	r.items, r.head = grown, 0
}

func (r *ring[T]) front() *T { return &r.items[r.head] }

func (r *ring[T]) pop() T { return *r.skip() }

// skip removes the first element and returns it; it is there until something is added.
func (r *ring[T]) skip() *T {
	v := &r.items[r.head]
	r.head = (r.head + 1) & (len(r.items) - 1)
	r.count--
	return v
}
