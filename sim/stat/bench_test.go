package stat

import (
	"testing"

	"github.com/tenggat/tenggat/internal/exact"
)

// durations are spread over six decades, so that buckets do not stay in one
// cache line.
func durations(n int) []int64 {
	c := exact.NewChance(1, 1)
	vs := make([]int64, n)
	for i := range vs {
		vs[i] = int64(c.Uint64() >> (24 + c.Uint64()%20))
	}
	return vs
}

func BenchmarkHistogramAdd(b *testing.B) {
	vs := durations(4096)
	var h Histogram
	for i := 0; b.Loop(); i++ {
		h.Add(vs[i&4095])
	}
}

func BenchmarkLevelAdd(b *testing.B) {
	var l Level
	var now int64
	for b.Loop() {
		now += 1000
		l.Add(now, 1)
		l.Add(now, -1)
	}
}

func BenchmarkCounterAdd(b *testing.B) {
	var c Counter
	var now int64
	for b.Loop() {
		now += 1000
		c.Add(now, true)
	}
}
