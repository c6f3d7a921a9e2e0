package dist

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Forever is the time that never comes.
const Forever time.Duration = math.MaxInt64

const day = 24 * time.Hour

// ParseDuration reads a duration as Go does, and beyond that the unit d (24
// hours), underscores between digits (100_000s) and the word forever.
// It may be negative. A value that does not fit in int64 nanoseconds (106,751
// days) is an error.
func ParseDuration(text string) (time.Duration, error) {
	if text == "forever" {
		return Forever, nil
	}
	fail := func(format string, args ...any) (time.Duration, error) {
		return 0, fmt.Errorf("%q is not a duration: %s", text, fmt.Sprintf(format, args...))
	}
	rest := strings.TrimLeft(text, "+-")
	negative := strings.HasPrefix(text, "-")
	if len(text)-len(rest) > 1 || rest == "" {
		return fail("write a number and a unit, such as 250ms")
	}
	if rest == "0" {
		return 0, nil
	}
	var total time.Duration
	for rest != "" {
		number := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789._"))]
		rest = rest[len(number):]
		unit := rest[:len(rest)-len(strings.TrimLeftFunc(rest, func(r rune) bool { return !strings.ContainsRune("0123456789._", r) }))]
		rest = rest[len(unit):]
		part, problem := durationPart(number, unit)
		if problem != "" {
			return fail("%s", problem)
		}
		if part >= Forever-total {
			return fail("the longest is 106751 days; write forever for no end")
		}
		total += part
	}
	if negative {
		return -total, nil
	}
	return total, nil
}

// durationPart is one number with its unit, or what is wrong with it.
func durationPart(number, unit string) (time.Duration, string) {
	digits := strings.ReplaceAll(number, "_", "")
	switch {
	case strings.Trim(digits, ".") == "" || strings.Count(digits, ".") > 1:
		return 0, "write a number and a unit, such as 250ms"
	case strings.HasPrefix(number, "_") || strings.HasSuffix(number, "_") || strings.Contains(number, "__"):
		return 0, "an underscore stands between two digits"
	case unit == "":
		return 0, fmt.Sprintf("%s has no unit; write %ss or %sms", number, number, number)
	}
	scale := time.Duration(1)
	if unit == "d" {
		unit, scale = "h", 24
	}
	d, err := time.ParseDuration(digits + unit)
	if err != nil {
		units := []string{"ns", "us", "ms", "s", "m", "h", "d"}
		if strings.HasPrefix(unit, "/") || unit == "%" {
			return 0, "it is a rate or a share; write a time such as 250ms"
		}
		if !strings.Contains(" ns us µs μs ms s m h ", " "+unit+" ") {
			return 0, fmt.Sprintf("unknown unit %q%s; the units are %s", unit, hint(unit, units), strings.Join(units, " "))
		}
		return Forever, ""
	}
	if d > Forever/scale {
		return Forever, ""
	}
	return d * scale, ""
}

// formatDuration is the shortest text without fractions of a minute or hour
// that ParseDuration reads back: 1h30m, 48h, 1.5s, 20us, forever.
func formatDuration(d time.Duration) string {
	if d == Forever {
		return "forever"
	}
	text := strings.Replace(d.String(), "µ", "u", 1)
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}
