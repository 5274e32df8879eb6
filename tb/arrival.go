package tb

import "fmt"

// Latencies returns how many cycles after its issue each item of a stream arrived, in order. The error names the first
// item that arrived before its issue or not at all.
func Latencies(issued, arrived []uint64) ([]uint64, error) {
	if len(issued) != len(arrived) {
		return nil, fmt.Errorf("%d items were issued and %d arrived", len(issued), len(arrived))
	}
	latencies := make([]uint64, len(issued))
	for i := range issued {
		if arrived[i] < issued[i] {
			return nil, fmt.Errorf("item %d was issued in cycle %d and arrived in cycle %d, before that", i,
				issued[i], arrived[i])
		}
		latencies[i] = arrived[i] - issued[i]
	}
	return latencies, nil
}

// ExactLatency returns an error that names the first item that did not arrive exactly want cycles after its issue.
func ExactLatency(issued, arrived []uint64, want uint64) error {
	latencies, err := Latencies(issued, arrived)
	if err != nil {
		return err
	}
	for i, got := range latencies {
		if got != want {
			return fmt.Errorf("item %d was issued in cycle %d and arrived in cycle %d: %d cycles, want %d",
				i, issued[i], arrived[i], got, want)
		}
	}
	return nil
}
