// Package report writes a table as aligned text for a terminal, Markdown for a page, CSV or JSON, and does nothing
// else.
//
// It promises the same bytes for the same table on every machine: numbers are written in the shortest form that reads
// back as the same value, or rounded to what their interval lets one know, and never by the rules of a locale.
//
// It assumes that the caller has computed every estimate and put rows and columns in the order in which they shall
// appear. It does not know what a metric is.
package report
