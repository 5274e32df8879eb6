package study

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/workload"
)

// packet is a packet at a port: one that comes, or one that leaves, at a time in nanoseconds, because of the packet of
// a number.
type packet struct {
	number uint32
	port   uint16
	time   int64
	came   uint32 // the microsecond, for a program that asks for the time
	data   []byte
}

// mostPackets bounds the packets that a run keeps to write them down, and the packets read from lines.
const mostPackets = 1_000_000

// readPackets reads packets with their ports, a line each:
//
//	in INDEX PORT BYTES     bytes in hexadecimal
//
// Lines that begin with another word are passed over: a file that --out wrote can be read.
func readPackets(path string) (all []packet, err error) {
	f, err := input.Open(path, input.MostText)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	scan := input.NewLines(f, 1<<20)
	for line := 1; scan.Scan(); line++ {
		words := strings.Fields(scan.Text())
		if len(words) == 0 || words[0] != "in" {
			continue
		}
		if len(words) < 3 || len(words) > 4 {
			return nil, fmt.Errorf("%s:%d: %d words, expected in INDEX PORT BYTES", path, line, len(words))
		}
		port, err := strconv.ParseUint(words[2], 10, 9)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: port %q, expected 0 to 511", path, line, words[2])
		}
		x := packet{number: uint32(len(all)), port: uint16(port)}
		if len(words) == 4 {
			if x.data, err = hex.DecodeString(words[3]); err != nil {
				return nil, fmt.Errorf("%s:%d: bytes %.40s, expected hexadecimal digits", path, line, words[3])
			}
		}
		if all = append(all, x); len(all) > mostPackets {
			return nil, fmt.Errorf("%s:%d: more than %d packets", path, line, mostPackets)
		}
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no line in INDEX PORT BYTES", path)
	}
	return all, nil
}

// writePackets writes the packets that came and left: as a capture if the file's name ends in .pcapng, which has the
// packets that left, an interface a port, or as lines, each received packet followed by the packets that left because
// of it.
func writePackets(w io.Writer, path string, came, left []packet) error {
	if filepath.Ext(path) == ".pcapng" {
		return writeCapture(w, left)
	}
	b := bufio.NewWriter(w)
	for _, x := range came {
		fmt.Fprintf(b, "in %d %d %x\n", x.number, x.port, x.data)
		for len(left) > 0 && left[0].number == x.number {
			fmt.Fprintf(b, "out %d %x\n", left[0].port, left[0].data)
			left = left[1:]
		}
	}
	return b.Flush()
}

// writeCapture writes packets, an interface a port.
func writeCapture(w io.Writer, left []packet) error {
	last := uint16(0)
	var frames []workload.PortFrame
	for _, x := range left {
		last = max(last, x.port)
		frame := workload.Frame{Bytes: x.data, Time: x.time}
		frames = append(frames, workload.PortFrame{Interface: int(x.port), Frame: frame})
	}
	var ports []string
	for n := range int(last) + 1 {
		ports = append(ports, fmt.Sprintf("port %d", n))
	}
	return workload.WritePcapng(w, ports, frames)
}

// lines sends packets that were read, once.
type lines struct {
	packets []packet `state:"none"` // as built
	next    int
}

// Next implements drmt.Source.
func (l *lines) Next() ([]byte, uint16, bool) {
	if l.next == len(l.packets) {
		return nil, 0, false
	}
	x := &l.packets[l.next]
	l.next++
	return x.data, x.port, true
}
