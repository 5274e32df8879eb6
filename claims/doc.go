// Package claims sets what a paper prints beside what a model does.
//
// A [Claim] is data: where a figure stands, the figure as printed, a [Judge] with the accepted band, the verdict on
// record, and a function that measures the figure on a running model. [NewSet] checks that the claims are complete and
// distinct, [Verify] measures them, and the [Report] it returns is written as a table for a terminal, as Markdown or as
// JSON.
//
// The function is, as a rule, made of a point of an experiment by [Of]: a claim is then a row with the point, and a
// function from the point's result to the figure.
//
//	claims.Claim{
//		ID: "demo/table1/latency", Source: "Demo Table 1", Text: "A beat crosses in three cycles.", Printed: "7.68 ns",
//		Judge: claims.Exactly("7.68", "ns"), Expect: claims.Holds,
//		Measure: claims.Of(latency, latencyPoint{Lanes: 4}, total),
//	}
//
//	func total(r latencyResult) claims.Measurement {
//		return claims.Nanoseconds(r.Total, "edge %d -> edge %d", r.First, r.Last)
//	}
//
// [OfAll] has several points, [OfSamples] several seeds, and [For] a run's own number of flows. A result that has no
// figure is [Unfit].
//
// # Verdicts
//
// A measured claim [Holds] or [Deviates]; one that nothing in the model stands for is [NotModelled]; one whose
// measurement went wrong is [Failed]. A figure that the model takes from the paper as a parameter is [Given]: to read
// it back from the model would prove nothing, so it has no measurement, and its reason names the parameter. The record
// of a claim is any of these but [Failed], with a reason unless it holds. A claim is as recorded when the verdict
// equals the record, and [Report.OK] asks every claim: a regression is a failure, and so is a deviation that has gone
// away, since its written reason is then no longer true. A deviation may also record the figure it deviates to
// (Claim.Recorded), and then drifting away from that is a failure as well. A claim that holds at a smaller point than
// the paper's, and was seen not to hold at the paper's, deviates too ([Claim].PaperFigure).
//
// # Numbers
//
// "Exact" is exact: figures are rationals, written as text ("5.12", "51200/33"), and an exact judge accepts only a
// measurement that carries a rational, such as 2 cycles of 64/25 ns. A measurement in floating point stands for the
// shortest decimal that reads back as that float, so a measured 0.95 is "at least 0.95". A unit is compared as text;
// nothing is converted.
//
// In reports an exact figure appears as its shortest decimal (25.78125 Gb/s), or as a fraction where no short decimal
// ends (400/7 ≈ 57.14 %), any other with four significant digits, whole digits being kept.
//
// # Reports
//
// Every report is a function of the results and the seed: no time, no date, no order of completion. The JSON form is
// one object:
//
//	schema    "goldwire-claims/1"; the number rises when a field changes its meaning or goes away
//	seed      the seed every measurement was given
//	[at_paper_points]  whether the figures are of the papers' points, see [Options]; expect is of ours
//	ok        whether every claim is as recorded
//	summary   claims, hold, deviate, given, not_modelled (these four as recorded) and unexpected
//	claims    in the order of the set; fields in brackets are left out when empty:
//	          id, source, text, printed, [judge], expect, [reason], [recorded], [note], [paper_point], [own_point],
//	          [paper_figure], verdict, as_recorded, [difference],
//	          [measured: value, [exact], unit, figure, detail, [wave],
//	          [rows: [kind], label, [series], [at], value, [exact], unit, figure]]
//
// where expect and verdict are "holds", "deviates", "given", "not modelled" and (verdict only) "error"; value is a
// double; exact is a decimal integer or a fraction "a/b"; figure is the value with its unit as the tables show it. A
// row's kind is "part" of a sum, "point" of a curve, which has at, its place on the axis, and may have a series, or
// "variant" of the figure; without a kind it is something else that was counted. A wave is WaveJSON of the cycles that
// were counted.
package claims
