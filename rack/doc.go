// Package rack sends one list of messages through every fabric: EDM, Shoal, Ethernet with the buffer managers that
// SPFC compares, and the packet networks of package packetnet. All have links of the same rate and the same cable, so
// that their completion times can stand beside each other.
//
//	goldwire run rack compare --fabrics edm,shoal,spfc,dctcp --loads 0.1,0.3,0.5
//
// The designs do not know each other; this package stands above them. README.md says what each fabric's model leaves
// out.
package rack
