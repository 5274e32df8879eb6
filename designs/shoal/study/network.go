package study

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload"
	measures "github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/shoal"
)

// fabricOf is the rack of most experiments.
func fabricOf(nodes, channels int) shoal.FabricParams {
	return shoal.FabricParams{Nodes: nodes, Channels: channels, Schedule: "cyclic", Pair: shoal.PairTurns}
}

// SlotPicoseconds is [SlotNanoseconds] in the unit of messages.
const SlotPicoseconds = 23_250

var _ measures.Fabric = (*Network)(nil)

// Network is the slot-accurate rack as a network that carries messages: a measure.Fabric. A write is a flow of cells. A
// read is a cell with its address, and a flow back when that cell has arrived. A flow whose start lies in a slot can
// leave in the next one.
type Network struct {
	Fabric shoal.FabricParams
	Cell   CellParams      // zero: §7.1's
	Faults *FaultParams    // nil: none
	Limit  int64           // picoseconds; a message that has not arrived then has not finished
	ended  bool            // by the limit
	Until  int             // the run ends when all messages up to this size in bytes have arrived; 0: when all have
	Keep   *experiment.Run // is told of the progress and keeps checkpoints; nil for none

	file string   // before a fault of a message, such as "flows.csv: "
	log  *cellLog // nil: cells are not kept

	Follow bool  // keep Hops
	Hops   []Hop // of the last run, by slot

	MaxQueue  int    // of the last run: cells in one queue
	MaxQueued int    // and in all queues of a node
	CellsOut  uint64 // that nodes sent, a cell of two hops twice; without failures of nodes
}

// Hop is a cell on its way from a node to another, through a circuit switch.
type Hop struct {
	Slot     uint64 // in which it leaves
	From, To int
}

// rackCarry is the state of a run.
type rackCarry struct {
	rack    *shoal.Rack
	results []workload.Result
	next    int // of the messages in their order
	waits   int // messages that the run waits for and that have not arrived
	log     *cellLog
}

// messagesCost is about how many slots messages take, of which the run simulates none after its limit, and how many
// bytes of memory. Each cell goes over two links, and a node sends and takes one a slot.
func (n *Network) messagesCost(messages []workload.Message, slot int64, payload int) (slots, memory float64) {
	const messageMemory, nodeMemory = 300, 100_000
	up, down := make([]float64, n.Fabric.Nodes), make([]float64, n.Fabric.Nodes)
	busiest, last := 0.0, 0.0
	for _, m := range messages {
		last = max(last, float64(m.Start))
		if !n.awaits(&m) {
			continue
		}
		cells := math.Ceil(float64(m.Bytes) / float64(payload))
		up[m.Source] += 2 * cells
		down[m.Dest] += 2 * cells
		busiest = max(busiest, up[m.Source], down[m.Dest])
	}
	return min(last/float64(slot)+busiest, float64(n.Limit)/float64(slot)), messageMemory*float64(len(messages)) +
		nodeMemory*float64(n.Fabric.Nodes)
}

// flowsCost is about how many slots drawn flows take between nodes at a load, and how many bytes of memory. No flow has
// more than 2^24 cells.
func flowsCost(sizes workload.Sizes, flows, nodes int, load float64) (slots, memory float64) {
	const flowMemory, nodeMemory = 300, 100_000
	cells := math.Ceil(min(sizes.Mean()/shoal.PayloadBytes, 1<<24))
	arrivals := float64(flows) * sizes.Mean() * 8 / (load * loadGbps * float64(nodes)) / shoal.SlotNanoseconds
	return arrivals + 2*cells, flowMemory*float64(flows) + nodeMemory*float64(nodes)
}

// rack builds the rack, with its faults.
func (n *Network) rack() (*shoal.Rack, error) {
	if n.Cell.Cell == 0 {
		n.Cell = defaultCell()
	}
	if n.Faults == nil {
		return n.Fabric.NewRack()
	}
	s, err := n.Fabric.Built()
	if err != nil {
		return nil, err
	}
	cfg := shoal.RackConfig{Schedule: s, Flight: n.Fabric.Flight, Options: n.Fabric.Options()}
	seed := uint64(0)
	if n.Keep != nil {
		seed = n.Keep.Seed
	}
	if err := n.Faults.config(&cfg, n.Fabric.Nodes, n.Fabric.Channels, seed); err != nil {
		return nil, err
	}
	return shoal.NewRack(cfg)
}

