package scenario

import (
	"fmt"
	"strings"
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/sim/dist"
)

var retryBlock = define(block{
	name:   "retry",
	main:   "preset",
	preset: "retry",
	keys: []key{
		{name: "preset", form: textValue.form, fixed: true, help: "a known retry rule, e.g. aws-sdk-standard; the other keys change it"},
		ownKey,
		{name: "attempts", form: countValue.form, help: "attempts of one request, the first included; 1 if absent, in a queue unlimited"},
		{name: "delay", form: delayValue.form, initial: "0s", help: "wait before retry k, before jitter; the last of a list repeats"},
		{name: "growth", form: numberValue.form, initial: "1", help: "factor on the delay from retry to retry"},
		{name: "cap", form: durationValue.form, help: "longest wait before jitter"},
		{name: "jitter", form: jitterValue.form, initial: "none", help: "none; full: [0, v]; equal: [v/2, v]; spread 20%: to both sides; less 20%: [0.8·v, v]; add 1s: [v, v + 1s]; decorrelated: [delay, 3·previous wait]"},
		{name: "elapsed", form: durationValue.form, help: "no retry that would begin so long after the request did"},
		{name: "only", form: onlyValue.form, help: "error classes worth a retry (transient if absent); in a queue also the causes of return that wait: failure, expiry, return (all if absent)"},
		{name: "budget", form: budgetBlock.form, help: "bounds the retries of one owner"},
	},
	later: []string{"hedge"},
})

var budgetBlock = define(block{
	name: "budget",
	keys: []key{
		{name: "ratio", form: factorValue.form, help: "retries per first try"},
		{name: "tokens", form: numberValue.form, help: "size of a token bucket, full at the start; instead of ratio"},
		{name: "cost", form: numberValue.form, initial: "5", help: "tokens that a retry takes"},
		{name: "earn", form: numberValue.form, initial: "1", help: "tokens that a success at the first try gives"},
		{name: "refund", form: refundValue.form, initial: "none", help: "last: a success after retries gives the last retry's cost back"},
		{name: "floor", form: rateValue.form, initial: "0/s", help: "retries that are always allowed"},
		{name: "scope", form: scopeOfValue.form, initial: "process", help: "who shares it: the requests of a process, or all that call the service"},
	},
})

var (
	delayValue   = value[time.Duration]{&form{name: "delay", unit: inSeconds, open: true, many: script}, parseDelay}
	jitterValue  = value[jitter]{&form{name: "jitter", open: true, words: []string{"none", "full", "equal", "decorrelated"}}, parseJitter}
	refundValue  = choice[uint8]("refund", "none", "last")
	scopeOfValue = choice[uint8]("scope", "process", "service")
	onlyWords    = []string{"transient", "permanent", "coordination", "failure", "expiry", "return"}
	onlyValue    = func() value[uint8] {
		c := choice[uint8]("error class or cause", onlyWords...)
		c.many = set
		return c
	}()
)

// parseDelay reads a constant; random delays are written as jitter.
func parseDelay(text string) (time.Duration, error) {
	d, err := parseDuration(text)
	if err != nil {
		if _, other := dist.Parse(text); other == nil || strings.Contains(text, "random()") {
			return 0, fmt.Errorf("%q: a random delay is not yet supported; use jitter", text)
		}
	}
	return d, err
}

// jitter is uniform on [low·v, high·v + add].
type jitter struct {
	low, high   float64
	add         time.Duration
	decorrelate bool
}

func parseJitter(text string) (jitter, error) {
	switch text {
	case "none":
		return jitter{low: 1, high: 1}, nil
	case "full":
		return jitter{low: 0, high: 1}, nil
	case "equal":
		return jitter{low: 0.5, high: 1}, nil
	case "decorrelated":
		return jitter{low: 1, high: 1, decorrelate: true}, nil
	}
	kind, size, _ := strings.Cut(text, " ")
	switch kind {
	case "spread", "less":
		x, err := parseShare(size)
		j := jitter{low: 1 - x, high: 1}
		if kind == "spread" {
			j.high = 1 + x
		}
		return j, err
	case "add":
		d, err := parseDuration(size)
		return jitter{low: 1, high: 1, add: d}, err
	}
	words := []string{"none", "full", "equal", "decorrelated", "spread", "less", "add"}
	return jitter{}, fmt.Errorf("%q is no jitter%s", text, didYouMean(kind, words))
}

// retry reads the block; attempts is the default of its owner, 0 for
// unlimited.
func (v view) retry(attempts int) (*Retry, RetryOn) {
	r := &Retry{
		Attempts: attempts,
		Delays:   getList(v, "delay", delayValue),
		Growth:   get(v, "growth", numberValue),
		Cap:      get(v, "cap", durationValue),
		Elapsed:  get(v, "elapsed", durationValue),
	}
	if v.has("attempts") {
		v.atLeastOne("attempts")
		if r.Attempts = get(v, "attempts", countValue); r.Attempts == Unlimited {
			r.Attempts = 0
		}
	}
	j := get(v, "jitter", jitterValue)
	r.Low, r.High, r.Add, r.Decorrelate = j.low, j.high, j.add, j.decorrelate
	switch {
	case !v.sound("growth", "delay", "jitter"):
	case r.Growth < 1:
		v.wrong("growth", "must be 1 or more; delays do not shrink")
	case len(r.Delays) > 1 && r.Growth > 1:
		v.wrong("growth", "goes with one delay, not with a list")
	case len(r.Delays) > 1 && r.Decorrelate:
		v.wrong("jitter", "decorrelated goes with one delay, not with a list")
	}
	var on RetryOn
	r.Only, on = v.only()
	if b, ok := v.sub("budget", budgetBlock); ok {
		r.Budget = b.budget()
	}
	rule := r.Rule()
	v.refused(rule.Check())
	return r, on
}

// only splits the list into error classes and causes of return.
func (v view) only() (classes policies.ClassSet, on RetryOn) {
	for _, i := range getList(v, "only", onlyValue) {
		if i < 3 {
			classes |= policies.Classes(policies.Transient + policies.Class(i))
		} else {
			on |= 1 << (i - 3)
		}
	}
	switch {
	case classes == 0 && on == 0: // nothing is said
		on = RetryFailure | RetryExpiry | RetryReturn
	case on == 0:
		on = RetryFailure // an error class speaks of failures
	}
	if classes == 0 {
		classes = policies.Classes(policies.Transient)
	}
	return classes, on
}

func (v view) budget() *Budget {
	b := &Budget{
		Ratio:      get(v, "ratio", factorValue),
		Tokens:     get(v, "tokens", numberValue),
		Cost:       get(v, "cost", numberValue),
		Earn:       get(v, "earn", numberValue),
		RefundLast: get(v, "refund", refundValue) == 1,
		Floor:      get(v, "floor", rateValue),
		PerService: get(v, "scope", scopeOfValue) == 1,
	}
	if v.has("ratio") == v.has("tokens") {
		v.problem(v.n, v.path, "a budget has either ratio or tokens")
	}
	rule := b.Rule()
	v.refused(rule.Check())
	return b
}
