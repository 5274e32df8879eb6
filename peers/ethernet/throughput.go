package ethernet

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/workload"
)

// Mix is a mix of requests from host 0 to host 1, all there at once: the window paces them.
type Mix struct {
	Writes     float64 // fraction of the requests
	ReadBytes  int     // 1024 if 0
	WriteBytes int     // 100 if 0
	Requests   int     // 4000 if 0
	Seed       uint64  // of the order
}

// The YCSB workloads of EDM Figure 6: reads of 1 KB, writes of 100 B.
var (
	YCSBA = Mix{Writes: 0.5}
	YCSBB = Mix{Writes: 0.05}
	YCSBF = Mix{Writes: 0.33}
)

// Messages draws the requests.
func (m Mix) Messages() ([]workload.Message, error) {
	if !(m.Writes >= 0 && m.Writes <= 1) {
		return nil, fmt.Errorf("a fraction of %v writes, want 0 to 1", m.Writes)
	}
	if m.Requests == 0 {
		m.Requests = 4000
	}
	if m.Requests < 8 {
		return nil, fmt.Errorf("mix of %d requests, want at least 8", m.Requests)
	}
	if m.ReadBytes == 0 {
		m.ReadBytes = 1024
	}
	if m.WriteBytes == 0 {
		m.WriteBytes = 100
	}
	rng := rand.New(rand.NewPCG(m.Seed, 0))
	messages := make([]workload.Message, m.Requests)
	for i := range messages {
		messages[i] = workload.Message{ID: uint64(i), Type: workload.Read, Source: 0, Dest: 1, Bytes: m.ReadBytes}
		if rng.Float64() < m.Writes {
			messages[i].Type, messages[i].Bytes = workload.Write, m.WriteBytes
		}
	}
	return messages, nil
}

// Throughput returns the requests a second that one host gets from another: those done in the middle half of the run,
// over the time between the first and the last of them. Replies and acknowledgements share the links with the
// requests.
func Throughput(cfg Config, mix Mix) (requestsPerSecond float64, err error) {
	messages, err := mix.Messages()
	if err != nil {
		return 0, err
	}
	n, err := NewNetwork(cfg)
	if err != nil {
		return 0, err
	}
	completions, err := n.Run(context.Background(), messages)
	if err != nil {
		return 0, err
	}
	done := make([]int64, len(completions))
	for i, c := range completions {
		done[i] = c.Done
	}
	slices.Sort(done)
	from, to := len(done)/4, len(done)*3/4
	return float64(to-from) / (float64(done[to]-done[from]) * 1e-12), nil
}
