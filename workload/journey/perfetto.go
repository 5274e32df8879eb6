package journey

import (
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// Fields of Perfetto's messages: protos/perfetto/trace in its sources, v50.
const (
	tracePacket = 1 // of Trace

	packetTimestamp  = 8 // of TracePacket
	packetSequence   = 10
	packetTrackEvent = 11
	packetDescriptor = 60

	descriptorUUID    = 1 // of TrackDescriptor
	descriptorName    = 2
	descriptorProcess = 3
	descriptorParent  = 5

	processPID  = 1 // of ProcessDescriptor
	processName = 6

	eventAnnotation = 4 // of TrackEvent
	eventType       = 9
	eventTrack      = 11
	eventCategory   = 22
	eventName       = 23

	annotationText = 6 // of DebugAnnotation
	annotationName = 10

	sliceBegin = 1 // TrackEvent.Type
	sliceEnd   = 2
)

// WritePerfetto writes the log as a trace of Perfetto: a track a journey, a slice a stage. Its clock counts
// nanoseconds, and the edges of fast links are fractions of them: so a tick is a picosecond, and what Perfetto shows
// as 1 ns is 1 ps, 1 µs is 1 ns. The name of the process says so.
func (l *Log) WritePerfetto(w io.Writer) error {
	const process, sequence = 1, 1
	var trace []byte
	emit := func(packet []byte) {
		packet = number(packet, packetSequence, sequence)
		trace = message(trace, tracePacket, packet)
	}
	name := l.Title + " (1 ns shown is 1 ps)"
	descriptor := number(nil, descriptorUUID, process)
	descriptor = text(descriptor, descriptorName, name)
	descriptor = message(descriptor, descriptorProcess, text(number(nil, processPID, 1), processName, name))
	emit(message(nil, packetDescriptor, descriptor))
	for i, j := range l.Journeys {
		track := uint64(i) + process + 1
		d := number(nil, descriptorUUID, track)
		d = text(d, descriptorName, j.Name)
		emit(message(nil, packetDescriptor, number(d, descriptorParent, process)))
		for _, s := range j.Stages {
			from, to := picoseconds(s.From), picoseconds(s.To)
			if !from.IsUint64() || !to.IsUint64() {
				return fmt.Errorf("%s: %v is not in the range of a trace", j.Name, s.To)
			}
			begin := message(nil, eventAnnotation, text(text(nil, annotationText, cyclesOf(s.Time(), l.Cycle)), annotationName,
				"cycles"))
			begin = number(begin, eventType, sliceBegin)
			begin = number(begin, eventTrack, track)
			begin = text(begin, eventCategory, s.Place)
			begin = text(begin, eventName, s.Name())
			emit(message(number(nil, packetTimestamp, from.Uint64()), packetTrackEvent, begin))
			end := number(number(nil, eventType, sliceEnd), eventTrack, track)
			emit(message(number(nil, packetTimestamp, to.Uint64()), packetTrackEvent, end))
		}
	}
	_, err := w.Write(trace)
	return err
}

func number(b []byte, field protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
}

func text(b []byte, field protowire.Number, s string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, field, protowire.BytesType), s)
}

func message(b []byte, field protowire.Number, m []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), m)
}
