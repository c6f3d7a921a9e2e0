package scenario

import (
	"fmt"
	"strings"
	"time"

	"github.com/tenggat/tenggat/sim/dist"
)

var periodValue = value[Period]{&form{name: "period", unit: inSeconds, open: true}, parsePeriod}

// parsePeriod reads a distribution, then perhaps `from INSTANT` or `from
// random`.
func parsePeriod(text string) (Period, error) {
	every, from, found := strings.Cut(text, " from ")
	d, err := dist.Parse(every)
	p := Period{Every: d}
	switch {
	case err != nil || !found:
		return p, err
	case strings.TrimSpace(from) == "random":
		p.Random = true
		return p, nil
	}
	first, err := parseInstant(strings.TrimSpace(from))
	p.From = &first
	return p, err
}

// ticks is a period between ticks of a clock: it must take time.
func ticks(p Period) error {
	if p.Every.Max() == 0 {
		return fmt.Errorf("a period of 0s would tick without end")
	}
	return nil
}

// signed is base + draw, the form of a distribution that may be negative: of
// an instant before zero, of a clock that is behind.
type signed struct {
	base time.Duration // never above 0s
	dist dist.Dist
}

var signedScript = value[signed]{&form{name: "dist", unit: inSeconds, open: true, many: script}, parseSigned}

// parseSigned reads what dist.Parse reads, and a constant or a range that
// begins below zero.
func parseSigned(text string) (signed, error) {
	if !strings.HasPrefix(text, "-") {
		d, err := dist.Parse(text)
		return signed{dist: d}, err
	}
	low, high, isRange := strings.Cut(text, "..")
	base, err := parseInstant(low)
	if err != nil || !isRange {
		return signed{base: base}, err
	}
	top, err := parseInstant(high)
	if err != nil {
		return signed{}, err
	}
	if top < base {
		return signed{}, fmt.Errorf("%q ends before it begins", text)
	}
	d, err := dist.Parse("0s.." + (top - base).String())
	return signed{base, d}, err
}

// align gives all values of a list the same base, the lowest.
func align(list []signed) (base time.Duration, s Script, err error) {
	for _, x := range list {
		base = min(base, x.base)
	}
	for _, x := range list {
		d := x.dist
		if shift := x.base - base; shift > 0 {
			if d, err = dist.Parse(shift.String() + " + " + d.String()); err != nil {
				return 0, nil, fmt.Errorf("%q cannot stand beside a negative value", x.dist.String())
			}
		}
		s = append(s, d)
	}
	return base, s, nil
}
