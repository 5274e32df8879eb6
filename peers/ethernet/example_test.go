package ethernet_test

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/peers/ethernet"
	"github.com/goldwire/goldwire/workload"
)

func ExampleNetwork() {
	n, err := ethernet.NewNetwork(ethernet.Config{Stack: ethernet.RoCEv2, Forwarding: ethernet.CutThrough})
	if err != nil {
		panic(err)
	}
	if err := n.WaitForLock(); err != nil {
		panic(err)
	}
	frames := ethernet.NewTripRecorder(n, 0, 1)
	write := workload.Message{ID: 1, Type: workload.Write, Source: 0, Dest: 1, Bytes: 64}
	if _, err := n.Run(context.Background(), []workload.Message{write}); err != nil {
		panic(err)
	}
	trip := frames.Trips()[0]
	fmt.Println("protocol stack", trip.Between(ethernet.AtStack, ethernet.AtMAC), "ps")
	fmt.Println("switch        ", trip.Between(ethernet.SwitchMAC, ethernet.SwitchCrossed), "ps")
	fmt.Println("all the way  ", trip.Between(ethernet.AtStack, ethernet.Delivered), "ps")
	// Output:
	// protocol stack 230200 ps
	// switch         400000 ps
	// all the way   1017840 ps
}
