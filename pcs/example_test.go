package pcs_test

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/wave"
)

// A frame of 60 bytes on its way through the transmitter, as it shows in the ports' words.
func ExampleLoop() {
	loop, err := pcs.NewLoop(pcs.LoopConfig{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = loop.WaitForLock()
	_ = loop.SendAll(context.Background(), [][]byte{make([]byte, 60)})
	f := loop.Sink.Frames()[0]
	fmt.Println(len(f.Bytes), "bytes,", f.Fault)
	// Output:
	// 60 bytes, ok
}

// The start of a frame passes the encoder: one cycle from characters to block.
func ExampleEncoder() {
	loop, _ := pcs.NewLoop(pcs.LoopConfig{})
	rec, _ := wave.NewRecorder(loop.Sim, loop.Clock, 6, "tx.framer.out", "tx.encoder.out")
	loop.Send([][]byte{{0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99}})
	_ = loop.Clock.Run(5)
	picture, _ := rec.Recording()
	fmt.Print(picture)
	// Output:
	// cycle                  0                 1                 2                 3                 4                 5
	// tx.framer.out_data    │707070707070707  │0                │d5555555555555fb │8877665544332211 │99               │0
	// tx.framer.out_ctrl    │ff               │0                │1                │0
	// tx.framer.out_valid   ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁╱▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔
	// tx.encoder.out_payload│100000001000055                                      │d555555555555578 │8877665544332211 │99
	// tx.encoder.out_header │1                                                                      │2
	// tx.encoder.out_valid  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁╱▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔
}
