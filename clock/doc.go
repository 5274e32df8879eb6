// Package clock is exact time: frequencies and durations as rational numbers, and the order of the edges of several
// clocks, without a rounding anywhere.
//
// A [Freq] is a rational number of hertz, so 644.53125 MHz is a period of 51200/33 ps and nothing near it. A
// [Schedule] merges any number of clocks, whatever their ratios, without rounding: edges that coincide on paper
// coincide here, and none drifts however long the run. Rounding happens once, when a [Ruler] turns an edge into a time
// stamp for a file.
//
// Edge n of a clock (n = 1, 2, …) stands at phase + n × period. Time zero belongs to the reset state: the values of
// the clock's registers before their first edge can be seen for one whole period.
package clock
