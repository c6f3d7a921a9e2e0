package backpressure

import (
	"fmt"
	"math"
	"time"

	"github.com/tenggat/tenggat/policies"
)

// LimiterKind names a way to follow what a dependency can bear.
type LimiterKind uint8

const (
	// Fixed admits Start at once, always.
	Fixed LimiterKind = iota
	// AIMD follows LimitRule; a round lasts Window.
	AIMD
	// Gradient follows the ratio of usual to present latency.
	Gradient
	// Vegas follows the queue that latency above its least betrays.
	Vegas
	// Throttle refuses by chance, in proportion to what is not accepted.
	Throttle
	// Rate admits Start calls per Window; with Min or Max given it follows
	// LimitRule between them.
	Rate
)

func (k LimiterKind) String() string {
	return [...]string{"fixed", "aimd", "gradient", "vegas", "throttle", "rate"}[k]
}

// LimiterRule says how much may be in flight. With L the limit, R the latency
// of a call that has ended and O that it ended in a transient error:
//
//	fixed     L = Start
//	aimd      LimitRule, once per Window: overloaded if there was an O, which acts
//	          at once; else only if at least half of L was in use
//	gradient  L ← ⅘·L + ⅕·(L·g + Slack), g = min(1, max(½, K·usual/R)); usual is
//	          the exponential mean of R over 600 calls
//	vegas     once per L calls, with q = L·(1 − least/mean of R): L + Add if q < Slack,
//	          L − Add if q > 2·Slack, LimitRule's decrease if there was an O; the
//	          least R is measured anew every Probe
//	throttle  refuses with chance max(0, (requests − K·accepts)/(requests + 1)), counted
//	          within Window; accepts are the calls that ended without O, so that
//	          calls under way weigh like refused ones: a burst into a client that
//	          knows nothing yet is refused in part
//	rate      a bucket of L tokens that fills in a Window; L as for aimd
//
// All limits stay within [Min, Max]. Sources: Chiu and Jain (1989); Netflix,
// concurrency-limits, Gradient2Limit; Brakmo and Peterson, "TCP Vegas" (1995),
// section 3.2; Site Reliability Engineering (2016), chapter 21, "client-side
// throttling".
type LimiterRule struct {
	Kind LimiterKind
	LimitRule
	Window time.Duration // default 1s, of Throttle 2m
	Slack  int64         // default 4, of Vegas 3
	K      float64       // default 2, of Gradient 1.5
	Probe  time.Duration // default 30s
}

// Check reports the first setting that cannot be meant.
func (r *LimiterRule) Check() error {
	switch {
	case r.Kind > Rate:
		return fmt.Errorf("backpressure: limiter of kind %d; give one of Fixed to Rate", r.Kind)
	case r.Window < 0 || r.Window > 0 && r.Window < buckets:
		return fmt.Errorf("backpressure: limiter has a window of %v; give 10ns or more, or 0 for its default", r.Window)
	case r.Slack < 0 || r.Slack > maxLimit:
		return fmt.Errorf("backpressure: limiter has a slack of %d; give 1 or more, or 0 for its default", r.Slack)
	case !(r.K == 0 || r.K >= 1 && r.K <= maxFraction):
		return fmt.Errorf("backpressure: limiter has K %v; give 1 or more, or 0 for its default", r.K)
	case r.Probe < 0:
		return fmt.Errorf("backpressure: limiter probes every %v; give a positive duration, or 0 for its default", r.Probe)
	case r.Kind == Rate && r.filled().Max > maxBurst && r.Max != 0:
		return fmt.Errorf("backpressure: limiter admits up to %d calls per window; give no more than %d", r.Max, int64(maxBurst))
	}
	return r.LimitRule.Check()
}

// Limiter decides which calls of one caller to one dependency, or which jobs of
// one worker, may be in flight.
type Limiter struct {
	rule     LimiterRule
	limit    Limit
	inFlight int64
	most     int64            // in flight, in this round
	since    policies.Instant // start of this round
	bad      bool             // it has been cut already
	ends     int64            // of calls, in this round
	sum      time.Duration    // of their latencies
	least    time.Duration    // of this probe; 0: not known
	probed   policies.Instant // start of this probe
	usual    float64          // mean latency in ns; 0: not known
	exact    float64          // the limit of Gradient before rounding
	recent   window           // of Throttle: ended counts the requests, failed those accepted
	bucket   Bucket
}

// Reset begins anew with nothing in flight, under a checked rule.
func (l *Limiter) Reset(rule *LimiterRule) {
	*l = Limiter{rule: *rule, since: math.MaxInt64, probed: math.MaxInt64}
	r := &l.rule
	bounded := r.Min != 0 || r.Max != 0
	r.LimitRule = r.LimitRule.filled()
	if r.Kind == Rate && !bounded {
		r.Min, r.Max = r.Start, r.Start
	}
	l.limit.Reset(&r.LimitRule)
	if r.Window == 0 {
		r.Window = time.Second
		if r.Kind == Throttle {
			r.Window = 2 * time.Minute
		}
	}
	if r.Slack == 0 {
		r.Slack = 4
		if r.Kind == Vegas {
			r.Slack = 3
		}
	}
	if r.K == 0 {
		r.K = 2
		if r.Kind == Gradient {
			r.K = 1.5
		}
	}
	if r.Probe == 0 {
		r.Probe = 30 * time.Second
	}
	l.exact = float64(l.limit.Limit())
	l.recent.reset(1, r.Window)
	if r.Kind == Rate {
		l.bucket = Bucket{full: math.MinInt64}
		l.pace(0)
	}
}

// LimiterInputKind says what happened to a Limiter.
type LimiterInputKind uint8

