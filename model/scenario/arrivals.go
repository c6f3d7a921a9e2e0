package scenario

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tenggat/tenggat/sim/dist"
)

var arrivalsValue = value[[]Arrivals]{&form{name: "arrivals", open: true, many: script}, parseArrivals}

// parseArrivals reads sources joined with `and`:
//
//	at T [T …] | every PERIOD | poisson RATE | loop [after D] [from T]
//
// each followed by any of: times N, until T, batch N, batch geometric N.
func parseArrivals(text string) ([]Arrivals, error) {
	w := words{text: text, rest: strings.Fields(text)}
	var sources []Arrivals
	for {
		a, err := w.source()
		if err != nil {
			return nil, fmt.Errorf("arrivals %q: %w", text, err)
		}
		sources = append(sources, a)
		if len(w.rest) == 0 {
			return sources, nil
		}
		w.rest = w.rest[1:] // and
	}
}

// words is a text that is read word by word.
type words struct {
	text string
	rest []string
}

func (w *words) next() string {
	if len(w.rest) == 0 {
		return ""
	}
	first := w.rest[0]
	w.rest = w.rest[1:]
	return first
}

func (w *words) take(word string) bool {
	if len(w.rest) == 0 || w.rest[0] != word {
		return false
	}
	w.rest = w.rest[1:]
	return true
}

// until is the text up to the first of some words.
func (w *words) until(stops ...string) string {
	n := 0
	for n < len(w.rest) && !slices.Contains(stops, w.rest[n]) {
		n++
	}
	taken := strings.Join(w.rest[:n], " ")
	w.rest = w.rest[n:]
	return taken
}

func (w *words) source() (Arrivals, error) {
	a := Arrivals{Times: Unlimited, Until: Forever, Batch: 1}
	var err error
	switch kind := w.next(); kind {
	case "at":
		a.Kind, a.Times = ArriveAt, 1
		for _, t := range strings.Fields(w.until("times", "until", "batch", "and")) {
			var at time.Duration
			if at, err = parseInstant(t); err != nil {
				return a, err
			}
			a.At = append(a.At, at)
		}
		if len(a.At) == 0 {
			return a, fmt.Errorf("at needs one instant or more")
		}
	case "every":
		a.Kind = ArriveEvery
		if a.Every, err = parsePeriod(w.until("times", "until", "batch", "and")); err == nil {
			err = ticks(a.Every)
		}
	case "poisson":
		a.Kind = ArrivePoisson
		a.Rate, err = parseRate(w.next())
	case "loop":
		a.Kind = ArriveLoop
		err = w.loop(&a)
	case "trace":
		err = fmt.Errorf("trace is not yet supported")
	default:
		err = fmt.Errorf("%q is no kind of arrivals%s", kind, didYouMean(kind, []string{"at", "every", "poisson", "loop"}))
	}
	if err == nil {
		err = w.bounds(&a)
	}
	return a, err
}

func (w *words) loop(a *Arrivals) (err error) {
	if w.take("after") {
		if a.After, err = dist.Parse(w.until("from", "times", "until", "batch", "and")); err != nil {
			return err
		}
	}
	if w.take("from") {
		var from time.Duration
		if from, err = parseInstant(w.next()); err != nil {
			return err
		}
		a.From = &from
	}
	return nil
}

// bounds reads what may follow any source, up to the end or the next source.
func (w *words) bounds(a *Arrivals) (err error) {
	for err == nil && len(w.rest) > 0 && w.rest[0] != "and" {
		switch word := w.next(); word {
		case "times":
			a.Times, err = w.positive("times")
		case "until":
			a.Until, err = parseInstant(w.next())
		case "batch":
			if !w.take("geometric") {
				a.Batch, err = w.positive("batch")
				break
			}
			a.Mean, err = parseNumber(w.next())
			if err == nil && a.Mean < 1 {
				err = fmt.Errorf("a geometric batch has a mean of 1 or more")
			}
		default:
			err = fmt.Errorf("unexpected %q%s", word, didYouMean(word, []string{"times", "until", "batch", "and"}))
		}
	}
	return err
}

func (w *words) positive(what string) (int, error) {
	n, err := parseWhole(w.next())
	if err == nil && n < 1 {
		err = fmt.Errorf("%s needs a number of 1 or more", what)
	}
	return n, err
}
