package metric

import (
	"testing"

	"github.com/tenggat/tenggat/model/history"
)

// The oldest message was taken at 1 s and goes at 4 s; the next had been taken
// at 3 s and goes at 8 s. Ages 0…3 over 3 s, then 1…5 over 4 s: 4.5 + 12 = 16.5 s²
// in 10 s.
func TestOldestJobAge(t *testing.T) {
	facts := []history.Fact{level(1, history.LevelOldest, atQueue, ns(1)), level(4, history.LevelOldest, atQueue, ns(3)), level(8, history.LevelOldest, atQueue, history.NoMessage)}
	expect(t, run(t, 0, 10, Want{}, facts...), map[string]float64{
		"oldest_job_age_s.mean": 1.65, "oldest_job_age_s.max": 5, "queues.q.oldest_job_age_s.mean": 1.65, "queues.q.oldest_job_age_s.max": 5})
	// From 5 s on: ages 2…5 over 3 s, 10.5 s² in 5 s.
	expect(t, run(t, 5, 10, Want{}, facts...), map[string]float64{"oldest_job_age_s.mean": 2.1, "queues.q.oldest_job_age_s.max": 5})
	r := run(t, 0, 10, Want{Windows: []Span{{"queues.q.oldest_job_age_s", 2e9, 4e9}, {"oldest_job_age_s", 8e9, 10e9}}}, facts...)
	if r.Windows[0] != 2 || r.Windows[1] != 0 {
		t.Errorf("ages on windows: %v, want 2 and 0", r.Windows)
	}
}

// A message that is still there counts to the end, from before zero as well.
func TestAgeToTheEnd(t *testing.T) {
	r := run(t, 0, 10, Want{}, level(0, history.LevelOldest, atQueue, -ns(2)))
	expect(t, r, map[string]float64{"oldest_job_age_s.mean": 7, "oldest_job_age_s.max": 12})
}

func TestFindings(t *testing.T) {
	found := func(s float64, kind history.Kind, what int32) history.Fact {
		f := bare(s, kind)
		f.Place, f.Attempt = atReconciler, what
		return f
	}
	r := run(t, 0, 10, Want{}, found(1, history.Found, history.FoundUnacked), found(2, history.Found, history.FoundIncomplete), found(2, history.Found, history.FoundIncomplete),
		found(3, history.Found, history.FoundOrphan), found(4, history.Found, history.FoundCopy), found(4, history.Repair, history.FoundCopy))
	expect(t, r, map[string]float64{"found_unacked": 1, "reconcilers.r.found_incomplete": 2, "found_orphan_locks": 1, "reconcilers.r.found_stale_copies": 1,
		"repaired": 1, "reconcilers.r.first_found_incomplete_s": 2})
}

func TestLossesThatAreNoticed(t *testing.T) {
	notice := in(5, history.Notice, atLock, 0, ns(1.5))
	deadlock, strand := in(3, history.Deadlock, atLock, 0, 2), of(10, history.Strand, 4, 0)
	expect(t, run(t, 0, 10, Want{}, deadlock, notice, strand), map[string]float64{"revoke_notice_s.mean": 1.5, "locks.l.revoke_notice_s.max": 1.5, "workers.w.revoke_notice_s.mean": 1.5,
		"deadlocks": 1, "locks.l.deadlocks": 1, "stranded_jobs": 1, "queues.q.stranded_jobs": 1})
}
