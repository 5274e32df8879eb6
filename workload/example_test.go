package workload_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/goldwire/goldwire/workload"
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

	frames, err = workload.ReadPcap(&capture, "capture", workload.RemoveFCS)
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

	_, err = workload.ReadPcap(&capture, "half.pcap", workload.RemoveFCS)
	fmt.Println(err)
	// Output:
	// half.pcap: record 2 at byte 100: truncated in the record's data: the capture ends at byte 150, want 60 bytes of frame
}

// A trace comes in, results go out.
func ExampleReadMessages() {
	const trace = `id,type,source,destination,bytes,start_ns
0,read,0,2,64,0
1,write,1,2,1460,2.56
`
	messages, err := workload.ReadMessages(strings.NewReader(trace), "trace.csv", 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	results := make([]workload.Result, len(messages))
	for i, m := range messages {
		results[i].Message = m
	}
	results[0].Finished, results[0].Finish = true, 299_520 // picoseconds
	if err := workload.WriteResults(os.Stdout, results); err != nil {
		fmt.Println(err)
		return
	}

	_, err = workload.ReadMessages(strings.NewReader(trace), "trace.csv", 2)
	fmt.Println(err)
	// Output:
	// id,type,source,destination,bytes,start_ns,finish_ns,latency_ns
	// 0,read,0,2,64,0,299.52,299.52
	// 1,write,1,2,1460,2.56,,
	// trace.csv:2: destination "2", want a node from 0 to 1
}

// Poisson arrivals of a published workload.
func ExampleGenerateMessages() {
	sizes, err := workload.ParseSizes("websearch")
	if err != nil {
		fmt.Println(err)
		return
	}
	// Of 100 Gb/s, which is 0.1 bits a picosecond, each sender takes 80 %.
	const bitsPerPs, load = 0.1, 0.8
	messages, err := workload.GenerateMessages(workload.Config{
		Nodes:    144,
		Sizes:    sizes,
		Messages: 10_000,
		Interval: 8 * sizes.Mean() / (bitsPerPs * load),
		Seed:     1,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	bytes := 0
	for _, m := range messages {
		bytes += m.Bytes
	}
	last := messages[len(messages)-1].Start
	fmt.Printf("load %.1f\n", 8*float64(bytes)/float64(last)/bitsPerPs/72)
	// Output:
	// load 0.8
}
