// Package rack sends one list of messages through every fabric: EDM, Shoal, Ethernet with the buffer managers that
// SPFC compares, and the packet networks of package packetnet. All have links of the same rate and the same cable, so
// that their completion times can stand beside each other.
//
//	goldwire run rack compare --fabrics edm,shoal,spfc,dctcp --loads 0.1,0.3,0.5
//
// A fabric is an adapter of a model (fabrics.go), the workload a list of messages (workload.go). compare.go and
// report.go are the experiment compare, journey.go is one message's way, lone.go the time of a message alone. line.go
// has links with bit errors and of RIFL lanes, forwarding.go a P4 program in the switch, lanes.go EDM's blocks over
// RIFL bit by bit.
//
// The designs do not know each other; this package stands above them. README.md says what each fabric's model leaves
// out.
package rack
