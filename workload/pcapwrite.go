package workload

import (
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/goldwire/goldwire/internal/output"
)

// WritePcapFile writes frames to the capture at path, which appears whole or not at all. See [WritePcap].
func WritePcapFile(path string, frames []Frame) error {
	return output.Write(path, func(w io.Writer) error { return WritePcap(w, frames) })
}

// WritePcap writes frames as a little-endian nanosecond pcap: 24 bytes of header, then 16 bytes and the frame for
// each. A frame's timestamp is its Time, counted from second 0, so equal frames give equal bytes. It is an error,
// which names the record counted from 1, if there is no frame, or one whose length [ReadPcap] would refuse or whose
// time the format cannot hold: a negative one, or one of 2^32 seconds and more.
func WritePcap(w io.Writer, frames []Frame) error {
	if len(frames) == 0 {
		return errors.New("no frame to write, want at least one")
	}
	out := pcapgo.NewWriterNanos(w)
	if err := out.WriteFileHeader(maxCaptured, layers.LinkTypeEthernet); err != nil {
		return err
	}
	for i, frame := range frames {
		if err := writeRecord(out, frame); err != nil {
			return fmt.Errorf("record %d: %w", i+1, err)
		}
	}
	return nil
}

func writeRecord(out *pcapgo.Writer, frame Frame) error {
	if err := checkLength(len(frame.Bytes)); err != nil {
		return err
	}
	if frame.Time < 0 || frame.Time/int64(time.Second) > math.MaxUint32 {
		return fmt.Errorf("time %d ns, want from 0 to less than 2^32 s", frame.Time)
	}
	return out.WritePacket(gopacket.CaptureInfo{
		Timestamp:     time.Unix(0, frame.Time),
		CaptureLength: len(frame.Bytes),
		Length:        len(frame.Bytes),
	}, frame.Bytes)
}
