package study

import (
	"fmt"

	"github.com/goldwire/goldwire/claims"
	"gonum.org/v1/gonum/stat"
)

// everySize counts the sizes of §6.B whose packets take whole flits at the framer of a link of laneCount lanes.
func everySize(laneCount, width int) claims.Measure {
	const most = 8192
	return claims.Of(
		efficiency,
		efficiencyPoint{256, laneCount, width, most},
		func(r efficiencyResult) claims.Measurement {
			return claims.Count(
				r.Equal, "sizes",
				"of %d at which the flits that left are n / (ceil(n/%d) x %d); user beats of %d bytes; mean efficiency %.4f",
				most, laneCount*30, laneCount*32, width, stat.Mean(r.Efficiency, nil),
			)
		},
	)
}

// ranking measures mean efficiencies over the sizes of Fig. 8 from CMAC's least on.
func ranking() (m claims.Measurement, err error) {
	const from, to = 64, 1500
	m.Unit = "%"
	for _, c := range []struct {
		name string
		of   func(n int) float64
	}{
		{"Ethernet (CMAC)", ethernetEfficiency},
		{"RIFL 512", func(n int) float64 { return flitEfficiency(n, 62, 64) }},
		{"RIFL 256", func(n int) float64 { return flitEfficiency(n, 30, 32) }},
		{"Interlaken", interlakenEfficiency},
		{"Aurora", auroraEfficiency},
	} {
		sum := 0.0
		for n := from; n <= to; n++ {
			sum += c.of(n)
		}
		m.Rows = append(m.Rows, claims.Row{Label: c.name, Value: 100 * sum / (to - from + 1)})
	}
	m.Value = m.Rows[0].Value
	m.Detail = fmt.Sprintf("mean over payloads of %d to %d bytes; RIFL with user flits of one frame", from, to)
	return m, nil
}
