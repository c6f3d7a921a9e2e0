package theory

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Every formula here is compared with a second way to the same number.

// Erlang's alternating sum of 1909, in 400 bits.
func TestMD1AgainstErlang(t *testing.T) {
	erlang := func(q MD1, t float64) float64 {
		const bits = 400
		number := func(x float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(x) }
		sum := number(0)
		for n := 0; float64(n)*q.Service <= t; n++ {
			x := number(float64(n))
			x.Sub(number(t), x.Mul(x, number(q.Service))).Mul(x, number(q.Arrivals))
			exp, term := number(0), number(1) // e^x, term by term
			for k := 1; k < 400; k++ {
				exp.Add(exp, term)
				term.Mul(term, x).Quo(term, number(float64(k)))
			}
			for k := 1; k <= n; k++ {
				exp.Mul(exp, x).Quo(exp, number(float64(-k)))
			}
			sum.Add(sum, exp)
		}
		atMost, _ := sum.Mul(sum, number(1-q.Arrivals*q.Service)).Float64()
		return 1 - atMost
	}
	for _, q := range []MD1{{0.8, 1}, {0.3, 2}, {0.95, 1}} {
		for _, at := range []float64{0, 0.4, 1, 4, 7.3, 30} {
			assert.InDelta(t, erlang(q, at), q.WaitOver(at), 1e-9, "%+v at %v", q, at)
		}
		assert.InDelta(t, q.MeanWait(), integral(0, 200, q.WaitOver), 3e-3, "%+v: the mean is the area under the tail", q)
	}
}

func TestQueuesAgreeWhereTheyMeet(t *testing.T) {
	one, many := MM1{Arrivals: 0.7, Service: 1}, MMC{Arrivals: 0.7, Service: 1, Workers: 1}
	assert.InEpsilon(t, one.MeanSojourn(), many.MeanWait()+1, 1e-12)
	assert.InEpsilon(t, many.MeanWait(), MG1{Arrivals: 0.7, Service: Exponential(1)}.MeanWait(), 1e-12)
	roomy := MMCK{Arrivals: 4, Service: 1, Workers: 5, Room: 300}
	assert.InEpsilon(t, MMC{Arrivals: 4, Service: 1, Workers: 5}.MeanWait(), roomy.MeanWait(), 1e-12)
	assert.InEpsilon(t, 1./2, MMCK{Arrivals: 1, Service: 1, Workers: 1, Room: 1}.RefusedShare(), 1e-12, "Erlang's loss of one server")
}

// The generating function of the first run, for exponential work; and the
// chance of a run by stepping through its length, trial by trial.
func TestRunsOfLosses(t *testing.T) {
	x := Extension{Timeout: 10, Every: 4, Loss: 0.15, Service: Exponential(30)}
	q, m, s := x.Loss, 2.0, math.Exp(-x.Every/30)
	generated := math.Pow(q*s, m) * (1 - q*s) / (1 - s + (1-q)*math.Pow(q, m)*math.Pow(s, m+1))
	assert.InEpsilon(t, math.Exp(-(x.Timeout-m*x.Every)/30)*generated, x.DuplicateShare(), 1e-9)

	l := LeaseLoss{Length: 15, Renew: 4, Loss: 0.1}
	length := []float64{1, 0, 0} // chance of a present run of 0, 1, 2 losses
	lost, mean := 0.0, 0.0
	for n := 1; n < 60_000; n++ {
		run := l.Loss * length[2]
		length = []float64{(1 - l.Loss) * (length[0] + length[1] + length[2]), l.Loss * length[0], l.Loss * length[1]}
		end := float64(n-3)*l.Renew + l.Length
		if end < 3600 {
			lost += run
		}
		mean += run * end
	}
	assert.InEpsilon(t, lost, l.LostWithin(3600), 1e-9)
	assert.InEpsilon(t, mean, l.MeanTimeToLoss(), 1e-9)
}

func TestExponentialPauses(t *testing.T) {
	p := Pauses{Length: 10, Renew: 3, Rate: 1. / 120, Pause: Exponential(4)}
	g, nu, r := p.Rate, 0.25, p.Renew
	assert.InEpsilon(t, math.Exp(-nu*p.Length)*(g/(g-nu))*(1-math.Exp(-(g-nu)*r))/(1-math.Exp(-g*r)), p.ExpiryShare(), 1e-9)
}

// trials is a Monte Carlo estimate whose luck is fixed; it must lie within
// four and a half standard errors of the formula, which one fault in a hundred
// thousand would miss by luck.
func trials(t *testing.T, what string, want float64, n int, trial func(r *rand.Rand) float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var sum, squares float64
	for range n {
		x := trial(r)
		sum, squares = sum+x, squares+x*x
	}
	mean := sum / float64(n)
	se := math.Sqrt((squares/float64(n) - mean*mean) / float64(n))
	assert.InDelta(t, want, mean, 4.5*se, what)
}

