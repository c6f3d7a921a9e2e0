package experiments

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr/file"
)

// misuse is a problem at a column of an expression.
func misuse(source string, from int, message string) error {
	return fmt.Errorf("%s (column %d of `%s`)", message, from+1, source)
}

// explain turns the compiler's message into one that says what to write.
func (l *language) explain(source string, err error) error {
	if from, message, ok := withUnit(source); ok {
		return misuse(source, from, message)
	}
	var at *file.Error
	if !errors.As(err, &at) {
		return fmt.Errorf("%w (in `%s`)", err, source)
	}
	message := at.Message
	switch {
	case unknown(at) && called(source, at.From):
		name := dotted(source, at.From)
		message = fmt.Sprintf("unknown function %q%s", name, cmp.Or(Suggest(name, l.functions), "; known: "+strings.Join(l.functions, ", ")))
	case unknown(at):
		name := dotted(source, at.From)
		message = fmt.Sprintf("unknown metric %q%s", name, Suggest(name, l.names))
	case strings.Contains(message, `unexpected token Operator("=")`):
		message = "write == to compare"
	case strings.Contains(message, "map[string]interface {}"):
		message = strings.ReplaceAll(message, "map[string]interface {}", "distribution") + "; name a part of it, such as .mean or .p99"
	case strings.Contains(message, "experiments."):
		message = strings.ReplaceAll(message, "experiments.", "")
	}
	return misuse(source, at.From, message)
}

// unknown says that the compiler does not know a name.
func unknown(err *file.Error) bool {
	return strings.HasPrefix(err.Message, "unknown name") || strings.HasPrefix(err.Message, "unknown field")
}

// called says that the name around a place in an expression is a function's.
func called(source string, from int) bool {
	rest := strings.TrimLeftFunc(string([]rune(source)[from:]), ofName)
	return strings.HasPrefix(strings.TrimLeft(rest, " "), "(")
}

// onePart is a number with its unit.
const onePart = `([0-9][0-9_]*(?:\.[0-9]+)?) ?(ns|us|µs|ms|/?[smhd]|%)`

// quantity is a value as settings are written and expressions are not: 1s,
// 1h30m, "500 ms", 5%, 10/s.
var (
	quantity     = regexp.MustCompile(`["']?\b((?:` + onePart + `)+)(?:\W|$)`)
	quantityPart = regexp.MustCompile(onePart)
)

// baseUnits are what a unit is worth in the numbers of an expression: seconds,
// events per second, parts of one.
var baseUnits = map[string]float64{
	"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86400, "%": 0.01,
	"/s": 1, "/m": 1.0 / 60, "/h": 1.0 / 3600, "/d": 1.0 / 86400,
}

// withUnit finds a number with a unit in an expression that does not compile.
func withUnit(source string) (from int, message string, found bool) {
	place := quantity.FindStringSubmatchIndex(source)
	if place == nil {
		return 0, "", false
	}
	text, total, unit := source[place[2]:place[3]], 0.0, ""
	for _, part := range quantityPart.FindAllStringSubmatch(text, -1) {
		x, err := strconv.ParseFloat(strings.ReplaceAll(part[1], "_", ""), 64)
		if err != nil {
			return 0, "", false
		}
		unit = part[2]
		total += x * baseUnits[unit]
	}
	written := strconv.FormatFloat(total, 'g', 12, 64)
	switch {
	case unit == "%":
		message = fmt.Sprintf("an expression has no percentages: write the share %s for %s", written, text)
	case strings.HasPrefix(unit, "/"):
		message = fmt.Sprintf("an expression has no units: write the rate per second as a number, %s for %s", written, text)
	default:
		message = fmt.Sprintf("an expression has no units: write seconds as a number, %s for %s", written, text)
	}
	return utf8.RuneCountInString(source[:place[0]]), message, true
}
