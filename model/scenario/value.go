package scenario

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tenggat/tenggat/sim/dist"
)

// value is the form of a scalar together with its parser.
type value[T any] struct {
	*form
	parse func(text string) (T, error)
}

// choice is a form of fixed words; the i-th word is the constant i of T.
func choice[T ~uint8](name string, words ...string) value[T] {
	return value[T]{&form{name: name, words: words}, func(text string) (T, error) {
		i := slices.Index(words, text)
		if i < 0 {
			return 0, fmt.Errorf("%q is none of its words%s", text, meantChoice(text, words))
		}
		return T(i), nil
	}}
}

var (
	durationValue = value[time.Duration]{&form{name: "duration", unit: inSeconds, open: true, words: []string{"forever"}, pattern: durationPattern}, parseDuration}
	instantValue  = value[time.Duration]{&form{name: "instant", unit: inSeconds, open: true, pattern: "-?" + durationPattern}, parseInstant}
	rateValue     = value[float64]{&form{name: "rate", unit: perSecond, open: true, pattern: numberPattern + "/[smhd]"}, parseRate}
	shareValue    = value[float64]{&form{name: "share", unit: asShare, open: true, pattern: numberPattern + "%?"}, parseShare}
	factorValue   = value[float64]{&form{name: "factor", unit: asShare, open: true, pattern: numberPattern + "%?"}, parseFactor}
	numberValue   = value[float64]{&form{name: "number", unit: asCount, open: true, pattern: numberPattern}, parseNumber}
	driftValue    = value[float64]{&form{name: "drift", unit: asShare, open: true, pattern: "-?" + numberPattern + "ppm"}, parseDrift}
	countValue    = value[int]{&form{name: "count", unit: asCount, open: true, words: []string{"unlimited"}, pattern: "[0-9][0-9_]*"}, parseCount}
	wholeValue    = value[int]{&form{name: "number", unit: asCount, open: true, pattern: "[0-9][0-9_]*"}, parseWhole}
	distValue     = value[dist.Dist]{&form{name: "dist", unit: inSeconds, open: true}, dist.Parse}
	scriptValue   = value[dist.Dist]{&form{name: "dist", unit: inSeconds, open: true, many: script}, dist.Parse}
	boolValue     = value[bool]{&form{name: "bool", words: []string{"true", "false"}}, parseBool}
	textValue     = value[string]{&form{name: "text", open: true}, parseText}
	nameValue     = value[string]{&form{name: "name", open: true, pattern: "[a-z][a-z0-9_]*"}, parseName}
	namesValue    = value[string]{&form{name: "name", open: true, pattern: "[a-z][a-z0-9_]*", many: set}, parseName}
)

// What the JSON schema shows of a form; the parsers are stricter.
const (
	durationPattern = `(0|([0-9][0-9_]*(\.[0-9]+)?(ns|us|µs|ms|s|m|h|d))+)`
	numberPattern   = `[0-9][0-9_]*(\.[0-9]+)?(e-?[0-9]+)?`
)

func parseText(text string) (string, error) { return text, nil }

func parseBool(text string) (bool, error) {
	if text != "true" && text != "false" {
		return false, fmt.Errorf("%q is neither true nor false", text)
	}
	return text == "true", nil
}

// parseName checks the name of a thing: [a-z][a-z0-9_]*.
func parseName(text string) (string, error) {
	for i, c := range text {
		if c >= 'a' && c <= 'z' || i > 0 && (c >= '0' && c <= '9' || c == '_') {
			continue
		}
		return "", fmt.Errorf("%q is not a name: small letters, digits and _, beginning with a letter", text)
	}
	if text == "" {
		return "", fmt.Errorf("a name is missing")
	}
	return text, nil
}

func parseDuration(text string) (time.Duration, error) {
	d, err := dist.ParseDuration(text)
	if err == nil && d < 0 {
		return 0, fmt.Errorf("%q is negative", text)
	}
	return d, err
}

