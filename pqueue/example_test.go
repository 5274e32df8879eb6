package pqueue_test

import (
	"fmt"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pqueue"
)

// The highest entry whose flow is eligible leaves first.
func ExampleList() {
	l := pqueue.NewList(4, 16)
	l.Insert(pqueue.Entry{Key: 30, ID: 1, Flow: 0})
	l.Insert(pqueue.Entry{Key: 10, ID: 2, Flow: 1})
	l.Insert(pqueue.Entry{Key: 20, ID: 3, Flow: 0})
	eligible := blocks.NewBits(2)
	eligible.Set(0)
	e, ok := l.Highest(eligible)
	fmt.Println(e, ok, l.Len())
	// Output: {20 3 0} true 3
}

// iSLIP matches three ports under full demand: one iteration finds one pair while all pointers are equal, and then a
// pair more each.
func ExampleMatch() {
	demand := pqueue.NewDemand(3)
	for _, row := range demand {
		row.Fill(3)
	}
	m := pqueue.NewMatching(3)
	iterations := pqueue.Match(pqueue.NewISLIP(3), demand, m)
	fmt.Println(iterations, m.Pairs(), m.Maximal(demand))
	// Output: 3 3 true
}
