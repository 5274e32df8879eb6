package workload

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// PortFrame is a frame at one of several interfaces.
type PortFrame struct {
	Interface int
	Frame
}

// WritePcapng writes frames as pcapng (draft-ietf-opsawg-pcapng): an interface for each name, with times in
// nanoseconds from 0. The frames are to be in the order of their times.
func WritePcapng(w io.Writer, interfaces []string, frames []PortFrame) error {
	if len(interfaces) == 0 {
		return errors.New("no interface to write, want at least one")
	}
	face := func(name string) pcapgo.NgInterface {
		return pcapgo.NgInterface{Name: name, LinkType: layers.LinkTypeEthernet, TimestampResolution: 9}
	}
	g, err := pcapgo.NewNgWriterInterface(
		w, face(interfaces[0]), pcapgo.NgWriterOptions{SectionInfo: pcapgo.NgSectionInfo{Application: "goldwire"}},
	)
	if err != nil {
		return err
	}
	for _, name := range interfaces[1:] {
		if _, err := g.AddInterface(face(name)); err != nil {
			return err
		}
	}
	for i, x := range frames {
		info := gopacket.CaptureInfo{
			Timestamp: time.Unix(0, x.Time).UTC(), CaptureLength: len(x.Bytes), Length: len(x.Bytes),
			InterfaceIndex: x.Interface,
		}
		if err := g.WritePacket(info, x.Bytes); err != nil {
			return fmt.Errorf("record %d: %w", i+1, err)
		}
	}
	return g.Flush()
}