// durationOr is a duration, or a word for one without end.
func durationOr(word string) value[time.Duration] {
	return value[time.Duration]{&form{name: "duration", unit: inSeconds, open: true, words: []string{word}}, func(text string) (time.Duration, error) {
		if text == word {
			return Forever, nil
		}
		return parseDuration(text)
	}}
}

func parseInstant(text string) (time.Duration, error) {
	d, err := dist.ParseDuration(text)
	if err == nil && d == Forever {
		return 0, fmt.Errorf("forever is not an instant")
	}
	return d, err
}

var errTooLarge = errors.New("is too large a number")

// parseNumber reads a plain finite number that is not negative; digits may be
// parted by underscores.
func parseNumber(text string) (float64, error) {
	x, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%q %w", text, errTooLarge)
	case err != nil || text == "" || strings.ContainsAny(text, "xXpP") || strings.HasPrefix(text, "_") || strings.HasSuffix(text, "_"):
		return 0, fmt.Errorf("%q is not a number", text)
	case math.IsNaN(x) || math.IsInf(x, 0):
		return 0, fmt.Errorf("%q is not a finite number", text)
	case x < 0:
		return 0, fmt.Errorf("%q is negative", text)
	}
	return x, nil
}

func parseRate(text string) (float64, error) {
	number, per, found := strings.Cut(text, "/")
	x, err := parseNumber(number)
	if !found || err != nil {
		return 0, fmt.Errorf("%q is not a rate: write a number per s, m, h or d, such as 40/s", text)
	}
	for _, u := range []struct {
		name    string
		seconds float64
	}{{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}} {
		if per == u.name {
			return x / u.seconds, nil
		}
	}
	return 0, fmt.Errorf("%q is not a rate: per %q is none of s, m, h, d", text, per)
}

// parseFactor reads a share that may exceed one.
func parseFactor(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	x, err := parseNumber(number)
	switch {
	case errors.Is(err, errTooLarge):
		return 0, err
	case err != nil:
		return 0, fmt.Errorf("%q is not a share: write 25%% or 0.25", text)
	}
	if percent {
		x /= 100
	}
	return x, nil
}

func parseShare(text string) (float64, error) {
	x, err := parseFactor(text)
	if err == nil && x > 1 {
		return 0, fmt.Errorf("%q is more than 100%%", text)
	}
	return x, err
}

// parseDrift reads the rate error of a clock in parts per million; a fast
// clock has a positive one.
func parseDrift(text string) (float64, error) {
	number, ppm := strings.CutSuffix(text, "ppm")
	digits, minus := strings.CutPrefix(number, "-")
	x, err := parseNumber(digits)
	switch {
	case !ppm || err != nil:
		return 0, fmt.Errorf("%q is not a drift: write parts per million, such as 50ppm or -20ppm", text)
	case x > 1e5:
		return 0, fmt.Errorf("%q is more than 100000ppm", text)
	case minus:
		x = -x
	}
	return x / 1e6, nil
}

// parseWhole reads a count that has an end.
func parseWhole(text string) (int, error) {
	if text == "unlimited" {
		return 0, fmt.Errorf("there must be an end to it: write a whole number")
	}
	x, err := parseNumber(text)
	switch {
	case err != nil, x != math.Trunc(x):
		return 0, fmt.Errorf("%q is not a whole number", text)
	case x > Unlimited/2:
		return 0, fmt.Errorf("%q is too large: write %d or less", text, Unlimited/2)
	}
	return int(x), nil
}

func parseCount(text string) (int, error) {
	if text == "unlimited" {
		return Unlimited, nil
	}
	x, err := parseNumber(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is not a count: write a whole number or unlimited", text)
	case x > Unlimited/2 && x == math.Trunc(x):
		return 0, fmt.Errorf("%q is too large: write unlimited", text)
	}
	return parseWhole(text)
}
