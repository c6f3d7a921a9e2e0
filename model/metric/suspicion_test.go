package metric

import (
	"testing"

	"github.com/tenggat/tenggat/model/history"
)

// Two processes are up for 100 s each. The first is suspected wrongly in
// [10, 12) s and [40, 46) s, and from 70 s until it dies at 75 s; it boots at
// 80 s. The second dies at 50 s, is suspected at 53 s, and boots at 60 s.
// Up time 100 - 5 + 100 - 10 = 185 s, of which 2 + 6 + 5 s wrongly suspected.
func TestQualityOfDetection(t *testing.T) {
	up := func(s float64, n int64) history.Fact { return level(s, history.LevelUp, history.Place{}, n) }
	r := run(t, 0, 100, Want{},
		up(0, 2),
		in(10, history.Suspect, atMonitor, 0, -1), in(12, history.Trust, atMonitor, 0, ns(2)),
		in(40, history.Suspect, atMonitor, 0, -1), in(46, history.Trust, atMonitor, 0, ns(6)),
		in(50, history.Crash, history.Place{}, 1, 0), up(50, 1), in(53, history.Suspect, atMonitor, 1, ns(3)),
		in(60, history.Boot, history.Place{}, 1, 1), up(60, 2), in(60, history.Trust, atMonitor, 1, ns(7)),
		in(70, history.Suspect, atMonitor, 0, -1), in(75, history.Crash, history.Place{}, 0, 0), up(75, 1),
		in(80, history.Boot, history.Place{}, 0, 1), up(80, 2))
	for _, prefix := range []string{"", "monitors.m."} {
		expect(t, r, map[string]float64{
			prefix + "suspicions": 4, prefix + "false_failovers": 3, prefix + "trusts": 3,
			prefix + "detection_s.mean": 3, prefix + "mistake_duration_s.mean": 4, prefix + "mistake_duration_s.max": 6,
			prefix + "mistake_recurrence_s.mean": 30, prefix + "query_accuracy": 1 - 13.0/185,
			prefix + "false_failover_per_day": 3 * 86400.0 / 185,
		})
	}
	expect(t, r, map[string]float64{"workers.w.false_failover_per_day": 3 * 86400.0 / 185, "crashes": 2, "boots": 2, "first_false_failover_s": 10})
}

// Another monitor's mistakes are its own, and a monitor is judged by the
// groups that it watches.
func TestMonitorsAreJudgedApart(t *testing.T) {
	names := world()
	names.Monitors = append(names.Monitors, "other")
	names.Groups = append(names.Groups, history.Group{Name: "x", Count: 1, Slots: 1})
	m := New(names, Window{0, 0, 10e9}, Want{})
	upX := level(0, history.LevelUp, history.Place{}, 1)
	upX.Group = 1
	beatX := in(1, history.Beat, history.Place{Noun: history.Monitor, Index: 1}, 0, 0)
	beatX.Group = 1
	suspectX := beatX
	suspectX.Kind, suspectX.At, suspectX.Value = history.Suspect, ns(5), -1
	for _, f := range []history.Fact{level(0, history.LevelUp, history.Place{}, 2), upX, beatX, in(1, history.Beat, atMonitor, 0, 0), suspectX} {
		m.Observe(&f)
	}
	expect(t, m.Result(10e9), map[string]float64{"monitors.m.query_accuracy": 1, "monitors.other.query_accuracy": 0.5,
		"query_accuracy": 1 - 5.0/30, "monitors.m.false_failovers": 0, "monitors.other.false_failovers": 1})
}

// Process 0 runs a handler from 2 s and ends one at 5 s with another in hand
// until 11 s; a heartbeat arrives each second but for 6 to 8 s. Process 1 has
// nothing to do.
func TestHeartbeatAndProgressGaps(t *testing.T) {
	var facts []history.Fact
	beats := func(from, to int) {
		for s := from; s <= to; s++ {
			gap := ns(1)
			if s == 9 {
				gap = ns(4)
			}
			facts = append(facts, in(float64(s), history.Beat, atMonitor, 0, gap), in(float64(s), history.Beat, atMonitor, 1, ns(1)))
		}
	}
	beats(1, 1)
	facts = append(facts, believes(2, atQueue, 1, 1, 1), believes(3, atQueue, 2, 1, 1))
	beats(3, 4)
	facts = append(facts, by(5, history.Complete, 1, 3, 0, 1), believes(5, atQueue, 1, -1, 0))
	beats(5, 5)
	beats(9, 10)
	facts = append(facts, by(11, history.Fail, 2, 0, 0, 1), believes(11, atQueue, 2, -1, 0))
	beats(11, 19)
	expect(t, run(t, 0, 20, Want{}, facts...), map[string]float64{"heartbeat_gap_max_s": 4, "monitors.m.heartbeat_gap_max_s": 4,
		"progress_gap_s": 5, "workers.w.progress_gap_s": 5})
	expect(t, run(t, 12, 20, Want{}, facts...), map[string]float64{"heartbeat_gap_max_s": 1, "progress_gap_s": 0})
}
