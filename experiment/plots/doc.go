// Package plots draws measurements as SVG: [Lines] for curves and distributions, [Bars] for groups of bars.
//
// Equal charts give equal bytes: no date, nothing random. Colours are Okabe's and Ito's, which the colour-blind tell
// apart; each series has a marker of its own besides. Text is text, in Liberation Sans or the fonts of the same widths
// that stand in for it, so that a file stays small and can be searched.
package plots
