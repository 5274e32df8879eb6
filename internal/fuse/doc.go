// Package fuse writes fused code: Go code, made of the modules' own source, that stands in for the modules of an
// island.
//
// Two modules that read each other, top.count and top.double:
//
//	type Mixer struct {                     type Doubler struct {
//		In  rtl.In[uint64]                      In  rtl.In[uint64]
//		Out rtl.Out[uint64]                     Out rtl.Out[uint64]
//
//		n uint64                            }
//	}
//	func (c *Mixer) Tick() {                func (d *Doubler) Tick() {
//		c.n++                                   d.Out.Set(d.In.Get() << 1)
//		c.Out.Set(c.n ^ c.In.Get())         }
//	}
//
// and the function for both, which runs a number of edges:
//
//	func (f *fusedPair) run(edges int, watch *fused.Watch) {
//		registers0 := f.registers0
//		for range edges {
//			doubleOutOld := registers0.doubleOut
//			{ // top.double
//				registers0.doubleOut = registers0.countOut << 1
//			}
//			{ // top.count
//				c := &f.count
//				m := c.m
//				m.n++
//				registers0.countOut = m.n ^ doubleOutOld
//			}
//			watch.Observe()
//		}
//	}
//
// registers0 is the part of the kernel's memory where the two registers lie beside each other. The double is set in
// place before the count reads it, so a local variable keeps its old value. f.count is the twin of a module: a pointer
// m to the module, for its private fields, and pointers to the values of ports that do not lie in registers0. The whole
// file is testdata/pair.golden.
//
// # How a register is set
//
// The kernel keeps two values of a register: cur, which everybody reads, and next, which Set writes. A commit copies
// next to cur. In fused code:
//
//   - If all readers tick before the register's module, Tick writes cur: the register is set in place.
//   - If only code of the same function still reads it, Tick writes cur, and a local variable keeps the old value for
//     these readers.
//   - Else Tick writes next, and a commit after all ticks of the instant copies it: the register is set aside.
//   - A register that is set aside only for modules of other clocks is set in place if these clocks never have an edge
//     together with its own. The kernel finds that out when it runs: the code is right for any phases.
//
// # Generated code
//
// An island of one clock gets one function for a run of edges. An island of several clocks gets functions for each
// clock, which the kernel calls at the instants at which the clock has an edge. Scopes that have like modules at like
// places, as the lanes of a link, share their functions. Delays stay the kernel's: the code asks it to read before all
// ticks of an instant, and to give values after them.
//
// The code belongs to the island's [fused.Shape]: types, connections, constants, the order of Combs. Every simulation
// of the same shape gets it, unless a run is observed whole, in strict mode, or asked to be plain. A design declares
// its simulations to fuse (design.Design.Fused), and designtest.CheckFused fails when a module has changed since.
//
// # Refusals
//
// A module is refused, by name and with the reason (see [Refusal]), if its Tick or Comb has to do with another module,
// uses ports in a function that is no method of its own, or sets a package's variable. A module that is only not
// understood (closures, labels, a receiver that is a copy) stays a module, which the code calls; the island is refused
// if none is understood. Functions in a field whose tag `ports:"none"` promises that they look at no port are called.
// Other function values and methods of interfaces are called too, but the kernel searches the module's fields before
// each run: if they lead to a port that is not the module's own, or to a function, the modules run.
//
// Three things cannot be seen. Modules that share what a pointer, a slice or a map leads to depend on the order of
// their ticks; the rules of modules forbid it, and strict mode's order shows it. A function that a module calls unseen
// may get at a port by a package's variable of its own; the rules forbid that too. A program that was built with
// changed modules and old code runs the old code: run goldwire fuse after each change, or with --check. Where modules
// have changed so that the old code does not compile with them, the command does not build either: delete the file that
// the compiler names, build, and run goldwire fuse.
package fuse
