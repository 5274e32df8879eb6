package workload

import "fmt"

const (
	// HeaderLen is the length in bytes of an Ethernet header: two addresses and a type (IEEE Std 802.3, 3.1.1).
	HeaderLen = 14
	// FCSLen is the length in bytes of the frame check sequence, which a Frame does not carry (IEEE Std 802.3, 3.2.9).
	FCSLen = 4

	// maxCaptured is the longest record of a capture in bytes: MAXIMUM_SNAPLEN of libpcap, which its own readers refuse to
	// exceed. No Ethernet frame comes near it, so a longer one means a damaged length field.
	maxCaptured = 262144
)

// Frame is one Ethernet frame as a MAC client hands it over.
type Frame struct {
	// Bytes run from the destination address to the end of the payload, without FCS. A frame from a capture may be
	// shorter than the 60 bytes at which a MAC stops padding.
	Bytes []byte
	// Time is when the frame is offered, in nanoseconds since the first frame of its capture. It is negative where a
	// capture holds a frame that is older than its first.
	Time int64
}

// checkLength refuses n bytes that cannot be one whole Ethernet frame.
func checkLength(n int) error {
	if n < HeaderLen {
		return fmt.Errorf("%d bytes of frame, want at least the %d of an Ethernet header", n, HeaderLen)
	}
	if n > maxCaptured {
		return fmt.Errorf("%d bytes of frame, want at most %d", n, maxCaptured)
	}
	return nil
}
