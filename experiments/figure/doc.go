// Package figure draws a table and does nothing else: lines with interval bands, heat maps, Pareto scatters and time
// series with fault windows, as SVG or PNG.
//
// It promises the same bytes for the same table from run to run on one architecture, no number that is not in the
// table, a vertical axis that starts at zero unless it is logarithmic or holds negative numbers, and series that can
// be told apart in grey print: each has a luminance, a dash pattern and a marker of its own. What cannot be placed
// on a scale (an infinite estimate, zero on a logarithmic axis) stands on a strip beyond the edge, never as a number
// that was not measured.
//
// It assumes that the caller has computed every estimate, named every unit and put categories and series in the
// order in which they shall appear.
//
// It does not promise the same bytes across architectures, nor across versions of the drawing library, and it
// computes no statistics: the efficient frontier of a Pareto figure is the frontier of the means.
package figure
