package metric

import (
	"testing"

	"github.com/tenggat/tenggat/model/history"
)

// Two callers of s with limits of 2 and 4 from 0 on; the second becomes 8 at 5.
// A process of w uses 1 slot, then 3 from 4 on. The
// queue's members change at 1 and at 6, for half a second each.
func TestLimitsAndRebalances(t *testing.T) {
	limit := func(at float64, place history.Place, group int16, delta int64) history.Fact {
		f := level(at, history.LevelLimit, place, delta)
		f.Group = group
		return f
	}
	rebalance := func(at float64) history.Fact {
		return history.Fact{At: ns(at), Kind: history.Rebalance, Place: atQueue, Job: -1, Type: -1, Group: -1, Process: -1, Value: 5e8}
	}
	r := run(t, 0, 10, Want{},
		limit(0, atService, -1, 2), limit(0, atService, -1, 4), limit(0, history.Place{}, 0, 1),
		rebalance(1), limit(4, history.Place{}, 0, 2), limit(5, atService, -1, 4), rebalance(6))
	expect(t, r, map[string]float64{
		"services.s.limit.mean": 8, "services.s.limit.max": 10, "workers.w.limit.mean": 2.2, "workers.w.limit.max": 3,
		"rebalances": 2, "queues.q.rebalances": 2, "queues.q.rebalance_s.mean": 0.5, "last_rebalance_s": 6,
	})
}
