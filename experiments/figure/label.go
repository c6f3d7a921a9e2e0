package figure

import (
	"math"
	"strconv"
	"strings"
)

// Significant digits of a label.
const (
	exactDigits = 12 // a tick: enough for every number on a scale, short of binary dirt such as 0.30000000000000004
	roughDigits = 3  // a cell of a heat map
)

// Text is a number as a tick of an axis with this unit reads.
func Text(v float64, unit string) string { return label(v, unit, exactDigits) }

// label writes a number as a reader says it: 250ms, 1m30s and 2h in seconds; 0.25, 1500, 20k and 3e-5 in other units.
func label(v float64, unit string, digits int) string {
	v = significant(v, digits)
	if v < 0 {
		return "−" + label(-v, unit, digits)
	}
	if unit == Seconds {
		return duration(v, digits)
	}
	return number(v, digits)
}

// significant rounds v to so many significant digits.
func significant(v float64, digits int) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	if err != nil {
		panic("figure: a formatted number does not parse: " + err.Error())
	}
	return rounded
}

func number(v float64, digits int) string {
	switch {
	case v < 1e4 || v >= 1e15:
		return plain(v, digits)
	case v < 1e6:
		return plain(v/1e3, digits) + "k"
	case v < 1e9:
		return plain(v/1e6, digits) + "M"
	case v < 1e12:
		return plain(v/1e9, digits) + "G"
	}
	return plain(v/1e12, digits) + "T"
}

// plain is the shortest decimal, with an exponent only below 1e-4 and from 1e15 on.
func plain(v float64, digits int) string {
	if v != 0 && (v < 1e-4 || v >= 1e15) {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(significant(v, digits), 'e', -1, 64), "e")
		sign, size := exponent[:1], strings.TrimLeft(exponent[1:], "0")
		return mantissa + "e" + strings.TrimPrefix(sign, "+") + size
	}
	return strconv.FormatFloat(significant(v, digits), 'f', -1, 64)
}

func duration(v float64, digits int) string {
	switch {
	case v == 0:
		return "0s"
	case v < 1e-6:
		return plain(v*1e9, digits) + "ns"
	case v < 1e-3:
		return plain(v*1e6, digits) + "µs"
	case v < 1:
		return plain(v*1e3, digits) + "ms"
	case v < 60 || v != math.Trunc(v) || v >= 1e15:
		return plain(v, digits) + "s"
	}
	if digits < exactDigits { // Two parts say enough.
		switch {
		case v >= 86400:
			v = 3600 * math.Round(v/3600)
		case v >= 3600:
			v = 60 * math.Round(v/60)
		}
	}
	var b strings.Builder
	left := int64(v)
	for _, part := range []struct {
		size int64
		name string
	}{{86400, "d"}, {3600, "h"}, {60, "m"}, {1, "s"}} {
		if n := left / part.size; n > 0 {
			b.WriteString(strconv.FormatInt(n, 10) + part.name)
			left -= n * part.size
		}
	}
	return b.String()
}
