// Package drmt is dRMT as hardware: match-action processors that run packets to completion, memory clusters, and the
// crossbars between them (Chole et al., SIGCOMM 2017). RMT, its rival, is built from the same boxes.
//
// Each box of the paper's Figure 9 is a part in a file of its own, and a [Processor] is the module that owns one of
// each:
//
//	headervector.go    packet header vectors: 64 x 8, 96 x 16, 64 x 32 bits
//	keyconfig.go       central key configuration, distributed just in time
//	keygen.go          eight 80-bit key segments
//	scratchpad.go      64 results that wait
//	predicates.go      which branch a packet took
//	threads.go         thread scheduling table
//	vliw.go            instruction memory and 8:1 selects
//	selector.go        action input selector
//	alu.go             32 ALUs of 32 bits
//	outputcrossbar.go  32 to 224
//
// A [Cluster] has tables laid out in RMT's memory blocks. An [Image] is what a compiler loads into a machine: package
// compile makes it from a program and its schedule. A [Switch] is the machine: ingress, processors, clusters,
// crossbars, egress; a [Pipeline] is RMT's.
//
// # Time
//
// A packet's header vector enters its processor at cycle 0 of the packet. An operation that the schedule starts at
// cycle t is done at edge t of the packet:
//
//	match   t       key generation reads the header vector; the key leaves
//	        t+1,2   crossbar
//	        t+3..19 the cluster, 17 cycles: with key generation the 18 of an RMT stage
//	        t+20,21 crossbar
//	        t+22    actions can use the result; a result that is not used at once goes to the scratch pad
//	action  t       instructions are fetched with the pointers, results are read from lanes or scratch pad
//	        t+1     operands are selected, the ALUs compute, the header vector is written
//	        t+2     operations see what was written
//
// So the match latency is 22 and the action latency 2 (Table 1), and a schedule of length T ends at edge T.
//
// # Where the paper is silent
//
// Both branches of a condition are run and "side effects committed afterwards" (§3.1): here each packet has predicate
// bits, an instruction has a guard, and an ALU's output is written if its guard is set in that cycle. Results wait with
// their instruction pointers, so an entry of the scratch pad has 106 bits rather than 96. An action's parameters and a
// condition's constants are in the instruction.
package drmt
