package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Table is rows under a head, each with as many cells.
type Table struct {
	Title string
	Head  []string
	Rows  [][]Cell
	Notes []string // lines under the table; CSV and JSON leave them out
}

// Add appends a row.
func (t *Table) Add(cells ...Cell) { t.Rows = append(t.Rows, cells) }

// Cell is a text, a number or an estimate.
type Cell struct {
	text            string
	number          bool
	interval        bool
	mean, low, high float64
}

// Text is a cell with a word.
func Text(format string, args ...any) Cell {
	if len(args) == 0 {
		return Cell{text: format}
	}
	return Cell{text: fmt.Sprintf(format, args...)}
}

// Number is a cell with an exact number; NaN stands for none.
func Number(v float64) Cell { return Cell{number: true, mean: v} }

// Interval is a cell with an estimate, low <= mean <= high. A mean of zero with
// a positive upper end is shown as that bound, an interval without ends as the
// mean alone, and NaN as nothing measured.
func Interval(mean, low, high float64) Cell {
	return Cell{interval: true, mean: mean, low: low, high: high}
}

// String is the cell for a reader.
func (c Cell) String() string {
	switch {
	case c.interval:
		return Readable(c.mean, c.low, c.high)
	case c.number:
		return short(c.mean)
	}
	return c.text
}

// Exact is the cell for a program.
func (c Cell) Exact() string {
	if c.number || c.interval {
		return Exact(c.mean)
	}
	return c.text
}

// Exact is the shortest decimal that reads back as v. Infinity is "inf", and a
// value that does not exist is empty.
func Exact(v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Readable is an estimate to the precision that its interval supports: two
// digits of the half-width.
//
//	0.28651 ± 0.00042      a symmetric interval
//	12 [9, 31]             another one
//	28,731 ± 55            thousands are marked from 10,000 on
//	0 (< 0.15)             nothing seen, and the bound
//	3                      no interval: one replication, or no spread
func Readable(mean, low, high float64) string {
	half := (high - low) / 2
	switch {
	case math.IsNaN(mean):
		return "–"
	case math.IsInf(mean, 0) || math.IsInf(half, 0) || math.IsNaN(half):
		return short(mean)
	case half == 0:
		return short(mean)
	case mean == 0 && low == 0:
		return "0 (< " + short(high) + ")"
	}
	digits := 1 - exponent(half) // after the point
	if math.Abs((high-mean)-(mean-low)) <= half/50 {
		return fixed(mean, digits) + " ± " + fixed(half, digits)
	}
	return fixed(mean, digits) + " [" + fixed(low, digits) + ", " + fixed(high, digits) + "]"
}

// exponent is the power of ten of the first of two digits that v is rounded to.
func exponent(v float64) int {
	_, power, _ := strings.Cut(strconv.FormatFloat(v, 'e', 1, 64), "e")
	e, err := strconv.Atoi(power)
	if err != nil {
		panic(fmt.Sprintf("report: the exponent of %v: %v", v, err))
	}
	return e
}

// fixed is v with so many digits after the point; fewer than none rounds to
// tens and hundreds.
func fixed(v float64, digits int) string {
	if digits < 0 {
		rounded := strconv.FormatFloat(v, 'e', max(0, exponent(v)+digits), 64)
		v, _ = strconv.ParseFloat(rounded, 64) // It was written in the line above.
		digits = 0
	}
	if digits > 6 && v != 0 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return grouped(strconv.FormatFloat(v, 'f', digits, 64))
}

// short is v with up to six significant digits, or all before the point, and no
// trailing zeros.
func short(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	if size := math.Abs(v); size >= 1e6 && size < 1e15 {
		v = math.Round(v)
	}
	switch {
	case math.IsInf(v, 0):
		return Exact(v)
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		return grouped(strconv.FormatFloat(v, 'f', 0, 64))
	}
	return grouped(strconv.FormatFloat(v, 'g', 6, 64))
}

// grouped marks the thousands of a decimal whose whole part has five digits or
// more: fewer are read at a glance.
func grouped(s string) string {
	sign := len(s) - len(strings.TrimLeft(s, "-"))
	whole, rest, point := strings.Cut(s[sign:], ".")
	if strings.Trim(whole, "0123456789") != "" || len(whole) < 5 {
		return s
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		rest = "." + rest
	}
	return s[:sign] + whole + rest
}
