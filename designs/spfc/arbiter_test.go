package spfc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Deficit round-robin with a quantum of 1,000 bytes. A queue that runs empty keeps no credit: after three lone packets
// of 100 bytes, port 0 gets no more than port 1. What a queue does not use while it has packets, it keeps.
func TestIngressFairKeepsNoCreditForEmptyQueues(t *testing.T) {
	const ports = 2
	e := egressPort{}
	e.prios[3].deficit = make([]int64, ports)
	store := packetStore{free: -1}
	queues := make([]packetQueue, Priorities*ports)
	push := func(in int, bytes uint16) {
		store.push(&queues[3*ports+in], &Packet{Bytes: bytes, Prio: 3, in: uint8(in)})
		e.some |= 1 << 3
		e.prios[3].some |= 1 << in
	}
	next := func() int {
		p := e.next(queues, &store, 0xff, false, 1000)
		require.NotNil(t, p)
		return int(p.in)
	}
	for range 3 {
		push(0, 100)
		require.Equal(t, 0, next())
		require.Nil(t, e.next(queues, &store, 0xff, false, 1000))
	}
	for range 10 {
		push(0, 400)
		push(1, 400)
	}
	var order []int
	for range 20 {
		order = append(order, next())
	}
	// 1,000: two packets, 200 left; 1,200: three, nothing left; then the same again
	require.Equal(t, []int{1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0}, order)
}
