package theory

// Priority is one server and a queue for each class; when it is free it takes
// the oldest job of the most urgent class that has one, and never interrupts
// one that runs. With W₀ the mean rest of the job in service and σ_k the load of
// classes 1 to k:
//
//	W₀ = Σ λ_i·E[S_i²]/2   Wq_k = W₀/((1−σ_{k−1})(1−σ_k)),  σ_k = Σ_{i≤k} λ_i·E[S_i]
//
// Valid for σ_k < 1. Cobham, "Priority assignment in waiting line problems"
// (1954); Kleinrock, vol. 2, section 3.4.
type Priority struct {
	Classes []PriorityClass // the most urgent first
}

// PriorityClass is a Poisson stream of jobs.
type PriorityClass struct {
	Arrivals float64 // λ, per second
	Service  Law
}

// MeanWait is the mean wait of class k = 1, 2, ….
func (p Priority) MeanWait(k int) float64 {
	rest, above, upTo := 0.0, 0.0, 0.0
	for i, c := range p.Classes {
		mean := c.Service.Mean()
		rest += c.Arrivals * (mean*mean + c.Service.Variance()) / 2
		if i < k-1 {
			above += c.Arrivals * mean
		}
		if i < k {
			upTo += c.Arrivals * mean
		}
	}
	return rest / ((1 - above) * (1 - upTo))
}
