package theory

import "math"

// MM1 is one FIFO queue with unlimited room and one server: Poisson arrivals,
// exponential service. Valid for Arrivals < Service; beyond, times are +Inf.
//
//	W = 1/(μ−λ)   P(W > t) = e^{−(μ−λ)t}   L = λW
//
// Kleinrock, Queueing Systems, vol. 1 (1975), chapter 3.
type MM1 struct {
	Arrivals float64 // λ, per second
	Service  float64 // μ, per second
}

// MeanSojourn is the mean time from arrival to completion.
func (q MM1) MeanSojourn() float64 {
	if q.Arrivals >= q.Service {
		return math.Inf(1)
	}
	return 1 / (q.Service - q.Arrivals)
}

// SojournOver is the share of jobs that take longer than t.
func (q MM1) SojournOver(t float64) float64 { return math.Exp(-t / q.MeanSojourn()) }

// MeanInSystem is the mean number waiting or in service.
func (q MM1) MeanInSystem() float64 { return q.Arrivals * q.MeanSojourn() }

// MMC is M/M/c: MM1 with c servers. With a = λ/μ and Erlang's loss
//
//	B(0) = 1   B(k) = a·B(k−1) / (k + a·B(k−1))
//	C = c·B(c) / (c − a(1−B(c)))   Wq = C/(cμ−λ)   P(Wq > t) = C·e^{−(cμ−λ)t}
//
// Valid for λ < cμ; beyond, everybody waits for ever. Erlang (1917); Kleinrock,
// vol. 1, section 3.5.
type MMC struct {
	Arrivals float64 // λ, per second
	Service  float64 // μ of one server, per second
	Workers  int     // c
}

// Load is the offered load a = λ/μ, in Erlang.
func (q MMC) Load() float64 { return q.Arrivals / q.Service }

// Utilisation is the mean share of servers at work.
func (q MMC) Utilisation() float64 { return min(1, q.Load()/float64(q.Workers)) }

// WaitShare is the share of jobs that wait at all: Erlang's C.
func (q MMC) WaitShare() float64 {
	a, c := q.Load(), float64(q.Workers)
	if a >= c {
		return 1
	}
	loss := 1.0
	for k := 1; k <= q.Workers; k++ {
		loss = a * loss / (float64(k) + a*loss)
	}
	return c * loss / (c - a*(1-loss))
}

// spare is the capacity left over, per second.
func (q MMC) spare() float64 { return max(0, float64(q.Workers)*q.Service-q.Arrivals) }

// MeanWait is the mean wait before service, zeros included.
func (q MMC) MeanWait() float64 { return q.WaitShare() / q.spare() }

// WaitOver is the share of jobs that wait longer than t.
func (q MMC) WaitOver(t float64) float64 { return q.WaitShare() * math.Exp(-q.spare()*t) }

// MMCK is M/M/c with room for K jobs in all, waiting and in service; an arrival
// that finds K is refused and does not come back. For every λ:
//
//	p_n ∝ Π_{k=1..n} λ/(min(k,c)·μ)   refused = p_K
//	Lq = Σ (n−c)⁺·p_n   Wq = Lq/(λ(1−p_K))
//
// Kleinrock, vol. 1, sections 3.6 to 3.9; arrivals see time averages (PASTA).
type MMCK struct {
	Arrivals float64 // λ, per second
	Service  float64 // μ of one server, per second
	Workers  int     // c
	Room     int     // K, at least c
}

// probabilities are p_0 … p_K.
func (q MMCK) probabilities() []float64 {
	p := make([]float64, q.Room+1)
	p[0] = 1
	sum := 1.0
	for n := 1; n <= q.Room; n++ {
		p[n] = p[n-1] * q.Arrivals / (float64(min(n, q.Workers)) * q.Service)
		sum += p[n]
	}
	for n := range p {
		p[n] /= sum
	}
	return p
}

// RefusedShare is the share of arrivals that find the system full.
func (q MMCK) RefusedShare() float64 { return q.probabilities()[q.Room] }

// Throughput is how many jobs are completed per second.
func (q MMCK) Throughput() float64 { return q.Arrivals * (1 - q.RefusedShare()) }

// MeanWaiting is the mean number that wait.
func (q MMCK) MeanWaiting() float64 {
	sum := 0.0
	for n, p := range q.probabilities() {
		sum += float64(max(0, n-q.Workers)) * p
	}
	return sum
}

// MeanWait is the mean wait of the jobs that were taken, by Little's law.
func (q MMCK) MeanWait() float64 { return q.MeanWaiting() / q.Throughput() }

// MG1 is one queue and one server with Poisson arrivals and any law of service:
//
//	Wq = λ·E[S²] / (2(1−λE[S]))
//
// Valid for λE[S] < 1. Pollaczek (1930), Khinchine (1932); Kleinrock, vol. 1,
// section 5.6.
type MG1 struct {
	Arrivals float64 // λ, per second
	Service  Law
}

// MeanWait is the mean wait before service.
func (q MG1) MeanWait() float64 {
	mean := q.Service.Mean()
	spare := 1 - q.Arrivals*mean
	if spare <= 0 {
		return math.Inf(1)
	}
	return q.Arrivals * (mean*mean + q.Service.Variance()) / (2 * spare)
}

// MeanSojourn is the mean time from arrival to completion.
func (q MG1) MeanSojourn() float64 { return q.MeanWait() + q.Service.Mean() }