const (
	// Want: a call would like to go.
	Want LimiterInputKind = iota
	// Ended: a call that was admitted has ended.
	Ended
	// Withdrawn: a call that was admitted is not made after all.
	Withdrawn
)

// LimiterInput is one thing that happened to a Limiter.
type LimiterInput struct {
	Kind    LimiterInputKind
	Class   policies.Class  // of Ended; Transient means overload
	Latency time.Duration   // of Ended: since the call was sent
	Chance  policies.Chance // of Want, for Throttle
}

// LimiterCommand is one decision of a Limiter.
type LimiterCommand uint8

const (
	// Admit: let the call go.
	Admit LimiterCommand = iota
	// Deny: it is one too many.
	Deny
)

func (c LimiterCommand) String() string { return [...]string{"admit", "deny"}[c] }

// Step takes one input and appends the decision to out: one Admit or Deny for a
// Want, nothing else.
func (l *Limiter) Step(now policies.Instant, in LimiterInput, out []LimiterCommand) []LimiterCommand {
	// A clock that was set back starts the round and the probe anew; the first
	// input starts them too.
	l.since, l.probed = min(l.since, now), min(l.probed, now)
	switch in.Kind {
	case Want:
		if !l.admits(now, in.Chance) {
			return append(out, Deny)
		}
		l.inFlight++
		l.most = max(l.most, l.inFlight)
		return append(out, Admit)
	case Withdrawn:
		l.inFlight = max(0, l.inFlight-1)
	case Ended:
		l.learn(now, in)
		l.inFlight = max(0, l.inFlight-1)
	}
	return out
}

func (l *Limiter) admits(now policies.Instant, chance policies.Chance) bool {
	switch l.rule.Kind {
	case Throttle:
		l.recent.note(now, tally{ended: 1})
		total := l.recent.total
		excess := float64(total.ended-1) - float64(l.rule.K*float64(total.failed))
		return chance.U01() >= excess/float64(total.ended)
	case Rate:
		return l.bucket.Take(now)
	}
	return l.inFlight < l.limit.Limit()
}

// learn draws the lesson of a call that has ended.
func (l *Limiter) learn(now policies.Instant, in LimiterInput) {
	overload := in.Class == policies.Transient
	switch l.rule.Kind {
	case AIMD:
		l.round(now, overload)
	case Rate:
		l.round(now, overload)
		l.pace(now)
	case Gradient:
		l.follow(in.Latency)
	case Vegas:
		l.compare(now, in.Latency, overload)
	case Throttle:
		if !overload {
			l.recent.note(now, tally{failed: 1})
		}
	}
}

// round cuts the limit at the first overload of a round, and lets it grow at
// the end of one without.
func (l *Limiter) round(now policies.Instant, overload bool) {
	if now >= l.since.Add(l.rule.Window) {
		if !l.bad && !overload && (l.rule.Kind == Rate || 2*l.most >= l.limit.Limit()) {
			l.limit.Round(false)
		}
		l.since, l.bad, l.most = now, false, l.inFlight
	}
	if overload && !l.bad {
		l.limit.Round(true)
		l.bad = true
	}
}

// pace lets the bucket fill with the limit in a window.
func (l *Limiter) pace(now policies.Instant) {
	limit := l.limit.Limit()
	l.bucket.pace(now, max(1, l.rule.Window/time.Duration(limit)), limit)
}

// follow is the step of Gradient.
func (l *Limiter) follow(latency time.Duration) {
	const calls, smoothing = 600, 0.2
	r := max(float64(latency), 1)
	if l.usual == 0 {
		l.usual = r
	}
	l.usual += float64((r - l.usual) * (2.0 / (calls + 1)))
	if l.usual > 2*r { // load has fallen: forget faster
		l.usual *= 0.95
	}
	if float64(2*l.inFlight) < l.exact {
		return // the caller, not the limit, holds the load down
	}
	g := math.Max(0.5, math.Min(1, l.rule.K*l.usual/r))
	next := float64(l.exact*g) + float64(l.rule.Slack)
	l.exact += float64(smoothing * (next - l.exact))
	l.exact = math.Min(math.Max(l.exact, float64(l.rule.Min)), float64(l.rule.Max))
	l.limit.at = int64(l.exact)
}

// compare is the step of Vegas.
func (l *Limiter) compare(now policies.Instant, latency time.Duration, overload bool) {
	if now >= l.probed.Add(l.rule.Probe) {
		l.least, l.probed = 0, now
	}
	latency = max(latency, 1)
	if l.least == 0 || latency < l.least {
		l.least = latency
	}
	l.ends++
	l.sum += latency
	limit := l.limit.Limit()
	if overload && !l.bad {
		l.bad = true
		l.limit.Round(true)
	}
	if l.ends < limit {
		return
	}
	mean := l.sum / time.Duration(l.ends)
	waiting := limit - int64(math.Ceil(float64(limit)*float64(l.least)/float64(mean)))
	switch {
	case l.bad:
	case waiting > 2*l.rule.Slack:
		l.limit.at = max(limit-l.rule.Add, l.rule.Min)
	case waiting < l.rule.Slack && 2*l.most >= limit:
		l.limit.Round(false)
	}
	l.ends, l.sum, l.bad, l.most = 0, 0, false, l.inFlight
}

// Deadline is the instant before which a Want of Rate is denied; Never when the
// end of a call, not time, makes room.
func (l *Limiter) Deadline(now policies.Instant) policies.Instant {
	if l.rule.Kind != Rate {
		return policies.Never
	}
	return l.bucket.Next(now)
}

// Limit is how many calls may be in flight now; of Rate, how many per window.
func (l *Limiter) Limit() int64 { return l.limit.Limit() }

// Room is how many more would be admitted now.
func (l *Limiter) Room() int64 { return max(0, l.limit.Limit()-l.inFlight) }
