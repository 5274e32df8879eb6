package study

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/peers/ethernet"
	"github.com/goldwire/goldwire/peers/packetnet"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
)

// KV is what the key-value store of §4.2.2 does on one workload of YCSB: Figure 6, requests a second with the whole
// store on the memory node.
type KV struct {
	Workload string  `json:"workload"`
	Requests int     `json:"requests"`
	EDM      float64 `json:"edm_requests_per_s"`
	RDMA     float64 `json:"rdma_requests_per_s"`      // RoCEv2 with a window that fills the link
	RDMAOne  float64 `json:"rdma_requests_per_s_at_1"` // with one request at a time
	EDMOne   float64 `json:"edm_requests_per_s_at_1"`  // from lone reads and writes, measured, one after the other
	// 25 Gb/s for the payload of the busier direction, without any framing
	Bound    float64 `json:"bound_requests_per_s"`
	Ratio    float64 `json:"ratio"`
	RatioOne float64 `json:"ratio_at_1"`

	// What the link from the compute node would carry if nothing else limited: its time alone counted.
	EDMRequestLink  float64 `json:"edm_requests_per_s_of_request_link"`
	RDMARequestLink float64 `json:"rdma_requests_per_s_of_request_link"`
	RatioRequest    float64 `json:"ratio_of_request_link"`
}

// kvRecords is how many objects the store has.
const kvRecords = 10_000

// kvMessages draws a workload's requests from node 0 to node 1, all there at once.
func kvMessages(name string, n int, seed uint64) ([]workload.Message, error) {
	y, err := workload.NewYCSB(name, kvRecords, rand.New(rand.NewPCG(seed, 2)))
	if err != nil {
		return nil, err
	}
	m := make([]workload.Message, n)
	for i := range m {
		op := y.Next()
		m[i] = workload.Message{ID: op.Key<<20 | uint64(i), Type: op.Type, Source: 0, Dest: 1, Bytes: op.Bytes}
	}
	return m, nil
}

// runKV measures Figure 6 for a workload of YCSB: A, B or F. Options may watch the network.
func runKV(ctx context.Context, name string, requests int, seed uint64, o edm.Options) (*KV, error) {
	messages, err := kvMessages(name, requests, seed)
	if err != nil {
		return nil, err
	}
	k := &KV{Workload: name, Requests: requests}
	var net *edm.Network
	o.Limit, o.Prepare = int64(requests)*1_000_000, func(n *edm.Network) { net = n }
	r, err := edm.Run(ctx, edm.Config{Nodes: 2}, messages, o)
	if err != nil {
		return nil, err
	}
	if r.Monitor.Count > 0 {
		return nil, fmt.Errorf("workload %s: %s", name, r.Monitor.Violations[0])
	}
	last := int64(0)
	var reads, writes float64
	for _, m := range r.Messages {
		last = max(last, m.Finish)
		if m.Type == workload.Write {
			writes += float64(m.Bytes)
		} else {
			reads += float64(m.Bytes)
		}
	}
	n := float64(requests)
	k.EDM = n / float64(last) * 1e12
	k.Bound = n / (max(reads, writes) * 8 / 25e9)

	up := net.Hosts[0].Mux.Sent()
	k.EDMRequestLink = n / (float64(up.Control+up.Data) * edm.BlockPicoseconds * 1e-12)

	one := messages[:min(len(messages), 500)]
	alone, err := loneMessages(ctx, edm.Config{Nodes: 2}, []int{one[0].Bytes, workload.YCSBReadBytes, 100})
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for _, m := range one {
		sum += alone.Time(m.Type, m.Bytes)
	}
	k.EDMOne = float64(len(one)) / sum * 1e9

	mix := ethernet.Mix{
		Writes: writeShare(messages), ReadBytes: workload.YCSBReadBytes, WriteBytes: 100, Requests: min(requests, 4000),
		Seed: seed,
	}
	if k.RDMA, err = ethernet.Throughput(ethernet.Config{Stack: ethernet.RoCEv2, Window: 64}, mix); err != nil {
		return nil, err
	}
	if k.RDMARequestLink, err = requestLinkOfRDMA(ctx, mix); err != nil {
		return nil, err
	}
	mix.Requests = 300
	if k.RDMAOne, err = ethernet.Throughput(ethernet.Config{Stack: ethernet.RoCEv2, Window: 1}, mix); err != nil {
		return nil, err
	}
	k.Ratio, k.RatioOne, k.RatioRequest = k.EDM/k.RDMA, k.EDMOne/k.RDMAOne, k.EDMRequestLink/k.RDMARequestLink
	return k, nil
}

