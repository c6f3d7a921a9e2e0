package theory

// Trace is a FIFO queue with given arrivals and services, in seconds; jobs with
// one arrival time keep their order. Each job takes the worker that is free
// first. Kiefer and Wolfowitz (1955).
type Trace struct {
	Workers  int
	Arrivals []float64 // ascending
	Services []float64
}

// run is the start of every job.
func (t Trace) run() []float64 {
	free := make([]float64, t.Workers)
	starts := make([]float64, len(t.Arrivals))
	for i, arrival := range t.Arrivals {
		first := 0
		for w, at := range free {
			if at < free[first] {
				first = w
			}
		}
		starts[i] = max(arrival, free[first])
		free[first] = starts[i] + t.Services[i]
	}
	return starts
}

// Waits are the waits before service.
func (t Trace) Waits() []float64 {
	waits := t.run()
	for i := range waits {
		waits[i] -= t.Arrivals[i]
	}
	return waits
}

// Finishes are the instants of completion.
func (t Trace) Finishes() []float64 {
	finishes := t.run()
	for i := range finishes {
		finishes[i] += t.Services[i]
	}
	return finishes
}

// Makespan is the last completion.
func (t Trace) Makespan() float64 {
	last := 0.0
	for _, at := range t.Finishes() {
		last = max(last, at)
	}
	return last
}

// Area is the integral of the number in system over [0, Makespan], which is the
// sum of all times in the system.
func (t Trace) Area() float64 {
	area := 0.0
	for i, at := range t.Finishes() {
		area += at - t.Arrivals[i]
	}
	return area
}

// MeanWait is the mean wait before service.
func (t Trace) MeanWait() float64 {
	sum := 0.0
	for _, wait := range t.Waits() {
		sum += wait
	}
	return sum / float64(len(t.Arrivals))
}

// MeanInSystem is Area/Makespan: by Little's law the arrivals per second times
// the mean time in the system.
func (t Trace) MeanInSystem() float64 { return t.Area() / t.Makespan() }
