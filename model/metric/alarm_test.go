package metric

import (
	"testing"

	"github.com/tenggat/tenggat/model/history"
)

func fires(s, held float64) history.Fact {
	f := bare(s, history.Alert)
	f.Place, f.Value = atAlarm, ns(held)
	return f
}

// The event lasts from 10 to 20 s and leaves a backlog until 26 s. An alert at
// 5 s has no cause; at 13 s it comes 3 s after the beginning; at 24 s the
// backlog is its cause; that of 28 s had held since 25 s; that of 40 s since 38.
func TestAlertsAreJudged(t *testing.T) {
	r := run(t, 0, 60, Want{},
		fires(5, 1), event(10, history.EventBegin, 1), fires(13, 2),
		level(15, history.LevelInSystem, atQueue, 9), event(20, history.EventEnd, 0), fires(24, 1),
		level(26, history.LevelInSystem, atQueue, -9), fires(28, 3), fires(40, 2))
	expect(t, r, map[string]float64{"alerts.a.fired": 5, "alerts.a.false": 2, "alerts.a.first_s": 5, "alerts.a.last_false_alert_s": 40,
		"alerts.a.delay_s.mean": (3 + 14 + 18) / 3.0, "alerts.a.delay_s.max": 18})
	expect(t, run(t, 0, 60, Want{}), map[string]float64{"alerts.a.fired": 0, "alerts.a.first_s": nan, "alerts.a.delay_s.mean": nan})
}

// The first alert in the warm-up is not counted, but the event that began there
// is a cause.
func TestAlertsAfterTheWarmUp(t *testing.T) {
	r := run(t, 10, 60, Want{}, event(5, history.EventBegin, 1), fires(8, 0), fires(12, 0), event(15, history.EventEnd, 0))
	expect(t, r, map[string]float64{"alerts.a.fired": 1, "alerts.a.false": 0, "alerts.a.delay_s.mean": 7, "alerts.a.first_s": 12})
}
