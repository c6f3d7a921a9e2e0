package scenario

import (
	"fmt"
	"strings"
	"time"
)

// Concurrency is how much may be in flight; see policies/backpressure.
type Concurrency struct {
	Kind      LimiterKind
	Start     int
	Low, High int // 0: the policy's default
	Window    time.Duration
	Slack     int
	Step      int
	Backoff   float64 // 0: the policy's default
	Probe     time.Duration
	K         float64
	Wait      bool // full: wait instead of reject
}

// LimiterKind names a rule of policies/backpressure.
type LimiterKind uint8

const (
	FixedLimit LimiterKind = iota
	AIMD
	Gradient
	Vegas
	Throttle
	RateLimit
)

// Accepts is a token bucket.
type Accepts struct {
	Rate  float64 // per second
	Burst int
}

var concurrencyBlock = define(block{
	name: "concurrency",
	main: "kind",
	keys: []key{
		{name: "kind", form: limiterValue.form, fixed: true, help: "fixed: start at once; aimd: step more after a good window, times backoff after an overload; gradient: by usual over present latency; vegas: by the queue that latency above its least betrays; throttle: refuses by chance, in proportion to what is not accepted; rate: start calls per window"},
		{name: "start", form: wholeValue.form, fixed: true, help: "the first limit; the low end of the range if absent"},
		{name: "range", form: countRangeValue.form, fixed: true, help: "the limit stays within"},
		{name: "window", form: durationValue.form, fixed: true, help: "aimd: a round, rate: of so many calls, 1s if absent; throttle: how long calls count, 2m if absent"},
		{name: "slack", form: wholeValue.form, fixed: true, help: "gradient: calls aimed at beyond, 4 if absent; vegas: calls that may queue, 3 if absent"},
		{name: "step", form: wholeValue.form, fixed: true, help: "growth per round, 1 if absent"},
		{name: "backoff", form: shareValue.form, fixed: true, help: "factor after an overload, 90% if absent"},
		{name: "probe", form: durationValue.form, fixed: true, help: "vegas: the least latency is measured anew so often, 30s if absent"},
		{name: "k", form: numberValue.form, fixed: true, help: "throttle: requests per accepted one, 2 if absent; gradient: latency borne, as a multiple of the usual, 1.5 if absent"},
		{name: "full", form: fullValue.form, initial: "reject", fixed: true, help: "reject: a call too many fails at once; wait: it waits for its turn"},
	},
})

var acceptsBlock = define(block{
	name: "accepts",
	main: "rate",
	keys: []key{
		{name: "rate", form: rateValue.form, help: "calls per second"},
		{name: "burst", form: wholeValue.form, initial: "1", help: "calls at once after silence"},
	},
})

var (
	limiterValue    = choice[LimiterKind]("kind of limit", "fixed", "aimd", "gradient", "vegas", "throttle", "rate")
	fullValue       = choice[uint8]("reaction", "reject", "wait")
	countRangeValue = value[countRange]{&form{name: "range", open: true, pattern: `[0-9][0-9_]*\.\.[0-9][0-9_]*`}, parseCountRange}
)

// countRange is a range of numbers, from 1 on.
type countRange struct{ low, high int }

func parseCountRange(text string) (countRange, error) {
	low, high, found := strings.Cut(text, "..")
	if !found {
		return countRange{}, fmt.Errorf("%q is not a range: write LOW..HIGH, such as 1..40", text)
	}
	l, err := parseWhole(low)
	if err != nil {
		return countRange{}, err
	}
	h, err := parseWhole(high)
	switch {
	case err != nil:
	case h < l:
		err = fmt.Errorf("%q ends before it begins", text)
	case l < 1:
		err = fmt.Errorf("%q: give 1 or more", text)
	}
	return countRange{l, h}, err
}

func (v view) concurrency() *Concurrency {
	v.required("kind")
	r := get(v, "range", countRangeValue)
	c := &Concurrency{
		Kind:    get(v, "kind", limiterValue),
		Start:   get(v, "start", wholeValue),
		Low:     r.low,
		High:    r.high,
		Window:  get(v, "window", durationValue),
		Slack:   get(v, "slack", wholeValue),
		Step:    get(v, "step", wholeValue),
		Backoff: get(v, "backoff", shareValue),
		Probe:   get(v, "probe", durationValue),
		K:       get(v, "k", numberValue),
		Wait:    get(v, "full", fullValue) == 1,
	}
	v.atLeastOne("start", "slack", "step")
	switch {
	case !v.sound("start", "range", "kind", "backoff", "k", "window", "probe"):
	case v.has("range") && v.has("start") && (c.Start < c.Low || c.Start > c.High):
		v.wrong("start", "must lie within the range %d..%d", c.Low, c.High)
	case c.Start > maxLimit || c.High > maxLimit:
		v.problem(v.n, v.path, "a limit of more than %d is no limit", maxLimit)
	case !v.has("start") && !v.has("range") && c.Kind != Throttle:
		v.problem(v.n, v.path, "needs start or range")
	case v.has("start") && !v.has("range") && c.Kind == FixedLimit, c.Kind == Throttle:
	case v.has("backoff") && (c.Backoff <= 0.001 || c.Backoff >= 0.999):
		v.wrong("backoff", "must lie between 0.1%% and 99.9%%")
	}
	if v.has("k") && c.K < 1 {
		v.wrong("k", "must be 1 or more")
	}
	if c.Kind == Throttle && c.Wait {
		v.wrong("full", "throttle refuses by chance; there is no turn to wait for")
	}
	for _, name := range []string{"window", "probe"} {
		if d := get(v, name, durationValue); v.has(name) && v.sound(name) && (d < time.Millisecond || d == Forever) {
			v.wrong(name, "give 1ms or more")
		}
	}
	rule := c.Rule()
	v.refused(rule.Check())
	return c
}

// maxLimit bounds the memory that a limit of calls or slots may ask for.
const maxLimit = 1_000_000

func (v view) accepts() *Accepts {
	v.required("rate")
	v.atLeastOne("burst")
	a := &Accepts{Rate: get(v, "rate", rateValue), Burst: get(v, "burst", wholeValue)}
	switch {
	case v.has("rate") && v.sound("rate") && (a.Rate < 1e-6 || a.Rate > 1e9):
		v.wrong("rate", "must lie between 0.000001/s and 1e9/s; for a service that answers nothing say serves: none")
	case a.Burst > maxLimit:
		v.wrong("burst", "must be %d or less", maxLimit)
	}
	rule := a.Rule()
	v.refused(rule.Check())
	return a
}
