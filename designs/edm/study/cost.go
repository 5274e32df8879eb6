package study

import (
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
)

// cost is about what a run of messages takes.
type cost struct {
	bytes  float64 // of the messages
	cycles float64 // of blocks, as long as the busiest link is busy after the last start, and lone messages beside
	memory float64
}

// The memory of a message and of a request, in bytes: a run of 2,000,000 messages of 64 bytes has 530 MB.
const (
	messageMemory = 150
	requestMemory = 150
)

// blockBytes is what a block carries.
const blockBytes = 8

// messagesCost is the cost of given messages between nodes, by the links' rate in Gb/s.
func messagesCost(messages []workload.Message, nodes int, gbps float64) cost {
	c := cost{memory: messageMemory * float64(len(messages))}
	up, down := make([]float64, nodes), make([]float64, nodes)
	longest, last, busiest := 0.0, 0.0, 0.0
	for _, m := range messages {
		from, to, bytes := m.Source, m.Dest, float64(m.Bytes)
		if m.Type == workload.Read {
			from, to = to, from
		}
		up[from] += bytes
		down[to] += bytes
		busiest = max(busiest, up[from], down[to])
		c.bytes += bytes
		c.memory += requestMemory * (bytes/edm.MostPiece + 1)
		longest, last = max(longest, bytes), max(last, float64(m.Start))
	}
	block := 1000 * 8 * blockBytes / gbps // picoseconds
	const lone = 3                        // one message of each type for itself
	c.cycles = last/block + (busiest+lone*longest)/blockBytes
	return c
}

// loadCost is the cost of messages that are drawn.
func loadCost(q *loadPoint, l Load) cost {
	mean := l.Sizes.Mean()
	c := cost{bytes: float64(q.Messages) * mean}
	c.memory = float64(q.Messages) * (messageMemory + requestMemory*(mean/edm.MostPiece+1))
	links := float64(q.Nodes) / 2
	switch {
	case q.Pattern == workload.Incast:
		links = 1
	case q.Shared:
		links *= 2
	}
	const lone = 12 * 3 // sizes and types of messages for themselves
	c.cycles = c.bytes/blockBytes/links/min(1, q.Offered) + lone*mean/blockBytes
	return c
}
