package stat

import (
	"testing"

	"github.com/tenggat/tenggat/internal/exact"
)

func TestCounterAgainstBruteForce(t *testing.T) {
	c := exact.NewChance(13, 0)
	const warm = -1_500_000_000 // Not aligned, and before instant 0.
	var fast, slow Counter
	perSecond := map[int64]int64{}
	now := int64(-5e9)
	for now < 20e9 {
		now += int64(c.Uint64() % 400e6)
		fast.Add(now, now >= warm)
		slow.N++
		if now < warm {
			continue
		}
		if slow.InWindow == 0 {
			slow.First = now
		}
		slow.InWindow++
		slow.Last = now
		k := (now+100e9)/1e9 - 100
		perSecond[k]++
		slow.MaxPerSec = max(slow.MaxPerSec, perSecond[k])
	}
	fast.thisSecond, fast.secondEnd = 0, 0
	if fast != slow {
		t.Errorf("got %+v, want %+v", fast, slow)
	}
}

// Three facts within one second, but not within one aligned second.
func TestCounterSecondsAreAligned(t *testing.T) {
	var c Counter
	for _, now := range []int64{0.8e9, 0.9e9, 1.0e9, 1.7e9, 1.999999999e9, 2.0e9} {
		c.Add(now, true)
	}
	if c.MaxPerSec != 3 || c.First != 0.8e9 || c.Last != 2e9 {
		t.Errorf("got %+v, want 3 in the busiest second", c)
	}
}
