package dist

import (
	"fmt"
	"math"
	"strings"
)

// Parse reads a distribution:
//
//	TERM          D | A..B | exp MEAN | normal mean A sd B |
//	              lognormal mean A (or median A), then sd B, cv N, p99 B or sigma N |
//	              gamma mean A, then shape N or cv N |
//	              weibull scale A shape N | pareto least A shape N
//	SUM           TERM + TERM …
//	MIXTURE       P% SUM or P% SUM …         (the weights add up to 100%)
//	DISTRIBUTION  SUM or MIXTURE, then perhaps: cap D
//
// A, B, D and MEAN are durations (see ParseDuration) that are not negative; N
// is a plain number. A draw of normal below zero becomes its absolute value. A
// cap applies to all the text before it. forever stands alone, or as a part of
// a mixture. An error names the word that does not fit and what does.
func Parse(text string) (Dist, error) {
	p := parser{text: text, words: strings.Fields(text), weights: 100}
	open := p.mixture()
	k, isConstant := open.(constant)
	l := law(open)
	if p.take("cap") {
		most := p.duration(1)
		k = constant(k.limited(most))
		l = capped{open, most}
	}
	if p.at < len(p.words) {
		p.fail("unexpected %q%s; a +, or, cap or the end may follow %q",
			p.peek(), hint(p.peek(), []string{"or", "cap"}), strings.Join(p.words[:p.at], " "))
	}
	if math.Abs(p.weights-100) > 1e-7 {
		p.fail("the weights add up to %v%%, not 100%%", p.weights)
	}
	if p.err != nil {
		return Dist{}, p.err
	}
	if isConstant {
		return Dist{fixed: k.duration()}, nil
	}
	return Dist{law: l, text: strings.Join(p.canonical, " ")}, nil
}

// parser walks over the words of a text. After the first failure it goes on
// with zeros, and only the first failure is told.
type parser struct {
	text      string
	words     []string
	at        int
	canonical []string // the words so far, durations and numbers in one spelling
	weights   float64  // sum of a mixture's percentages, 100 without one
	err       error
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("distribution %q: %s", p.text, fmt.Sprintf(format, args...))
	}
}

// peek is the next word, empty at the end.
func (p *parser) peek() string {
	if p.at == len(p.words) {
		return ""
	}
	return p.words[p.at]
}

// next takes the word that the caller then writes to canonical.
func (p *parser) next() string {
	w := p.peek()
	if w != "" {
		p.at++
	}
	return w
}

// take takes the word w if it is the next one.
func (p *parser) take(w string) bool {
	if p.err != nil || p.peek() != w {
		return false
	}
	p.write(p.next())
	return true
}

func (p *parser) write(w string) { p.canonical = append(p.canonical, w) }

func (p *parser) mixture() openLaw {
	if !strings.HasSuffix(p.peek(), "%") {
		return p.sum()
	}
	var m mixture
	total := 0.0
	for {
		percent := p.percent()
		total += percent
		m = append(m, part{share: percent, upTo: total, law: p.sum()})
		if !p.take("or") {
			break
		}
	}
	p.weights = total
	for i := range m {
		m[i].share /= total
		m[i].upTo /= total
	}
	return m
}

func (p *parser) percent() float64 {
	w := p.next()
	digits, ok := strings.CutSuffix(w, "%")
	share, err := parseNumber(digits)
	switch {
	case w == "":
		p.fail("ends where a weight such as 10%% was expected")
	case !ok:
		p.fail("%q is not a weight; each part of a mixture begins with one, such as 10%%", w)
	case err != nil:
		p.fail("%q is not a weight: %v", w, err)
	case share < 0 || share > 100:
		p.fail("the weight %q is not between 0%% and 100%%", w)
	}
	p.write(formatNumber(share) + "%")
	return share
}

func (p *parser) sum() openLaw {
	var s sum
	for n := 1; ; n++ {
		switch t := p.term().(type) {
		case constant:
			s.shift += float64(t)
		default:
			s.terms = append(s.terms, t)
		}
		if s.shift > math.MaxFloat64 && (n > 1 || p.peek() == "+") {
			p.fail("forever cannot be added to; write it alone or as a part of a mixture")
		}
		if !p.take("+") {
			break
		}
	}
	switch {
	case s.shift >= float64(Forever) && s.shift <= math.MaxFloat64:
		p.fail("the constants add up to more than the longest time, 106751 days")
	case len(s.terms) == 0:
		return constant(s.shift)
	case len(s.terms) == 1 && s.shift == 0:
		return s.terms[0]
	}
	return s
}

// term is one law; a word that begins none is explained.
func (p *parser) term() openLaw {
	w := p.peek()
	if read, ok := laws[w]; ok {
		p.write(p.next())
		return read(p)
	}
	low, high, isRange := strings.Cut(w, "..")
	switch {
	case isRange:
		return p.uniform(low, high)
	case w == "forever" || strings.ContainsAny(w[:min(1, len(w))], "0123456789.+-") && w != "+":
		return p.constant()
	case w == "":
		p.fail("ends where a duration, a range A..B or one of %s was expected", lawNames)
	case w == "data" || w == "trace":
		p.fail("%q, values from a file, is not yet supported", w)
	default:
		p.fail("unknown word %q%s; a duration, a range A..B or one of %s was expected", w, hint(w, lawWords), lawNames)
	}
	return constant(0)
}

// constant is a duration; here alone forever is welcome.
func (p *parser) constant() openLaw {
	w := p.next()
	if w == "forever" {
		p.write(w)
		return newConstant(Forever)
	}
	d := p.read(w, 0)
	p.write(formatDuration(d))
	return constant(d)
}

var (
	laws = map[string]func(*parser) openLaw{
		"exp": (*parser).exponential, "normal": (*parser).normal, "lognormal": (*parser).lognormal,
		"gamma": (*parser).gamma, "weibull": (*parser).weibull, "pareto": (*parser).pareto,
	}
	lawWords = []string{"exp", "normal", "lognormal", "gamma", "weibull", "pareto"}
	lawNames = strings.Join(lawWords, ", ")
)
