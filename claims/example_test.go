package claims_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"
)

// delayLine stands for a model: its input comes out three edges later.
type delayLine [3]bool

func (d *delayLine) tick(in bool) (out bool) {
	out = d[2]
	d[0], d[1], d[2] = in, d[0], d[1]
	return out
}

// line is an experiment. A point of it is the edge at which a marker goes in, a result the one at which it comes out.
type line struct{}

func (line) Measure(_ context.Context, first int, _ uint64) (int, error) {
	var d delayLine
	for edge := range 100 {
		if d.tick(edge == first) {
			return edge, nil
		}
	}
	return 0, errors.New("the marker never came out")
}

// latency is the time between the two in periods of 2.56 ns: the time of a 66-bit block at 25.78125 Gb/s.
func latency(last int) claims.Measurement {
	const first = 7
	return claims.Nanoseconds(clock.Block25G.Period().Times(int64(last-first)), "edge %d -> edge %d", first, last)
}

// A figure over several seeds is a mean, or the worst of them.
func ExampleOfSamples() {
	worst := claims.OfSamples(line{}, claims.Samples(7, 4), func(lasts []int) claims.Measurement {
		return claims.Cycles(slices.Max(lasts)-7, "the longest of %d seeds", len(lasts))
	})
	m, err := worst(context.Background(), &claims.Run{Seed: 1})
	fmt.Println(m, "-", m.Detail, err)

	// Output: 3 cycles - the longest of 4 seeds <nil>
}

func Example() {
	set, err := claims.NewSet([]claims.Claim{
		{
			ID: "demo/table1/latency", Source: "Demo Table 1", Text: "A block crosses in three cycles.", Printed: "7.68 ns",
			Judge: claims.Exactly("7.68", "ns"), Measure: claims.Of(line{}, 7, latency), Expect: claims.Holds,
		},
		{
			ID: "demo/text/latency", Source: "Demo section 2", Text: "A block crosses within 5 ns.", Printed: "< 5 ns",
			Judge: claims.AtMost("5", "ns"), Measure: claims.Of(line{}, 7, latency), Expect: claims.Deviates,
			Reason: "The text counts two of the three stages that Table 1 has.", Recorded: claims.Exactly("7.68", "ns"),
		},
		{
			ID: "demo/table2/area", Source: "Demo Table 2", Text: "The design is small.", Printed: "2 %",
			Expect: claims.NotModelled, Reason: "Area is not behaviour.",
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := claims.Verify(context.Background(), set, claims.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = report.WriteText(os.Stdout, claims.Layout{})
	fmt.Println("as recorded:", report.OK())

	// Output:
	// Claim                Source          Printed  Measured  Verdict       Record
	// ──────────────────────────────────────────────────────────────────────────────
	// demo/table1/latency  Demo Table 1    7.68 ns  7.68 ns   holds
	// demo/text/latency    Demo section 2  < 5 ns   7.68 ns   deviates
	// demo/table2/area     Demo Table 2    2 %                not modelled
	//
	// Deviations on record
	//   demo/text/latency
	//       The text counts two of the three stages that Table 1 has.
	//
	// Not modelled
	//   demo/table2/area
	//       Area is not behaviour.
	//
	// 3 claims: 1 holds, 1 deviates as recorded, 0 given, 1 not modelled, 0 unexpected (seed 1)
	// as recorded: true
}
