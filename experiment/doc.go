// Package experiment says what an experiment is: parameters, points, results, a report.
//
// An experiment is declared once, as a [Spec], and [Define] makes it known:
//
//	var Latency = experiment.Define(experiment.Spec[Params, Point, Result]{
//		Name: "latency", Short: "One access in an idle network, step by step", Source: "EDM Table 1",
//		Defaults: Params{Point: Point{Bytes: 64}, Lengths: []float64{1, 10}},
//		Run:      run,    // one point: a simulation that returns a result
//		Report:   report, // tables, charts, lines of text and failed checks from the results
//	})
//
//	// Point is one simulation, and its JSON.
//	type Point struct {
//		Bytes  int     `flag:"bytes" min:"1" max:"1500" help:"length of a message" json:"bytes"`
//		Metres float64 `flag:"-" json:"metres" column:"Metres"`
//	}
//
//	// Params are a point, and lists in place of the fields that vary: 2 lengths are 2 points.
//	type Params struct {
//		Point
//		Lengths []float64 `flag:"metres" each:"Metres" min:"0" max:"500" help:"lengths of the cable; several with commas"`
//	}
//
//	// Result is what a simulation has shown: Tabulate("latency", results) has the columns Metres and Mean ns.
//	type Result struct {
//		Mean float64 `json:"mean_ns" column:"Mean ns" format:"%.1f"`
//	}
//
// Parameters are a struct. The tags of its fields give the command's flags, their units, bounds and help; see [Params].
// A point is a struct too, and has everything that decides a result: the same point with the same seed gives the same
// result, on any machine. So a result can be shared (see [WithMemo]) and a sweep can be cut anywhere. Points and
// results are written as JSON, so all their fields that count are exported.
//
// The command goldwire runs an experiment with [Experiment.Run]; a claim measures a point of it with [Defined.Measure].
// Both run the same code, so a figure is never measured in two ways.
package experiment
