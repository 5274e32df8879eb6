// Package experiment says what an experiment is: parameters, points, results, a report.
//
// An experiment is declared once, as a [Spec], and [Define] makes it known:
//
//	var Latency = experiment.Define(experiment.Spec[Params, Point, Result]{
//		Name: "latency", Short: "One access in an idle network, step by step", Source: "EDM Table 1",
//		Defaults: Params{Bytes: 64},
//		Points:   points, // the independent jobs that the parameters ask for, a seed each
//		Run:      run,    // one job: a simulation that returns a result
//		Report:   report, // tables, charts, lines of text and failed checks from the results
//	})
//
// Parameters are a struct. The tags of its fields give the command's flags, their units, bounds and help; see [Params]. A point is a
// struct too, and has all that decides a result: the same point with the same seed gives the same result, on any machine. So a
// result can be shared (see [WithMemo]) and a sweep can be cut anywhere. Points and results are written as JSON, so all their fields
// that count are exported.
//
// The command goldwire runs an experiment with [Experiment.Run]; a claim measures a point of it with [Defined.Measure]. Both run the
// same code, so a figure is never measured in two ways.
package experiment
