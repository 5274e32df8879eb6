package edm

import (
	"fmt"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Host is a node: compute, memory, or both.
type Host struct {
	*Interface // to the first switch
	Interfaces []*Interface

	App    Requester
	Tx     HostTx
	Memory Memory
	Merge  *Merge // nil without Config.Mirror
}

// Interface is a host's side of its link to a switch.
type Interface struct {
	LinkEnd
	Rx HostRx

	Events *blocks.AsyncFIFO[Event] // the grant queue
	Words  *blocks.AsyncFIFO[Word]
	places *blocks.AsyncFIFO[Placement]
}

func (n *Network) addHost(i int) *Host {
	cfg := n.Config
	h := &Host{
		Tx: HostTx{
			Types: DefaultTypes, Node: i, Nodes: cfg.Nodes, Active: cfg.Active, Chunk: cfg.Chunk,
			DRAM: n.dram() + cfg.stages(1), Apart: cfg.ActiveApart, Timeout: n.cycles(cfg.Timeout),
			TimeWrites: cfg.TimeWrites, Queue: cfg.Queue, Batch: cfg.Batch, Buffer: Pattern,
		},
		Memory: Memory{Bytes: cfg.Memory, Local: cfg.Local, Nodes: cfg.Nodes, Active: cfg.Active},
	}
	for range n.Switches {
		h.Interfaces = append(h.Interfaces, &Interface{
			Rx:     HostRx{Types: DefaultTypes, Nodes: cfg.Nodes, Active: cfg.Active},
			Events: blocks.NewAsyncFIFO[Event](crossingDepth),
			Words:  blocks.NewAsyncFIFO[Word](crossingDepth),
			places: blocks.NewAsyncFIFO[Placement](crossingDepth),
		})
	}
	h.Interface = h.Interfaces[0]
	if cfg.Equalise {
		h.Tx.Wait = cfg.Lanes + n.dram()
	}
	n.Hosts = append(n.Hosts, h)
	return h
}

// connect puts a host's interfaces, stack, memory and application together.
func (n *Network) connect(i int, h *Host) {
	cfg := n.Config
	tx := n.Sim.Scope(fmt.Sprintf("host_%d", i)).On(h.TxClock)
	tx.Add("app", &h.App)
	tx.Add("tx", &h.Tx)
	tx.Add("memory", &h.Memory)
	rtl.ConnectStream(h.App.Output(), h.Tx.Input())
	rtl.Connect(&h.Tx.Done, &h.App.Done)
	rtl.Connect(&h.Tx.Load, &h.Memory.Read)
	rtl.Connect(&h.Memory.Data, &h.Tx.Loaded)

	var control, data []rtl.Sink[pcs.Block]
	for _, f := range h.Interfaces {
		control, data = append(control, &f.Mux.Control), append(data, &f.Mux.Data)
		rtl.Connect(&h.Tx.Place, &f.places.Write.In)
		rtl.Connect(&h.Tx.Placed, &f.places.Write.Push)
	}
	stretch(tx, "control_stages", cfg.stages(2), &h.Tx.Control, control...)
	stretch(tx, "data_stages", cfg.stages(3), &h.Tx.Data, data...)

	var holdControl, holdData, arrived, written rtl.Source[bool]
	var event rtl.Source[Event]
	var word rtl.Source[Word]
	if cfg.Mirror {
		m := &Merge{Nodes: cfg.Nodes, Active: cfg.Active}
		m.Event, m.Arrived = make([]rtl.In[Event], len(h.Interfaces)), make([]rtl.In[bool], len(h.Interfaces))
		m.Word, m.Written = make([]rtl.In[Word], len(h.Interfaces)), make([]rtl.In[bool], len(h.Interfaces))
		holds := [2]*either{{}, {}}
		for k, f := range h.Interfaces {
			rtl.Connect(&f.Events.Read.Out, &m.Event[k])
			rtl.Connect(&f.Events.Read.Valid, &m.Arrived[k])
			rtl.Connect(&f.Words.Read.Out, &m.Word[k])
			rtl.Connect(&f.Words.Read.Valid, &m.Written[k])
			rtl.Connect(&f.Mux.HoldControl, &holds[0].In[k])
			rtl.Connect(&f.Mux.HoldData, &holds[1].In[k])
		}
		rtl.Connect(&h.Tx.Place, &m.Place)
		rtl.Connect(&h.Tx.Placed, &m.Placed)
		tx.Add("merge", m)
		tx.Add("hold_control", holds[0])
		tx.Add("hold_data", holds[1])
		h.Merge = m
		holdControl, holdData = &holds[0].Out, &holds[1].Out
		event, arrived, word, written = &m.FirstEvent, &m.FirstArrived, &m.FirstWord, &m.FirstWritten
	} else {
		holdControl, holdData = &h.Mux.HoldControl, &h.Mux.HoldData
		event, arrived = &h.Events.Read.Out, &h.Events.Read.Valid
		word, written = &h.Words.Read.Out, &h.Words.Read.Valid
	}
	rtl.Connect(holdControl, &h.Tx.HoldControl)
	rtl.Connect(holdData, &h.Tx.HoldData)
	stretch(tx, "event_stages", cfg.stages(3), event, &h.Tx.Event, &h.Memory.Event)
	stretch(tx, "arrived_stages", cfg.stages(3), arrived, &h.Tx.Arrived, &h.Memory.Arrived)
	rtl.Connect(word, &h.Tx.Word, &h.Memory.Word)
	rtl.Connect(written, &h.Tx.Written, &h.Memory.Written)
}
