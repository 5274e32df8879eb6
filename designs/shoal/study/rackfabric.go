package study

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/shoal"
)

// fabricOf is the rack of most experiments.
func fabricOf(nodes, channels int) shoal.FabricParams {
	return shoal.FabricParams{Nodes: nodes, Channels: channels, Schedule: "cyclic", Pair: shoal.PairTurns}
}

// slotPicoseconds is [SlotNanoseconds] in the unit of messages.
const slotPicoseconds = 23_250

// rackFabric is the slot-accurate rack as a network that carries messages: a measure.Fabric. All are writes; a message whose start lies in
// a slot can leave in the next one.
type rackFabric struct {
	Fabric shoal.FabricParams
	Limit  int64 // picoseconds; what has not arrived then has not finished

	file   string // before what is wrong with a message, such as "flows.csv: "
	cell   CellParams
	faults *FaultParams    // nil for none
	log    *cellLog        // nil: cells are not kept
	run    *experiment.Run // is told of the progress and keeps checkpoints; nil for none

	maxQueue  int // of the last run: cells in one queue
	maxQueued int // and in all queues of a node
}

// rackCarry is what a run knows.
type rackCarry struct {
	rack    *shoal.Rack
	results []workload.Result
	next    int // of the messages in their order
	log     *cellLog
}

// messagesCost is about how many slots messages take, of which the run simulates none after its limit, and how many bytes of memory. Each cell goes
// over two links, and a node sends and takes one a slot.
func messagesCost(messages []workload.Message, nodes int, limit, slot int64, payload int) (slots, memory float64) {
	const messageMemory, nodeMemory = 300, 100_000
	up, down := make([]float64, nodes), make([]float64, nodes)
	busiest, last := 0.0, 0.0
	for _, m := range messages {
		cells := math.Ceil(float64(m.Bytes) / float64(payload))
		up[m.Source] += 2 * cells
		down[m.Dest] += 2 * cells
		busiest, last = max(busiest, up[m.Source], down[m.Dest]), max(last, float64(m.Start))
	}
	return min(last/float64(slot)+busiest, float64(limit)/float64(slot)), messageMemory*float64(len(messages)) + nodeMemory*float64(nodes)
}

// flowsCost is about how many slots drawn flows take between nodes at a load, and how many bytes of memory. No flow has more than 2^24 cells.
func flowsCost(sizes workload.Sizes, flows, nodes int, load float64) (slots, memory float64) {
	const flowMemory, nodeMemory = 300, 100_000
	cells := math.Ceil(min(sizes.Mean()/shoal.PayloadBytes, 1<<24))
	arrivals := float64(flows) * sizes.Mean() * 8 / (load * loadGbps * float64(nodes)) / shoal.SlotNanoseconds
	return arrivals + 2*cells, flowMemory*float64(flows) + nodeMemory*float64(nodes)
}

// rack builds the rack, with its faults.
func (f *rackFabric) rack() (*shoal.Rack, error) {
	if f.cell.Cell == 0 {
		f.cell = defaultCell()
	}
	if f.faults == nil {
		return f.Fabric.NewRack()
	}
	s, err := f.Fabric.Built()
	if err != nil {
		return nil, err
	}
	cfg := shoal.RackConfig{Schedule: s, Flight: f.Fabric.Flight, Options: f.Fabric.Options()}
	seed := uint64(0)
	if f.run != nil {
		seed = f.run.Seed
	}
	if err := f.faults.config(&cfg, f.Fabric.Nodes, f.Fabric.Channels, seed); err != nil {
		return nil, err
	}
	return shoal.NewRack(cfg)
}

// Run sends messages through an idle rack until all have arrived.
func (f *rackFabric) Run(ctx context.Context, messages []workload.Message) ([]workload.Result, error) {
	r, err := f.rack()
	if err != nil {
		return nil, err
	}
	slot, payload := f.cell.picoseconds(), f.cell.Cell-shoal.HeaderBytes
	if f.run != nil {
		if err := f.run.Expect(messagesCost(messages, f.Fabric.Nodes, f.Limit, slot, payload)); err != nil {
			return nil, fmt.Errorf("%s%w", f.file, err)
		}
	}
	results := make([]workload.Result, len(messages))
	order := make([]int, len(messages))
	for i, m := range messages {
		if m.Type != workload.Write || m.Bytes < 1 || m.Bytes > payload<<24 {
			return nil, fmt.Errorf("%smessage %d (ID %d): %s of %d bytes, want a write of 1 to %d", f.file, i, m.ID, m.Type, m.Bytes, payload<<24)
		}
		results[i].Message, order[i] = m, i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(messages[a].Start, messages[b].Start) })
	x := &rackCarry{rack: r, results: results, log: f.log}
	if f.run != nil {
		if err := f.run.Simulate(experiment.Simulation{Cycle: r.Slot, Roots: []any{x}}); err != nil {
			return nil, err
		}
	}
	limit := uint64(f.Limit / slot)
	for (x.next < len(order) || r.Pending() > 0) && r.Slot() < limit {
		for ; x.next < len(order) && messages[order[x.next]].Start <= int64(r.Slot())*slot; x.next++ {
			m := &messages[order[x.next]]
			if err := r.Offer(uint64(order[x.next]), m.Source, m.Dest, uint32((m.Bytes+payload-1)/payload)); err != nil {
				return nil, err
			}
		}
		if x.next < len(order) {
			r.SkipIdle(min(uint64((messages[order[x.next]].Start+slot-1)/slot), limit-1))
			if messages[order[x.next]].Start <= int64(r.Slot())*slot {
				continue
			}
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
			x.results[d.ID].Finished, x.results[d.ID].Finish = true, int64(d.End+1)*slot
		}
		if f.run != nil && r.Slot()%256 == 0 {
			f.run.Progress(uint64(len(messages)-r.Pending()-(len(order)-x.next)), uint64(len(messages)))
			if err := f.run.Between(); err != nil {
				return nil, err
			}
		}
	}
	f.log, f.maxQueue, f.maxQueued = x.log, 0, 0
	for i := range f.Fabric.Nodes {
		c := &r.Node(i).Counts
		f.maxQueue, f.maxQueued = max(f.maxQueue, int(c.MaxQueue)), max(f.maxQueued, int(c.MaxQueued))
	}
	return x.results, r.Conservation()
}
