// Package study runs P4 programs on dRMT and on RMT, cycle by cycle, and compares every packet with the plain
// interpreter.
//
// [Build] takes a program from its file to both machines: graph, schedule, image. A traffic makes packets that reach
// a program's tables; a [judge] is what a machine's packets go to: it runs the interpreter on the same packets.
package study
