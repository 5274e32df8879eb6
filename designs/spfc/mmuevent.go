package spfc

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
)

// MMUEvent is a packet that a buffer manager takes in or lets go, with its answer.
type MMUEvent struct {
	Time          Time
	Switch        string
	Dequeue       bool
	In, Prio, Out int
	Bytes         int64
	Answer        MMUAnswer
	Answered      bool // of a file: it has the columns of the answer
}

// MMUAnswer is a manager's answer to an event: whether the packet is accepted (a dequeued one always is), whether it is
// marked, whether a PAUSE, or at a dequeue a RESUME, goes to the sender, and the bytes that the memory has then.
type MMUAnswer struct {
	Accepted, Mark, Signal bool
	Stored                 int64
}

// mostMMUEvents bounds the events that a record keeps and that a file may have.
const mostMMUEvents = 1 << 20

// MMURecord keeps the events of all switches of a fabric.
type MMURecord struct {
	Events []MMUEvent
	Missed int // beyond the first 2^20
}

// RecordMMU keeps the events of all buffer managers from now on.
func (f *Fabric) RecordMMU() *MMURecord {
	r := &MMURecord{}
	for i, s := range f.Switches {
		s.record = func(e MMUEvent) {
			if len(r.Events) == mostMMUEvents {
				r.Missed++
				return
			}
			e.Switch = f.Topology.Names[i]
			r.Events = append(r.Events, e)
		}
	}
	return r
}

// mmuColumns are a file's columns; the last four, the answer, may be missing.
var mmuColumns = []string{
	"time_ps", "switch", "event", "in", "prio", "out", "bytes", "accepted", "mark", "signal", "stored",
}

const mmuQuestion = 7 // columns before the answer

// WriteMMUEvents writes events as CSV, a switch's in its own order.
func WriteMMUEvents(w io.Writer, events []MMUEvent) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, strings.Join(mmuColumns, ","))
	bit := func(x bool) int {
		if x {
			return 1
		}
		return 0
	}
	for _, e := range events {
		name, a := "enqueue", e.Answer
		if e.Dequeue {
			name = "dequeue"
		}
		fmt.Fprintf(b, "%d,%s,%s,%d,%d,%d,%d,%d,%d,%d,%d\n", e.Time, e.Switch, name, e.In, e.Prio, e.Out, e.Bytes,
			bit(a.Accepted), bit(a.Mark), bit(a.Signal), a.Stored)
	}
	return b.Flush()
}

// ReadMMUEvents reads events from CSV with a line of names: time_ps, switch, event (enqueue or dequeue), in, prio, out,
// bytes, and, if the manager's answers are to be compared, accepted, mark, signal (each 0 or 1) and stored.
func ReadMMUEvents(file string, r io.Reader) (events []MMUEvent, err error) {
	defer func() { err = input.OneLine(err) }()
	in := csv.NewReader(r)
	in.ReuseRecord = true
	names, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: line 1: expected the columns %s", file, strings.Join(mmuColumns[:mmuQuestion], ","))
	}
	answered := len(names) == len(mmuColumns)
	if !slices.Equal(names, mmuColumns) && !slices.Equal(names, mmuColumns[:mmuQuestion]) {
		return nil, fmt.Errorf(
			"%s: line 1: columns %.80q, expected %s, and for answers %s", file, strings.Join(names, ","),
			strings.Join(mmuColumns[:mmuQuestion], ","), strings.Join(mmuColumns[mmuQuestion:], ","),
		)
	}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return events, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		line, _ := in.FieldPos(0)
		e, err := mmuEvent(row, answered)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", file, line, err)
		}
		if len(events) == mostMMUEvents {
			return nil, fmt.Errorf("%s: line %d: more than %d events", file, line, mostMMUEvents)
		}
		events = append(events, e)
	}
}

func mmuEvent(row []string, answered bool) (e MMUEvent, err error) {
	number := func(column int, most int64) (v int64) {
		v, wrong := strconv.ParseInt(row[column], 10, 64)
		if err == nil && (wrong != nil || v < 0 || v > most) {
			err = fmt.Errorf("%s %.40q, expected 0 to %d", mmuColumns[column], row[column], most)
		}
		return v
	}
	e = MMUEvent{
		Time: Time(number(0, int64(lastTime))), Switch: strings.Clone(row[1]), Dequeue: row[2] == "dequeue",
		In: int(number(3, maxPorts-1)), Prio: int(number(4, Priorities-1)), Out: int(number(5, maxPorts-1)),
		Bytes: number(6, 1<<16), Answered: answered,
	}
	if answered {
		e.Answer = MMUAnswer{number(7, 1) == 1, number(8, 1) == 1, number(9, 1) == 1, number(10, 1<<50)}
	}
	switch {
	case err != nil:
	case row[2] != "enqueue" && row[2] != "dequeue":
		err = fmt.Errorf("event %.40q, expected enqueue or dequeue", row[2])
	case e.Bytes == 0:
		err = errors.New("bytes 0, expected 1 or more")
	}
	return e, err
}

// MMUPlayer gives events to a switch's buffer manager.
type MMUPlayer struct {
	mmu    *Manager
	now    Time
	stored map[[3]int]int64 // by ingress port, priority and egress port
}

// NewMMUPlayer plays on a switch that no network runs.
func NewMMUPlayer(s *Switch) *MMUPlayer {
	return &MMUPlayer{mmu: s.mmu, stored: map[[3]int]int64{}}
}

// Play returns the manager's answer to an event. It is an error if time goes back, if there is no such port, or if a
// packet leaves that is not there.
func (p *MMUPlayer) Play(e MMUEvent) (a MMUAnswer, err error) {
	way := [3]int{e.In, e.Prio, e.Out}
	ports := len(p.mmu.cfg.Ports)
	switch {
	case e.Time < p.now:
		return a, fmt.Errorf("time %d ps, after one at %d", e.Time, p.now)
	case e.In >= ports || e.Out >= ports:
		return a, fmt.Errorf("from port %d to port %d, the switch has %d ports", e.In, e.Out, ports)
	case e.Dequeue && p.stored[way] < e.Bytes:
		return a, fmt.Errorf(
			"%d bytes leave from port %d to port %d in priority %d, where %d bytes are stored", e.Bytes, e.In, e.Out,
			e.Prio, p.stored[way],
		)
	}
	p.now = e.Time
	if e.Dequeue {
		p.stored[way] -= e.Bytes
		a.Accepted = true
		a.Signal, a.Mark = p.mmu.Dequeue(e.Time, e.In, e.Prio, e.Out, e.Bytes)
	} else if a.Accepted, a.Signal = p.mmu.Enqueue(e.Time, e.In, e.Prio, e.Out, e.Bytes); a.Accepted {
		p.stored[way] += e.Bytes
		a.Mark = p.mmu.Arrived(e.Prio, e.Out, e.Bytes)
	}
	a.Stored = p.mmu.Stored()
	return a, p.mmu.broken(e.In, e.Prio, e.Out)
}