// awaits tells whether a run goes on until a message has arrived.
func (n *Network) awaits(m *workload.Message) bool { return n.Until == 0 || m.Bytes <= n.Until }

// Run sends messages through an idle rack until all have arrived, or all up to the size Until.
func (n *Network) Run(ctx context.Context, messages []workload.Message) ([]workload.Result, error) {
	r, err := n.rack()
	if err != nil {
		return nil, err
	}
	slot, payload := n.Cell.picoseconds(), n.Cell.Cell-shoal.HeaderBytes
	if n.Keep != nil {
		if err := n.Keep.Expect(n.messagesCost(messages, slot, payload)); err != nil {
			return nil, fmt.Errorf("%s%w", n.file, err)
		}
	}
	results := make([]workload.Result, len(messages))
	order, awaited := make([]int, len(messages)), 0
	for i, m := range messages {
		if m.Type != workload.Write && m.Type != workload.Read || m.Bytes < 1 || m.Bytes > payload<<24 {
			return nil, fmt.Errorf(
				"%smessage %d (ID %d): %s of %d bytes, want a read or write of 1 to %d", n.file, i, m.ID, m.Type, m.Bytes,
				payload<<24,
			)
		}
		results[i].Message, order[i] = m, i
		if n.awaits(&m) {
			awaited++
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(messages[a].Start, messages[b].Start) })
	x := &rackCarry{rack: r, results: results, waits: awaited, log: n.log}
	if n.Keep != nil {
		if err := n.Keep.Simulate(experiment.Simulation{Cycle: r.Slot, Roots: []any{x}}); err != nil {
			return nil, err
		}
	}
	if n.Follow && n.log == nil {
		x.log = &cellLog{}
	}
	limit := uint64(n.Limit / slot)
	for x.waits > 0 && r.Slot() < limit {
		for ; x.next < len(order) && messages[order[x.next]].Start <= int64(r.Slot())*slot; x.next++ {
			m := &messages[order[x.next]]
			cells := uint32(1) // a read's request
			if m.Type == workload.Write {
				cells = uint32((m.Bytes + payload - 1) / payload)
			}
			if err := r.Offer(uint64(order[x.next]), m.Source, m.Dest, cells); err != nil {
				return nil, err
			}
		}
		if x.next < len(order) {
			r.SkipIdle(min(uint64((messages[order[x.next]].Start+slot-1)/slot), limit-1))
			if messages[order[x.next]].Start <= int64(r.Slot())*slot {
				continue
			}
		}
		if x.next == len(order) && r.Stuck() {
			break
		}
		if err := r.Run(ctx, 1); err != nil {
			return nil, err
		}
		if x.log != nil {
			if err := x.log.take(r); err != nil {
				return nil, err
			}
		}
		for _, d := range r.Done() {
			if i := int(d.ID); i >= len(messages) || messages[i].Type == workload.Write {
				i %= len(messages)
				if n.awaits(&messages[i]) {
					x.waits--
				}
				x.results[i].Finished, x.results[i].Finish = true, int64(d.End+1)*slot
				continue
			}
			m := &messages[d.ID] // its request has arrived
			if err := r.Offer(d.ID+uint64(len(messages)), m.Dest, m.Source, uint32((m.Bytes+payload-1)/payload)); err != nil {
				return nil, err
			}
		}
		if n.Keep != nil && r.Slot()%256 == 0 {
			n.Keep.Progress(uint64(awaited-x.waits), uint64(awaited))
			if err := n.Keep.Between(); err != nil {
				return nil, err
			}
		}
	}
	n.ended = x.waits > 0 && r.Slot() >= limit
	if n.Follow {
		n.Hops = nil
		for _, c := range x.log.cells {
			n.Hops = append(n.Hops, Hop{c.slot, int(c.from), int(c.to)})
		}
	}
	n.log, n.MaxQueue, n.MaxQueued, n.CellsOut = x.log, 0, 0, r.CellsOut()
	for i := range n.Fabric.Nodes {
		c := &r.Node(i).Counts
		n.MaxQueue, n.MaxQueued = max(n.MaxQueue, int(c.MaxQueue)), max(n.MaxQueued, int(c.MaxQueued))
	}
	return x.results, r.Conservation()
}
