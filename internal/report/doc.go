// Package report draws one HTML page of a verification: the claims, the cycles and bytes that each figure was counted
// on, and the tables and charts of experiments.
//
// The page is one file that needs nothing else. Its content policy lets nothing load and nothing run but the page's
// own style and script, which it names by their checksums; so a page can be passed on and opened anywhere. Equal input
// gives equal bytes: no date, no version, no order of maps.
//
// Without its script the page shows everything, since claims are opened by the browser itself; the script only
// filters. Printed, the page has the open claims among those the filter left.
package report
