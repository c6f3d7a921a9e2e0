package dist

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
)

// The plain numbers of a law lie in these ranges. Beyond them a time is as
// good as constant or overflows: a slip is likelier than a wish.
const (
	leastSpread, mostSpread = 1e-5, 100 // cv, sigma
	leastShape, mostShape   = 0.01, 1e6
)

func (p *parser) uniform(low, high string) openLaw {
	word := p.next()
	a := p.read(low, 0)
	b := p.read(high, 0)
	if b < a {
		p.fail("the range %q runs backwards; write %s..%s", word, high, low)
	}
	p.write(formatDuration(a) + ".." + formatDuration(b))
	if a == b {
		return constant(a)
	}
	return uniform{float64(a), float64(b)}
}

func (p *parser) exponential() openLaw {
	return exponential{p.duration(1)}
}

func (p *parser) normal() openLaw {
	p.choose("mean")
	mean := p.duration(0)
	p.choose("sd")
	return normal{mean, p.duration(1)}
}

// lognormal solves for median and sigma: the mean is e^(sigma²/2) times the
// median, the p99 e^(z sigma) times, and the squared cv is e^(sigma²) - 1.
func (p *parser) lognormal() openLaw {
	byMean := p.choose("mean", "median") == "mean"
	center := p.duration(1)
	var sigma float64
	switch p.choose("sd", "cv", "p99", "sigma") {
	case "sd":
		ratio := p.duration(1) / center
		if byMean {
			sigma = sigmaOfCV(ratio)
		} else { // (sd/median)² = w(w-1), where w = e^(sigma²)
			v := float64(ratio * ratio)
			sigma = math.Sqrt(exact.Log1p(2 * v / (1 + math.Sqrt(1+float64(4*v)))))
		}
	case "cv":
		sigma = sigmaOfCV(p.number(leastSpread, mostSpread))
	case "p99":
		sigma = p.sigmaOfP99(p.duration(1)/center, byMean)
	case "sigma":
		sigma = p.number(leastSpread, mostSpread)
	}
	if !(sigma >= leastSpread && sigma <= mostSpread) {
		p.fail("its sigma would be %.3g, not between %v and %v", sigma, leastSpread, mostSpread)
	}
	if byMean {
		return lognormal{float64(center * exact.Exp(-float64(sigma*sigma)/2)), sigma}
	}
	return lognormal{center, sigma}
}

func sigmaOfCV(cv float64) float64 {
	return math.Sqrt(exact.Log1p(float64(cv * cv)))
}

// sigmaOfP99 solves ln(p99/center) = z sigma, less sigma²/2 if the center is
// the mean. Of the two solutions it takes the smaller: the greater one has a
// median far below the mean and is nobody's service time.
func (p *parser) sigmaOfP99(ratio float64, byMean bool) float64 {
	z := exact.NormQuantile(0.99)
	r := exact.Log(ratio)
	most := exact.Exp(float64(z*z) / 2)
	switch {
	case p.err != nil:
		return 0
	case r <= 0:
		p.fail("p99 must be greater than the mean or median")
	case byMean && ratio > most:
		p.fail("a lognormal's p99 is at most %.2f times its mean; give the median, or a sigma, or for a rare slow case a mixture such as `95%% exp 1s or 5%% exp 20s`", most)
	case byMean:
		return 2 * r / (z + math.Sqrt(math.Max(0, float64(z*z)-float64(2*r))))
	}
	return r / z
}

func (p *parser) gamma() openLaw {
	p.choose("mean")
	mean := p.duration(1)
	var shape float64
	if p.choose("shape", "cv") == "shape" {
		shape = p.number(leastShape, mostShape)
	} else {
		cv := p.number(leastSpread, mostSpread)
		shape = 1 / float64(cv*cv)
		if shape < leastShape || shape > mostShape {
			p.fail("a gamma's cv lies between %v and %v", 1/math.Sqrt(mostShape), 1/math.Sqrt(leastShape))
		}
	}
	return gamma{mean / shape, shape}
}

func (p *parser) weibull() openLaw {
	p.choose("scale")
	scale := p.duration(1)
	p.choose("shape")
	return weibull{scale, p.number(leastShape, mostShape)}
}

func (p *parser) pareto() openLaw {
	p.choose("least")
	least := p.duration(1)
	p.choose("shape")
	return pareto{least, p.number(leastShape, mostShape)}
}

// choose takes one of the given keywords.
func (p *parser) choose(words ...string) string {
	w := p.peek()
	for _, want := range words {
		if p.take(want) {
			return want
		}
	}
	expected := strings.Join(words, " or ")
	if w == "" {
		p.fail("ends where %s was expected", expected)
	}
	p.fail("%s was expected, not %q%s", expected, w, hint(w, words))
	return words[0]
}

// duration takes a finite duration of at least the given one, in nanoseconds.
func (p *parser) duration(least time.Duration) float64 {
	w := p.next()
	if w == "" {
		p.fail("ends where a duration such as 250ms was expected")
	}
	d := p.read(w, least)
	p.write(formatDuration(d))
	return float64(d)
}

func (p *parser) read(word string, least time.Duration) time.Duration {
	d, err := ParseDuration(word)
	switch {
	case err != nil:
		p.fail("%v", err)
	case d == Forever:
		p.fail("forever stands alone or as a part of a mixture; a duration such as 250ms was expected")
	case d < 0:
		p.fail("%q is negative; a time drawn cannot be", word)
	case d < least:
		p.fail("%q must be more than zero; the constant zero is written 0s", word)
	}
	return d
}

// number takes a plain number between two bounds.
func (p *parser) number(least, most float64) float64 {
	name := p.canonical[len(p.canonical)-1]
	w := p.next()
	x, err := parseNumber(w)
	switch {
	case p.err != nil:
		return least
	case w == "":
		p.fail("ends where a number for %s was expected", name)
	case err != nil:
		if _, bad := ParseDuration(w); bad == nil {
			err = fmt.Errorf("it is a plain number, without a unit")
		}
		p.fail("%q does not fit %s: %v", w, name, err)
	case x < least || x > most:
		p.fail("%s %s is not between %v and %v", name, w, least, most)
	}
	p.write(formatNumber(x))
	return x
}

// parseNumber reads a plain decimal number.
func parseNumber(word string) (float64, error) {
	if strings.Trim(word, "0123456789.eE+-_") != "" || strings.Trim(word, "eE+-._") == "" {
		return 0, fmt.Errorf("a plain number such as 1.5 was expected")
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(word, "_", ""), 64)
	if err != nil {
		return 0, fmt.Errorf("not a number that a float64 holds")
	}
	return x, nil
}

func formatNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
