package lease_test

import (
	"testing"
	"time"

	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/lease"
)

// TestWatcher observes one record: an instant in s, a version, and whether it
// may be stolen then, or from when on.
func TestWatcher(t *testing.T) {
	var w lease.Watcher
	for i, c := range []struct {
		now     int64
		version uint64
		steal   bool
		readyAt int64
	}{
		{100, 1, false, 115}, // first seen; how old it is nobody knows
		{110, 1, false, 115},
		{114, 2, false, 129}, // renewed
		{128, 2, false, 129},
		{129, 2, true, 129}, // a whole length unchanged
		{60, 2, false, 75},  // the clock was set back: the count begins anew
		{74, 2, false, 75},
		{90, 2, true, 75},
		{91, 3, false, 106}, // somebody else took it
	} {
		got := w.Observe(at(float64(c.now)), c.version, 15*time.Second)
		if want := (lease.Decision{Steal: c.steal, ReadyAt: policies.Instant(c.readyAt * 1e9)}); got != want {
			t.Errorf("observation %d: %+v, want %+v", i+1, got, want)
		}
	}
	w.Forget()
	if d := w.Observe(at(200), 3, 15*time.Second); d.Steal {
		t.Error("steals what it has just seen first")
	}
}
