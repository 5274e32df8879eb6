package study

import (
	"bytes"
	"fmt"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// Source is a machine's source of packets.
type Source interface {
	Next() (packet []byte, port uint16, ok bool)
}

// Judge takes what leaves a machine and runs the interpreter on the same packets, which it has from a source of its own.
type Judge struct {
	again  Source
	interp *p4.Interpreter
	next   uint32 // the number of the next packet of again
	whole  []byte

	// Compared packets; Dropped by program, and Refused by the parser, of machine and interpreter alike. Hits counts tables that were hit.
	Compared, Dropped, Refused, Hits uint64
	// Fault is the first difference.
	Fault error
}

// NewJudge returns a judge. Again gives the packets that the machine's source gives, in the same order.
func NewJudge(interp *p4.Interpreter, again Source) *Judge {
	return &Judge{interp: interp, again: again}
}

// Take implements drmt.Sink.
func (j *Judge) Take(number uint32, headers []byte, payload int, port uint16, drop bool) {
	if j.Fault != nil {
		return
	}
	for ; j.next < number; j.next++ { // packets that the machine's parser refused
		packet, in, ok := j.again.Next()
		if !ok {
			j.Fault = fmt.Errorf("packet %d left, but only %d came", number, j.next)
			return
		}
		if out := j.interp.Run(int(in), packet); out.Why == "" {
			j.Fault = fmt.Errorf("packet %d did not leave, the interpreter's parser takes it", j.next)
			return
		}
		j.Refused++
	}
	packet, in, ok := j.again.Next()
	j.next++
	if !ok {
		j.Fault = fmt.Errorf("packet %d left, but only %d came", number, j.next-1)
		return
	}
	out := j.interp.Run(int(in), packet)
	j.Compared++
	for _, s := range out.Trace {
		if s.Hit {
			j.Hits++
		}
	}
	switch {
	case out.Why != "":
		j.Fault = fmt.Errorf("packet %d left, the interpreter refuses it: %s", number, out.Why)
	case out.Dropped != drop:
		j.Fault = fmt.Errorf("packet %d on port %d: the machine drops it: %v, the interpreter: %v", number, in, drop, out.Dropped)
	case drop:
		j.Dropped++
	default:
		j.whole = append(append(j.whole[:0], headers...), packet[payload:]...)
		if int(port) != out.Port || !bytes.Equal(j.whole, out.Packet) {
			j.Fault = fmt.Errorf("packet %d on port %d (%x): the machine sends %x to port %d, the interpreter %x to port %d", number, in, packet, j.whole, port, out.Packet, out.Port)
		}
	}
}

// Rest accounts for packets after the last one that left: the parser must have refused them.
func (j *Judge) Rest() error {
	for j.Fault == nil {
		packet, in, ok := j.again.Next()
		if !ok {
			break
		}
		if out := j.interp.Run(int(in), packet); out.Why == "" {
			j.Fault = fmt.Errorf("packet %d did not leave", j.next)
		}
		j.next++
		j.Refused++
	}
	return j.Fault
}
