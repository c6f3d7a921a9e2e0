package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Table is rows under a head.
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
	return strconv.FormatFloat(v, 'f', digits, 64)
}

// short is v with up to six significant digits and no trailing zeros.
func short(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	if math.IsInf(v, 0) || v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strings.Replace(Exact(v), "e+", "e", 1)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}
