package stat

// Counter counts facts of one kind: starts, refusals, suspicions. N covers the
// whole run, as safety counts must; everything else covers the measured window
// only. The zero value has counted nothing.
type Counter struct {
	N         int64 // facts in the whole run
	InWindow  int64 // facts in the measured window
	First     int64 // instant of the first fact in the window, ns; means nothing while InWindow is 0
	Last      int64 // instant of the latest fact in the window, ns; likewise
	MaxPerSec int64 // most facts of the window in one aligned second [k s, (k+1) s)

	thisSecond int64 // facts in the second of Last
	secondEnd  int64 // end of that second, ns
}

const second = int64(1e9)

// Add counts a fact at the instant now, in ns, which does not go backwards.
// Measured says whether the fact lies in the measured window.
func (c *Counter) Add(now int64, measured bool) {
	c.N++
	if !measured {
		return
	}
	if c.InWindow == 0 {
		c.First = now
	}
	if c.InWindow == 0 || now >= c.secondEnd {
		c.thisSecond, c.secondEnd = 0, endOfSecond(now)
	}
	c.InWindow++
	c.Last = now
	c.thisSecond++
	c.MaxPerSec = max(c.MaxPerSec, c.thisSecond)
}

// endOfSecond rounds down also before instant 0, where a run's warm-up may lie.
func endOfSecond(now int64) int64 {
	k := now / second
	if now%second < 0 {
		k--
	}
	return (k + 1) * second
}
