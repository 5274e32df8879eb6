package xbar_test

import (
	"fmt"

	"github.com/goldwire/goldwire/xbar"
)

// Three words cross a segment crossbar of 2×2 ports with two segments in one cycle. The lanes are found by colouring
// the edges.
func ExampleShape_Route() {
	s := xbar.Shape{Kind: xbar.Segment, Inputs: 2, Outputs: 2, Segments: 2}
	transfers, err := s.Route([]xbar.Demand{
		{Name: "a", From: 0, To: []int{0}, Width: 1},
		{Name: "b", From: 0, To: []int{1}, Width: 1},
		{Name: "c", From: 1, To: []int{1}, Width: 1},
	})
	fmt.Println(len(transfers), err, s.Check(transfers))

	_, err = s.Route(
		[]xbar.Demand{{Name: "a", From: 0, To: []int{1}, Width: 2}, {Name: "b", From: 1, To: []int{1}, Width: 1}},
	)
	fmt.Println(err)
	// Output:
	// 3 <nil> <nil>
	// output 1 has 2 segments, a, b need 3
}
