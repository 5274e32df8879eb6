package plots_test

import (
	"bytes"
	"fmt"
	"math"

	"github.com/goldwire/goldwire/experiment/plots"
)

// A curve with a band, and the line that it should stay below.
func ExampleLines() {
	chart := plots.Chart{
		Title: "Latency over load", X: "load", Y: "latency / unloaded latency",
		Series: []plots.Series{{
			Name: "read", X: []float64{0.2, 0.5, 0.8}, Y: []float64{1.02, 1.08, 1.17},
			Low: []float64{1.01, 1.05, 1.12}, High: []float64{1.03, 1.11, 1.23},
		}},
		HLines: []plots.Mark{{At: 1.2, Label: "claimed for reads"}},
	}
	var svg bytes.Buffer
	fmt.Println(plots.Lines(&svg, chart))

	chart.Series[0].Y[1] = math.NaN()
	fmt.Println(plots.Lines(&svg, chart))
	// Output:
	// <nil>
	// series "read": Y[1] is NaN, want a number of at most 1e+100
}