func indicator(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func TestVisibilityAgainstTrials(t *testing.T) {
	v := Visibility{Arrivals: 2, Timeout: 6, Service: Exponential(3), Loss: 0.1}
	job := func(r *rand.Rand) (deliveries int, deleted float64) {
		deleted = math.Inf(1)
		for ; float64(deliveries)*v.Timeout < deleted; deliveries++ {
			done := float64(deliveries)*v.Timeout + 3*r.ExpFloat64()
			if r.Float64() >= v.Loss {
				deleted = min(deleted, done)
			}
		}
		return deliveries, deleted
	}
	trials(t, "deliveries", v.MeanDeliveries(), 200_000, func(r *rand.Rand) float64 { n, _ := job(r); return float64(n) })
	trials(t, "time to delete", v.MeanTimeToDelete(), 200_000, func(r *rand.Rand) float64 { _, at := job(r); return at })
	trials(t, "thrice", v.MoreThan(2), 200_000, func(r *rand.Rand) float64 { n, _ := job(r); return indicator(n > 2) })
}

// A job with pauses, walked through; its length is no multiple of the period.
func TestPausedJobAgainstTrials(t *testing.T) {
	p := Pauses{Length: 10, Renew: 3, Rate: 1. / 60, Pause: LognormalMedian(2, 1.2)}
	for _, job := range []float64{2, 121.3} {
		trials(t, fmt.Sprintf("a job of %v s", job), p.AffectedShare(job), 200_000, func(r *rand.Rand) float64 {
			for left := job; ; {
				work := r.ExpFloat64() / p.Rate
				if work >= left {
					return 0
				}
				left -= work
				if 2*math.Exp(1.2*r.NormFloat64()) >= p.Length-math.Mod(work, p.Renew) {
					return 1
				}
			}
		})
	}
}

func TestFailoverAgainstTrials(t *testing.T) {
	for _, f := range []Failover{{15, 5, 2}, {15, 2, 5}} {
		draw := func(r *rand.Rand) float64 { return f.Length - f.Renew*r.Float64() + f.Poll*r.Float64() }
		trials(t, "mean", f.Mean(), 100_000, draw)
		trials(t, "variance", f.SD()*f.SD(), 100_000, func(r *rand.Rand) float64 { d := draw(r) - f.Mean(); return d * d })
		for _, p := range []float64{0.02, 0.1, 0.5, 0.8, 0.99} {
			trials(t, fmt.Sprintf("quantile %v", p), p, 100_000, func(r *rand.Rand) float64 { return indicator(draw(r) <= f.Quantile(p)) })
		}
	}
}

func TestOrphanAgainstTrials(t *testing.T) {
	o := Orphan{Length: 60, Job: 20, Crashes: 0.02}
	hold := func(r *rand.Rand) (dead float64) {
		if crash := r.ExpFloat64() / o.Crashes; crash < o.Job {
			return o.Length - crash
		}
		return 0
	}
	trials(t, "crashes", o.CrashShare(), 100_000, func(r *rand.Rand) float64 { return indicator(hold(r) > 0) })
	trials(t, "dead time per hold", o.perHold(), 100_000, hold)
}

// A steady state is reached by letting beats go back far enough.
func TestDetectorsAgainstTrials(t *testing.T) {
	c := Chen{Every: 1, Shift: 2.6, Loss: 0.05, Delay: Exponential(0.9)}
	// x after freshness point 0, beats −20, …, are any of 0, 1, … there?
	trials(t, "chen: suspected", c.SuspectedShare(), 200_000, func(r *rand.Rand) float64 {
		x := r.Float64() * c.Every
		for j := 0; float64(j)*c.Every <= c.Shift+x; j++ {
			if r.Float64() >= c.Loss && float64(j)*c.Every+0.9*r.ExpFloat64() <= c.Shift+x {
				return 0
			}
		}
		return 1
	})
	s := Silence{Every: 1, Timeout: 3.5, Loss: 0.2}
	trials(t, "silence: detection", s.MeanDetection(), 200_000, func(r *rand.Rand) float64 {
		silent := r.Float64() // since the last beat before the crash
		for r.Float64() < s.Loss {
			silent++
		}
		return max(0, s.Timeout-silent)
	})
	assert.InEpsilon(t, c.MeanDuration()/c.MeanRecurrence(), c.SuspectedShare(), 1e-12)
}

func TestBackoffAgainstTrials(t *testing.T) {
	b := Backoff{Base: 0.1, Cap: 2, Failure: 0.7, Most: 8}
	means := b.MeansDecorrelated()
	for k := range means {
		trials(t, fmt.Sprintf("decorrelated wait %d", k+1), means[k], 100_000, func(r *rand.Rand) float64 {
			d := b.Base
			for range k + 1 {
				d = min(b.Cap, b.Base+r.Float64()*(3*d-b.Base))
			}
			return d
		})
	}
	// Below the cap E[d_k] = (base + 3·E[d_{k−1}])/2.
	free := Backoff{Base: 0.1, Cap: 1e4, Failure: 0.7, Most: 5}.MeansDecorrelated()
	for k := 1; k < len(free); k++ {
		assert.InEpsilon(t, (0.1+3*free[k-1])/2, free[k], 1e-5)
	}
	trials(t, "three layers", Layers{0.3, 2, 3}.MeanCalls(), 100_000, func(r *rand.Rand) float64 {
		calls := 0
		var layer func(depth int) bool
		layer = func(depth int) bool {
			if depth == 0 {
				calls++
				return r.Float64() >= 0.3
			}
			return slices.ContainsFunc([]int{1, 2}, func(int) bool { return layer(depth - 1) })
		}
		layer(3)
		return float64(calls)
	})
}

func TestDrainAgainstTrials(t *testing.T) {
	d := Drain{Arrivals: 3, Service: 1, Workers: 4, Outage: 2}
	trials(t, "drain", d.Mean(), 100_000, func(r *rand.Rand) float64 {
		n := 0
		for at := r.ExpFloat64() / d.Arrivals; at < d.Outage; at += r.ExpFloat64() / d.Arrivals {
			n++
		}
		now, capacity := 0.0, float64(d.Workers)*d.Service
		for n > d.Workers {
			now += r.ExpFloat64() / (d.Arrivals + capacity)
			if r.Float64() < d.Arrivals/(d.Arrivals+capacity) {
				n++
			} else {
				n--
			}
		}
		return now
	})
}
