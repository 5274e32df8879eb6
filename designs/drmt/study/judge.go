package study

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// Source is a machine's source of packets.
type Source interface {
	Next() (packet []byte, port uint16, ok bool)
}

// judge takes the packets that leave a machine and runs the interpreter on the same packets, which it has from a source
// of its own.
type judge struct {
	again  Source
	interp *p4.Interpreter
	next   uint32 // the number of the next packet of again
	// times are when the next packets came, in microseconds. A machine whose program asks for no time tells none.
	times []uint32
	// overtaking lets packets leave before others, which run again: those wait here.
	overtaking bool
	overtaken  []packet
	// copies says that a packet may leave several times. Expected are the packets that the interpreter sends and that
	// have not left; overtaken are the packets that they came as.
	copies   bool
	expected []packet
	noError  uint64
	whole    []byte
	keep     *kept         `state:"none"` // of a run
	cycle    func() uint64 `state:"none"` // as built

	// Compared packets; Dropped by the program, of machine and interpreter alike. Short ended the parser with an error.
	// Hits counts tables that were hit.
	Compared, Dropped, Short, Hits uint64
	// Fault is the first difference.
	Fault error
}

// NewJudge returns a judge. Again gives the packets that the machine's source gives, in the same order; noError is the
// number of the parser's error that is none.
func NewJudge(interp *p4.Interpreter, again Source, noError uint64) *judge {
	return &judge{interp: interp, again: again, noError: noError}
}

// Came implements drmt.TimestampSink.
func (j *judge) Came(microseconds uint32) { j.times = append(j.times, microseconds) }

// arrival returns the next packet, and when it came.
func (j *judge) arrival() (x packet, ok bool) {
	x.number = j.next
	x.data, x.port, ok = j.again.Next()
	if j.next++; ok && len(j.times) > 0 {
		x.came = j.times[0]
		j.times = append(j.times[:0], j.times[1:]...)
	}
	return x, ok
}

// Take implements drmt.Sink.
func (j *judge) Take(p drmt.Leaving) {
	if j.Fault != nil {
		return
	}
	if j.copies {
		j.Fault = j.takeCopy(&p)
		return
	}
	x, err := j.came(p.Number)
	if err != nil {
		j.Fault = err
		return
	}
	frame, in := x.data, x.port
	if j.keep != nil {
		j.note(&p, in, frame)
	}
	out := j.run(&x)
	switch {
	case out.Err != nil:
		j.Fault = fmt.Errorf("packet %d: %w", p.Number, out.Err)
	case len(out.Sent) > 1:
		j.Fault = fmt.Errorf("packet %d leaves the interpreter %d times", p.Number, len(out.Sent))
	case out.Dropped != p.Drop:
		j.Fault = fmt.Errorf(
			"packet %d on port %d: the machine drops it: %v, the interpreter: %v", p.Number, in, p.Drop, out.Dropped,
		)
	case p.Drop:
		j.Dropped++
	default:
		j.whole = p.Append(j.whole[:0], frame)
		if int(p.Port) != out.Port || !bytes.Equal(j.whole, out.Packet) {
			j.Fault = fmt.Errorf(
				"packet %d on port %d (%x): the machine sends %x to port %d, the interpreter %x to port %d", p.Number, in,
				frame, j.whole, p.Port, out.Packet, out.Port,
			)
		}
	}
}

// takeCopy takes a packet of a machine that makes copies. The interpreter runs in the order of arrival; a packet's
// copies may leave in any order, but none more and none less.
func (j *judge) takeCopy(p *drmt.Leaving) error {
	for j.next <= p.Number {
		if err := j.advance(); err != nil {
			return err
		}
	}
	if p.Drop {
		return nil
	}
	i := slices.IndexFunc(j.overtaken, func(x packet) bool { return x.number == p.Number })
	if i < 0 {
		return fmt.Errorf("packet %d leaves by port %d once more than in the interpreter", p.Number, p.Port)
	}
	came := &j.overtaken[i]
	j.whole = p.Append(j.whole[:0], came.data)
	k := slices.IndexFunc(j.expected, func(x packet) bool {
		return x.number == p.Number && x.port == p.Port && bytes.Equal(x.data, j.whole)
	})
	if k < 0 {
		return fmt.Errorf(
			"packet %d on port %d (%x): the machine sends %x to port %d, the interpreter does not", p.Number, came.port,
			came.data, j.whole, p.Port,
		)
	}
	j.expected = slices.Delete(j.expected, k, k+1)
	if j.keep != nil {
		j.keep.left = append(j.keep.left, packet{
			number: p.Number, port: p.Port, time: j.now(), data: bytes.Clone(j.whole),
		})
	}
	if !slices.ContainsFunc(j.expected, func(x packet) bool { return x.number == p.Number }) {
		j.overtaken = slices.Delete(j.overtaken, i, i+1)
	}
	return nil
}

