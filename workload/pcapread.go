package workload

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/goldwire/goldwire/internal/input"
)

// The first four bytes of a capture, read as a little-endian word. A classic pcap shows its magic number swapped when
// its byte order is big-endian (draft-ietf-opsawg-pcap); a pcapng starts with a section header block, whose type is a
// palindrome so that it reads the same in both orders (draft-ietf-opsawg-pcapng).
const (
	magicMicros        = 0xa1b2c3d4
	magicMicrosSwapped = 0xd4c3b2a1
	magicNanos         = 0xa1b23c4d
	magicNanosSwapped  = 0x4d3cb2a1
	magicPcapng        = 0x0a0d0d0a

	gzipMagic = "\x1f\x8b"
)

const (
	magicLen         = 4  // bytes of the magic number of either format
	pcapHeaderLen    = 24 // bytes of a classic pcap's file header
	pcapLinkTypeAt   = 20 // byte of that header at which the link type word starts
	pcapLinkTypeBits = 0xffff
	maxDecimalDigits = 9 // digits after the second that a time in nanoseconds holds
)

// FCSCheck is the treatment of the FCS that a captured frame carries.
type FCSCheck bool

// The two ways. RemoveFCS takes an FCS off without a look. CheckFCS takes it off too, and refuses a capture with a
// frame whose FCS does not fit its bytes, or that carries none.
const (
	RemoveFCS FCSCheck = false
	CheckFCS  FCSCheck = true
)

// ReadPcapFile reads all frames of the capture at path, in the file's order. See [ReadPcap].
func ReadPcapFile(path string, fcs FCSCheck) ([]Frame, error) {
	file, err := input.Open(path, input.MostCapture)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadPcap(file, path, fcs)
}

// ReadPcap reads all frames of a capture, in its order: classic pcap in both byte orders with micro- or nanoseconds,
// or pcapng. The name stands for the capture in errors. Memory use is bounded by the capture's size, whatever lengths
// it claims.
//
// A capture is refused unless it gives every frame whole and at an exact time: it is an error if it is neither format,
// is truncated, holds no frame, holds another link type than Ethernet, cuts a frame short, or holds a record of pcapng
// with a timestamp that is no whole number of nanoseconds. A record without one (a simple packet block) has the time of
// the record before. A capture packed by gzip is unpacked; errors count its unpacked bytes.
//
// Where the capture says that its frames carry their FCS of 4 bytes (link type word of a pcap, if_fcslen or epb_flags
// of a pcapng), the FCS is taken off. With [RemoveFCS] a frame whose FCS was wrong is a frame like the others.
//
// An error is one line with the name, the record, counted from 1, and the byte, counted from 0, at which the record
// starts; in a pcapng, where the record before it or, for the first, the section header ended.
func ReadPcap(r io.Reader, name string, fcs FCSCheck) ([]Frame, error) {
	r, err := unpacked(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	counted := &countingReader{r: r}
	// pcapgo reads from a *bufio.Reader directly instead of wrapping it, so the counted bytes less the buffered ones are
	// the place in the capture.
	buffered := bufio.NewReader(counted)
	position := func() int64 { return counted.n - int64(buffered.Buffered()) }

	source, err := openPcap(buffered, counted)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}

	var frames []Frame
	var first, last time.Time // of the records that have one
	for {
		start := position()
		data, info, fcsBytes, err := source.next(position)
		if err == io.EOF && info.CaptureLength == 0 { // with a length it is the data that is missing
			break
		}
		err = checkRecord(source.ng, info, fcsBytes, err, position())
		if err == nil && fcs == CheckFCS {
			err = compareFCS(data, fcsBytes)
		}
		if first.IsZero() {
			first = info.Timestamp
		}
		if !info.Timestamp.IsZero() {
			last = info.Timestamp
		}
		elapsed := last.Sub(first)
		if err == nil && (elapsed == math.MaxInt64 || elapsed == math.MinInt64) { // Sub saturates
			err = fmt.Errorf("timestamp %v, want one within 292 years of the first", info.Timestamp)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: record %d at byte %d: %w", name, len(frames)+1, start, err)
		}
		frames = append(frames, Frame{Bytes: data[:len(data)-fcsBytes], Time: int64(elapsed)})
	}
	if len(frames) == 0 {
		return nil, fmt.Errorf("%s: byte %d: the capture ends, want at least one frame", name, position())
	}
	return frames, nil
}

// unpacked reads through gzip if the capture begins as its files do.
func unpacked(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	if magic, _ := buffered.Peek(len(gzipMagic)); string(magic) != gzipMagic {
		return buffered, nil
	}
	plain, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	return input.Bound(plain, input.MostCapture), nil
}

// capture is an open file of either format.
type capture struct {
	pcap *pcapgo.Reader
	fcs  int // bytes at the end of each frame of a pcap

	ng    *pcapgo.NgReader // nil for a pcap
	ngFCS *ngFCS
}

