package workload_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"goldwire/workload"
)

// Frames of two sizes go into a capture and come back.
func Example() {
	rng := rand.New(rand.NewPCG(1, 2))
	frames, err := workload.Generate(rng, []int{64, 1518})
	if err != nil {
		fmt.Println(err)
		return
	}

	var capture bytes.Buffer
	if err := workload.WritePcap(&capture, frames); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("bytes of capture:", capture.Len())

	frames, err = workload.ReadPcap(&capture, "capture")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, frame := range frames {
		fmt.Printf("%4d bytes and FCS: % x\n", len(frame.Bytes), frame.Bytes[:18])
	}
	// Output:
	// bytes of capture: 1630
	//   60 bytes and FCS: 02 00 00 00 00 01 02 00 00 00 00 02 88 b5 00 00 00 00
	// 1514 bytes and FCS: 02 00 00 00 00 01 02 00 00 00 00 02 88 b5 00 00 00 01
}

// A capture that was cut off says where.
func ExampleReadPcap_truncated() {
	rng := rand.New(rand.NewPCG(1, 2))
	frames, err := workload.Generate(rng, []int{64, 64})
	if err != nil {
		fmt.Println(err)
		return
	}
	var capture bytes.Buffer
	if err := workload.WritePcap(&capture, frames); err != nil {
		fmt.Println(err)
		return
	}
	capture.Truncate(150)

	_, err = workload.ReadPcap(&capture, "half.pcap")
	fmt.Println(err)
	// Output:
	// half.pcap: record 2 at byte 100: truncated in the record's data: the capture ends at byte 150, want 60 bytes of frame
}