// requestLinkOfRDMA returns how many requests a second the link from the compute node would carry over RoCEv2: the
// bytes that stand on its XGMII, and the least gap after each frame, at 25 Gb/s.
func requestLinkOfRDMA(ctx context.Context, mix ethernet.Mix) (float64, error) {
	messages, err := mix.Messages()
	if err != nil {
		return 0, err
	}
	n, err := ethernet.NewNetwork(ethernet.Config{Stack: ethernet.RoCEv2, Window: 64})
	if err != nil {
		return 0, err
	}
	if err := n.WaitForLock(); err != nil {
		return 0, err
	}
	count := &frameBytes{words: n.Hosts[0].Port.TxRegister.Out.Get, clock: n.Clock}
	n.Sim.Observe(count)
	if _, err := n.Run(ctx, messages); err != nil {
		return 0, err
	}
	return float64(len(messages)) / (float64(count.bytes+pcs.MinGapBytes*count.frames) * 8 / 25e9), nil
}

// frameBytes counts frames and their bytes, preamble included, on an XGMII.
type frameBytes struct {
	words func() pcs.XGMII
	clock *rtl.Clock

	inside        bool
	frames, bytes int
}

// Observe looks at the word of an edge.
func (f *frameBytes) Observe(edges rtl.Edges) {
	x := f.words()
	if !edges.Has(f.clock) || !x.Valid {
		return
	}
	for i := range 8 {
		switch c, control := x.Lane(i); {
		case control && c == pcs.CharStart:
			f.inside = true
			f.frames++
		case control && c == pcs.CharTerm:
			f.inside = false
		}
		if f.inside {
			f.bytes++
		}
	}
}

func writeShare(m []workload.Message) float64 {
	n := 0.0
	for _, x := range m {
		if x.Type == workload.Write {
			n++
		}
	}
	return n / float64(len(m))
}

// kvLatency is Figure 7: the mean latency of workload A with a share of the objects in the local memory.
type kvLatency struct {
	Local float64 `json:"local_share"`
	EDM   float64 `json:"edm_ns"`
	CXL   float64 `json:"cxl_ns"`
	RDMA  float64 `json:"rdma_ns"`
	Ratio float64 `json:"edm_over_cxl"`

	CXL100   float64 `json:"cxl_100g_ns"` // with links of 100 Gb/s
	Ratio100 float64 `json:"edm_over_cxl_100g"`
}

// localDRAM is what an access to the local memory takes, and the memory node's for a read: a row miss of DDR4.
const localDRAM = 50.0 // ns

// runKVLatency measures lone reads and writes of workload A over the fabrics and mixes them with local accesses.
func runKVLatency(ctx context.Context, shares []float64) ([]kvLatency, error) {
	read, write := workload.YCSBReadBytes, 100
	ours, err := loneMessages(ctx, edm.Config{Nodes: 2, DRAM: clock.MustTime("50ns")}, []int{read, write})
	if err != nil {
		return nil, err
	}
	cxl := func(gbps int) func(workload.MessageType, int) (float64, error) {
		return func(t workload.MessageType, bytes int) (float64, error) {
			c := packetnet.DefaultConfig(packetnet.CXL)
			c.Nodes, c.RateGbps, c.MemoryDelay = 2, gbps, localDRAM*1000
			ps, err := packetnet.Unloaded(c, t, bytes)
			return float64(ps) / 1000, err
		}
	}
	rdma := func(t workload.MessageType, bytes int) (float64, error) {
		n, err := ethernet.NewNetwork(ethernet.Config{Stack: ethernet.RoCEv2})
		if err != nil {
			return 0, err
		}
		done, err := n.Run(ctx, []workload.Message{{Type: t, Source: 0, Dest: 1, Bytes: bytes}})
		if err != nil {
			return 0, err
		}
		ns := float64(done[0].Done-done[0].Issued) / 1000
		if t == workload.Read {
			ns += localDRAM // its memory node has none
		}
		return ns, nil
	}
	half := func(f func(workload.MessageType, int) (float64, error)) (float64, error) {
		a, err := f(workload.Read, read)
		if err != nil {
			return 0, err
		}
		b, err := f(workload.Write, write)
		return (a + b) / 2, err
	}
	e, _ := half(func(t workload.MessageType, b int) (float64, error) { return ours.Time(t, b), nil })
	c, err := half(cxl(25))
	if err != nil {
		return nil, err
	}
	c100, err := half(cxl(100))
	if err != nil {
		return nil, err
	}
	r, err := half(rdma)
	if err != nil {
		return nil, err
	}
	var out []kvLatency
	for _, s := range shares {
		mix := func(remote float64) float64 { return s*localDRAM + (1-s)*remote }
		out = append(out, kvLatency{s, mix(e), mix(c), mix(r), mix(e) / mix(c), mix(c100), mix(e) / mix(c100)})
	}
	return out, nil
}
