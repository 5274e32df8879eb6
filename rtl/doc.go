// Package rtl is the kernel: it runs hardware modules written as Go structs, clock edge by clock edge.
//
// A [Module] is a pointer to a struct with a Tick method; one call is one rising edge of its clock. Its ports are
// fields:
//
//   - [Out] is a register. Set during a tick becomes visible after the edge; until then everybody reads the old value.
//   - [In] reads an Out or a Wire of the same clock.
//   - [Wire] is a combinational output, driven in the optional Comb method ([Comber]).
//   - [Async] is the one input that may read a register of another clock; only synchronisers and asynchronous FIFOs
//     have one.
//
// All other fields are the module's own registers and memories. It updates them in place and nobody else reads them:
// this is the one rule the author of a module has to keep, and the reason why the order in which modules tick cannot
// matter. A private field with a `bits:"n"` tag is a probe: it is traced with the ports.
//
// A signal's Go type is a plain value: bool, sized unsigned integers, and arrays and structs of them, with `bits:"n"`
// tags on the fields that are narrower than their Go type. The type is the one declaration from which waveforms,
// vectors and Verilog ports are made.
//
// A [Delay] is a module that the kernel moves itself: pipeline stages and wires that only take time.
//
// Modules are added to scopes, connected, elaborated, run:
//
//	sim := rtl.New(rtl.Config{})
//	clk := sim.Clock("core", clock.MHz(390.625))
//	tx := sim.Scope("tx").On(clk)
//	tx.Add("encoder", &enc)
//	tx.Add("scrambler", &scr)
//	rtl.Connect(&enc.Out, &scr.In)
//	if err := sim.Elaborate(); err != nil { … } // every fault at once, with full paths
//	err := clk.Run(1000)
//
// # Rules of a module
//
//   - It touches its ports and its own private fields only: no other module, no package variable, no random source that
//     another module draws from.
//   - Tick is one rising edge: it reads inputs, sets Outs, changes private fields.
//   - Comb drives every Wire of the module in every call, from inputs and registers, and changes nothing else. It may
//     be called more than once an edge.
//   - A `comb:"Valid,Data"` tag on a Wire names the inputs that it depends on, `comb:"none"` says that it follows from
//     registers alone.
//   - A register of another clock is read through an [Async], in a synchroniser or an asynchronous FIFO of package
//     blocks.
//   - Nothing is allocated in a cycle, and no wall clock or order of a map decides a bit.
//
// # Streams
//
// A stream carries beats from a producer to a consumer of the same clock. [Producer] and [Consumer] name the ports of
// the two sides, [ConnectStream] joins them. The rules:
//
//   - A beat is offered in a cycle in which its own valid bit is set. It is taken at the edge that ends a cycle in
//     which it is offered and ready is set.
//   - The producer drives the beat. It offers without waiting for ready, and once a beat is offered, valid bit and
//     payload stand unchanged until the beat is taken. In a cycle without an offer the payload means nothing and may
//     change.
//   - The consumer drives ready. It may raise it and drop it in any cycle, whether a beat is offered or not.
//   - Ready may depend combinationally on the beat. The beat never depends combinationally on ready: it is an Out, a
//     register, so that no connection of streams alone closes a circle of wires.
//
// The port types keep the last rule. The monitor and the unit tests of package tb check that an offered beat stands.
//
// # Time
//
// Edge n of a clock (n = 1, 2, …) is at phase + n periods. At one instant, for all clocks that have an edge then, all
// Ticks run, then all commits, then all Combs. Before its first edge every output holds what the module's Reset drove,
// or zero if the module has no Reset.
//
// # Modes
//
// [Fast] runs the modules one after another, or, if there are islands of them ([Sim.Islands]), each island for a window
// of edges. Islands meet only through long delays, or, in a large design, where data goes one way only. An island for
// which there is generated code runs that: see package fused. [Strict] runs the modules edge by edge in a random order
// drawn from the seed and also reports values wider than their declaration, reads of outputs never driven, Wires a Comb
// leaves undriven (a latch), and Combs that are not pure. [Parallel] spreads islands, or the modules of an edge, over
// workers. All three give the same bits.
//
// # Checkpoints
//
// [Sim.Save] writes the state of a simulation between two instants, [Sim.Restore] reads it into one that was built
// alike, in whatever mode. State lies in fields: a func field is refused unless its tag `state:"none"` says that the
// function captures nothing that changes.
package rtl
