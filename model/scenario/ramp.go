package scenario

import (
	"strconv"
	"strings"
	"time"
)

// Ramp is how far an event that sets something over a time has come: its
// numbers have gone Step of RampSteps equal steps from what they were.
type Ramp struct{ Event, Step int }

// RampSteps is the number of steps in which a number goes from one value to the
// next.
const RampSteps = 20

// ramped is the values of an event's set when it has gone so many steps. Texts
// that differ only in their numbers go in a straight line; all else is there
// from the beginning.
func (s *Scenario) ramped(e *Event, step int, problems *Problems) []assignment {
	whole := assignments(e.sets)
	if step >= RampSteps {
		return whole
	}
	assigned := s.origin.assigned.clone()
	*problems = append(*problems, assignAll(assigned, whole, true)...)
	end, more := s.origin.file.resolveTree(assigned)
	if *problems = append(*problems, more...); len(*problems) > 0 {
		return nil
	}
	for i, a := range whole {
		path := splitPath(a.path)
		from, f, ok := lookup(s.origin.resolved, settingsBlock.form, path)
		to, _, there := lookup(end.origin.resolved, settingsBlock.form, path)
		if !ok || !there || from == nil || to == nil || from.kind != scalar || to.kind != scalar {
			continue
		}
		if mixed, ok := blend(from.text, to.text, step, f.unit); ok {
			whole[i].value = text(mixed, a.value.at)
		}
	}
	return whole
}

// blend is the text between two others whose words are the same and whose
// numbers differ; ok is false if they are not of one kind.
func blend(from, to string, step int, u unit) (string, bool) {
	a, b := strings.Fields(from), strings.Fields(to)
	if len(a) != len(b) {
		return "", false
	}
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		between, ok := blendNumber(a[i], b[i], step, u)
		if !ok {
			return "", false
		}
		a[i] = between
	}
	return strings.Join(a, " "), true
}

func blendNumber(from, to string, step int, u unit) (string, bool) {
	mix := func(x, y float64) string {
		return strconv.FormatFloat(x+float64((y-x)*float64(step))/RampSteps, 'g', -1, 64)
	}
	if x, err := parseRate(from); err == nil {
		y, err := parseRate(to)
		return mix(x, y) + "/s", err == nil
	}
	if n, err := parseWhole(from); err == nil && u == asCount {
		m, err := parseWhole(to)
		return strconv.Itoa(n + (m-n)*step/RampSteps), err == nil
	}
	if x, err := parseFactor(from); err == nil {
		y, err := parseFactor(to)
		return mix(x, y), err == nil
	}
	if x, err := parseDuration(from); err == nil && x != Forever {
		y, err := parseDuration(to)
		return strconv.FormatInt(int64(x+(y-x)/RampSteps*time.Duration(step)), 10) + "ns", err == nil && y != Forever
	}
	return "", false
}