// next reads a record: what pcapgo makes of it, and how many bytes of FCS are at its end.
func (c *capture) next(position func() int64) (data []byte, info gopacket.CaptureInfo, fcs int, err error) {
	if c.ng == nil {
		data, info, err = c.pcap.ReadPacketData()
		return data, info, c.fcs, err
	}
	data, info, options, err := c.ng.ReadPacketDataWithOptions()
	if err == nil && info.CaptureLength == info.Length {
		fcs, err = c.ngFCS.of(info.InterfaceIndex, options.Flags, position())
	}
	return data, info, fcs, err
}

// openPcap recognises the format and checks the headers before the first record.
func openPcap(buffered *bufio.Reader, counted *countingReader) (*capture, error) {
	magic, err := buffered.Peek(magicLen)
	if err != nil {
		return nil, headerError(err, len(magic), magicLen)
	}
	var order binary.ByteOrder
	switch word := binary.LittleEndian.Uint32(magic); word {
	case magicMicros, magicNanos:
		order = binary.LittleEndian
	case magicMicrosSwapped, magicNanosSwapped:
		order = binary.BigEndian
	case magicPcapng:
		// An interface of another link type is only wrong if it has a record: those are checked one by one.
		c := &capture{ngFCS: &ngFCS{}}
		counted.also = c.ngFCS
		ahead, _ := buffered.Peek(buffered.Buffered())
		c.ngFCS.follow(ahead)
		if c.ng, err = pcapgo.NewNgReader(buffered, pcapgo.NgReaderOptions{WantMixedLinkType: true}); err != nil {
			return nil, fmt.Errorf("byte 0: want a pcapng section header: %w", err)
		}
		return c, nil
	default:
		return nil, fmt.Errorf("byte 0: magic number % x, want a pcap or pcapng file", magic)
	}

	header, err := buffered.Peek(pcapHeaderLen)
	if err != nil {
		return nil, headerError(err, len(header), pcapHeaderLen)
	}
	link := order.Uint32(header[pcapLinkTypeAt:])
	if err := checkLinkType(layers.LinkType(link & pcapLinkTypeBits)); err != nil {
		return nil, fmt.Errorf("byte %d: %w", pcapLinkTypeAt, err)
	}
	c := &capture{}
	if c.fcs, err = pcapFCS(link); err != nil {
		return nil, fmt.Errorf("byte %d: %w", pcapLinkTypeAt, err)
	}
	if c.pcap, err = pcapgo.NewReader(buffered); err != nil {
		return nil, fmt.Errorf("byte 0: want a pcap file header: %w", err)
	}
	return c, nil
}

// checkRecord returns the fault of a record that pcapgo read, or failed to read, up to byte end.
func checkRecord(ng *pcapgo.NgReader, info gopacket.CaptureInfo, fcs int, err error, end int64) error {
	truncated := err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF)
	// Lengths first: a wrong length makes pcapgo read past the end.
	switch captured, full := info.CaptureLength, info.Length; {
	case captured > maxCaptured:
		return checkLength(captured)
	case captured > full:
		return fmt.Errorf("%d bytes captured of a frame of %d, want no more than the frame has", captured, full)
	case captured < full:
		return fmt.Errorf("cut short to %d of %d bytes, want a capture of whole frames (a larger snap length)", captured,
			full)
	case truncated && full == 0:
		return fmt.Errorf("truncated in the record's header: the capture ends at byte %d", end)
	case truncated:
		return fmt.Errorf("truncated in the record's data: the capture ends at byte %d, want %d bytes of frame", end, full)
	case err != nil:
		return err
	}
	if ng != nil {
		if err := checkInterface(ng, info); err != nil {
			return err
		}
	}
	return checkLength(info.CaptureLength - fcs)
}

// checkInterface refuses what the interface of a pcapng record makes of it: no Ethernet, or no exact time.
func checkInterface(ng *pcapgo.NgReader, info gopacket.CaptureInfo) error {
	iface, err := ng.Interface(info.InterfaceIndex)
	if err != nil {
		return err
	}
	if err := checkLinkType(iface.LinkType); err != nil {
		return err
	}
	// pcapgo scales a binary resolution by a whole number and so loses up to half of a second.
	if res := iface.TimestampResolution; res.Binary() || res.Exponent() > maxDecimalDigits {
		base := 10
		if res.Binary() {
			base = 2
		}
		return fmt.Errorf("timestamps count %d^-%d s, want 10^-%d s or a coarser power of ten", base,
			res.Exponent(), maxDecimalDigits)
	}
	return nil
}

func checkLinkType(link layers.LinkType) error {
	if link != layers.LinkTypeEthernet {
		return fmt.Errorf("link type %d (%v), want %d (Ethernet)", uint16(link), link, uint16(layers.LinkTypeEthernet))
	}
	return nil
}

// headerError is for a file header of which only got of want bytes are there.
func headerError(err error, got, want int) error {
	if err != io.EOF {
		return err
	}
	return fmt.Errorf("truncated in the file's header: the capture ends at byte %d, want %d bytes of pcap or pcapng",
		got, want)
}

// countingReader counts the bytes read from r, and passes them to also, which follows a pcapng's blocks.
type countingReader struct {
	r    io.Reader
	n    int64
	also *ngFCS // nil for none
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	if c.also != nil {
		c.also.follow(p[:n])
	}
	return n, err
}
