package stat

import "testing"

func TestHotPathDoesNotAllocate(t *testing.T) {
	vs := durations(1000)
	var h Histogram
	var l Level
	var c Counter
	var now int64
	pass := func() {
		for _, v := range vs {
			now += v % 1000
			h.Add(v)
			l.Add(now, 1)
			l.Add(now, -1)
			c.Add(now, true)
		}
		h.Reset()
	}
	pass() // The octaves are there from here on.
	if n := testing.AllocsPerRun(10, pass); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