// advance runs the interpreter on the next packet that came.
func (j *judge) advance() error {
	came, ok := j.arrival()
	number := came.number
	if !ok {
		return fmt.Errorf("packet %d left, but only %d came", number, number)
	}
	out := j.run(&came)
	if out.Err != nil {
		return fmt.Errorf("packet %d: %w", number, out.Err)
	}
	came.data = bytes.Clone(came.data)
	if j.keep != nil {
		j.keep.came = append(j.keep.came, came)
	}
	if out.Dropped {
		j.Dropped++
		return nil
	}
	j.overtaken = append(j.overtaken, came)
	for _, s := range out.Sent {
		j.expected = append(j.expected, packet{number: number, port: uint16(s.Port), data: bytes.Clone(s.Packet)})
	}
	return nil
}

// run runs the interpreter on a packet, and counts it.
func (j *judge) run(x *packet) p4.Output {
	j.interp.SetTime(uint64(x.came))
	out := j.interp.Run(int(x.port), x.data)
	j.Compared++
	if out.ParserError != j.noError {
		j.Short++
	}
	for _, s := range out.Trace {
		if s.Hit {
			j.Hits++
		}
	}
	return out
}

// done tells whether a number of packets have left.
func (j *judge) done(packets int) bool { return j.Compared >= uint64(packets) && len(j.expected) == 0 }

// came returns the packet of a number.
func (j *judge) came(number uint32) (packet, error) {
	if number < j.next && j.overtaking {
		if i := slices.IndexFunc(j.overtaken, func(x packet) bool { return x.number == number }); i >= 0 {
			x := j.overtaken[i]
			j.overtaken = slices.Delete(j.overtaken, i, i+1)
			return x, nil
		}
	}
	if number < j.next || number > j.next && !j.overtaking {
		return packet{}, fmt.Errorf("packet %d left before packet %d", number, j.next)
	}
	for {
		x, ok := j.arrival()
		switch {
		case !ok:
			return packet{}, fmt.Errorf("packet %d left, but only %d came", number, j.next-1)
		case number < j.next:
			return x, nil
		}
		x.data = slices.Clone(x.data)
		j.overtaken = append(j.overtaken, x)
	}
}

// note keeps a packet that came and left. Its time is the cycle in which it left, at 1.2 GHz.
func (j *judge) note(p *drmt.Leaving, in uint16, came []byte) {
	j.keep.came = append(j.keep.came, packet{number: p.Number, port: in, data: append([]byte{}, came...)})
	if p.Drop {
		return
	}
	j.keep.left = append(j.keep.left, packet{number: p.Number, port: p.Port, time: j.now(), data: p.Append(nil, came)})
}

func (j *judge) now() int64 { return nanoseconds(j.cycle()) }

// nanoseconds is the time of a cycle of the chip's clock.
func nanoseconds(cycle uint64) int64 { return int64(cycle * 1000 / drmt.CyclesPerMicrosecond) }

// rest returns the fault, of which one is that a packet did not leave.
func (j *judge) rest() error {
	if j.Fault == nil && len(j.expected) > 0 {
		x := &j.expected[0]
		j.Fault = fmt.Errorf("packet %d did not leave by port %d: the interpreter sends %x there", x.number, x.port, x.data)
	}
	if j.Fault == nil && len(j.overtaken) > 0 {
		j.Fault = fmt.Errorf("packet %d did not leave: it runs again and again", j.overtaken[0].number)
	}
	if j.Fault == nil {
		if _, _, ok := j.again.Next(); ok {
			j.Fault = fmt.Errorf("packet %d did not leave", j.next)
		}
	}
	return j.Fault
}
