package rifl

import (
	"testing"
)

// A frame cycle of both ends, with their frames' bits.
func BenchmarkLink(b *testing.B) {
	l := twoWay(b, LinkConfig{Config: Default()}, 1, 1500)
	for b.Loop() {
		_ = l.Ends[0].Frame.Run(1)
	}
}

// A frame cycle of both ends, by name.
func BenchmarkFrameLink(b *testing.B) {
	l := frameLink(b, FrameLinkConfig{Config: Default(), BER: [2]float64{1e-6, 1e-6}})
	for b.Loop() {
		l.Step()
	}
}

// A million frame cycles at a BER of 1e-8, clean stretches skipped.
func BenchmarkSkip(b *testing.B) {
	l := frameLink(b, FrameLinkConfig{Config: Default(), BER: [2]float64{1e-8, 1e-8}, Skip: true})
	for b.Loop() {
		l.Run(1_000_000)
	}
}
