package theory

import (
	"math"

	"gonum.org/v1/gonum/mathext/prng"
)

// SeedRun is one request as a Python program runs it, with random.Random(seed)
// as its only luck: attempt k draws x and succeeds if x < Success; else, unless
// k = Most, it sleeps min(cap, base·2^(k−1)) + uniform(0, jitter) with the next
// draw. The generator is MT19937 with 53 bits from two outputs, (a>>5, b>>6).
// Matsumoto and Nishimura (1998); CPython's random module.
type SeedRun struct {
	Seed      uint32
	Success   float64
	Most      int
	Base, Cap float64 // seconds
	Jitter    float64 // seconds
}

// PythonRandom is CPython's random.Random(seed).random: successive floats on
// [0, 1).
func PythonRandom(seed uint32) func() float64 {
	python := prng.NewMT19937()
	python.SeedFromKeys([]uint32{seed})
	return func() float64 {
		a, b := python.Uint32()>>5, python.Uint32()>>6
		return (float64(a)*(1<<26) + float64(b)) / (1 << 53)
	}
}

// run is the delays before the retries, and how it ended.
func (s SeedRun) run() (delays []float64, success bool) {
	random := PythonRandom(s.Seed)
	for k := 1; ; k++ {
		switch {
		case random() < s.Success:
			return delays, true
		case k == s.Most:
			return delays, false
		}
		delays = append(delays, min(s.Cap, s.Base*math.Pow(2, float64(k-1)))+s.Jitter*random())
	}
}

// Delays are the delays before the retries.
func (s SeedRun) Delays() []float64 {
	delays, _ := s.run()
	return delays
}

// DelaysMs are the delays in whole milliseconds, as the program prints them.
func (s SeedRun) DelaysMs() []float64 {
	delays := s.Delays()
	for i, d := range delays {
		delays[i] = math.Round(d * 1000)
	}
	return delays
}

// Attempts is how many attempts are made.
func (s SeedRun) Attempts() int { return len(s.Delays()) + 1 }

// Succeeds says whether the request succeeds.
func (s SeedRun) Succeeds() bool {
	_, success := s.run()
	return success
}

// Random are the first n numbers of the generator.
func (s SeedRun) Random(n int) []float64 {
	random := PythonRandom(s.Seed)
	numbers := make([]float64, n)
	for i := range numbers {
		numbers[i] = random()
	}
	return numbers
}
