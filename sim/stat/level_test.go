package stat

import (
	"math"
	"testing"

	"github.com/tenggat/tenggat/internal/exact"
)

// The slow version holds the value of every nanosecond.
func TestLevelAgainstBruteForce(t *testing.T) {
	c := exact.NewChance(11, 0)
	const start, end = -300, 700
	var fast Level
	fast.Reset(start)
	held := make([]int64, end-start)
	now, from := int64(start), int64(start)
	for now < end-20 {
		now += int64(c.Uint64() % 12) // Often 0: several values at one instant.
		switch c.Uint64() % 8 {
		case 0:
			if now > from+100 {
				fast.Reset(now)
				from = now
			}
		case 1, 2, 3:
			fast.Add(now, int64(c.Uint64()%5))
		default:
			fast.Set(now, int64(c.Uint64()%20))
		}
		for i := now; i < end; i++ {
			held[i-start] = fast.Value()
		}
		later := now + int64(c.Uint64()%3)
		probe := fast // Reading must not be needed for correctness, so read a copy.
		var sum, most int64
		for i := from; i < later; i++ {
			sum += held[i-start]
			most = max(most, held[i-start])
		}
		most = max(most, fast.Value())
		if hi, lo := probe.Integral(later); hi != 0 || int64(lo) != sum {
			t.Fatalf("at %d the integral from %d is %d, want %d", later, from, lo, sum)
		}
		if got := probe.Max(); got != most {
			t.Fatalf("at %d the maximum from %d is %d, want %d", later, from, got, most)
		}
		if got, want := probe.Mean(later), float64(sum)/float64(later-from); later > from && math.Abs(got-want) > 1e-15*want {
			t.Fatalf("at %d the mean from %d is %v, want %v", later, from, got, want)
		}
	}
}

// Hand-made: 2 for 3 s, 5 for 1 s, 0 for 6 s is a mean of 1.1.
func TestLevelByHand(t *testing.T) {
	var l Level
	l.Set(0, 2)
	l.Add(3e9, 3)
	l.Set(4e9, 0)
	if got := l.Mean(10e9); got != 1.1 {
		t.Errorf("mean = %v, want 1.1", got)
	}
	if l.Max() != 5 || l.Value() != 0 {
		t.Errorf("max, value = %d, %d; want 5, 0", l.Max(), l.Value())
	}
	l.Set(10e9, 4)
	l.Reset(10e9)
	if l.Value() != 4 || l.Max() != 4 || !math.IsNaN(l.Mean(10e9)) || l.Mean(11e9) != 4 {
		t.Errorf("after reset: value %d, max %d, mean %v", l.Value(), l.Max(), l.Mean(11e9))
	}
}

// Handing over at one instant is not an overlap, in either order.
func TestLevelIgnoresWhatLastsNoTime(t *testing.T) {
	var l Level
	l.Set(0, 1)
	l.Add(5, 1)
	l.Add(5, -1)
	if got := l.Max(); got != 1 {
		t.Errorf("max = %d, want 1", got)
	}
	l.Add(9, 1)
	if got := l.Max(); got != 2 {
		t.Errorf("max = %d, want 2", got)
	}
}

func TestLevelIsExactBeyond64Bits(t *testing.T) {
	var l Level
	l.Set(0, 1<<40)
	l.Set(1<<50, 3)
	hi, lo := l.Integral(1<<50 + 1)
	if hi != 1<<26 || lo != 3 {
		t.Errorf("integral = %d, %d; want %d, 3", hi, lo, 1<<26)
	}
}

func TestLevelRefuses(t *testing.T) {
	var l Level
	l.Set(10, 1)
	wantPanic(t, "negative", func() { l.Add(11, -2) })
	wantPanic(t, "backwards", func() { l.Set(9, 1) })
	wantPanic(t, "reading backwards", func() { l.Mean(9) })
}
