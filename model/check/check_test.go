package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/policies"
)

var (
	queue   = history.Place{Noun: history.Queue}
	store   = history.Place{Noun: history.Lock}
	nowhere = history.Place{}
	cache   = history.Place{Noun: history.Cache}
)

func jobFact(at int64, kind history.Kind, place history.Place, serial int64) history.Fact {
	return history.Fact{At: at, Kind: kind, Place: place, Job: serial, Group: -1, Process: -1}
}

func process(at int64, kind history.Kind, p int32) history.Fact {
	return history.Fact{At: at, Kind: kind, Job: -1, Group: 0, Process: p}
}

func lockFact(at int64, kind history.Kind, key, token uint64) history.Fact {
	f := history.Fact{At: at, Kind: kind, Place: store, Job: -1, Group: 0, Process: 0, Key: key}
	f.Token = policies.Token(token)
	return f
}

func believe(at int64, place history.Place, serial int64, value int64, n int32) history.Fact {
	f := jobFact(at, history.Believe, place, serial)
	f.Group, f.Process, f.Value, f.Attempt = 0, 0, value, n
	return f
}

// update is a service's update of row 9; checked says that it refuses to go back.
func update(at, value int64, checked int32) history.Fact {
	return history.Fact{At: at, Kind: history.Update, Place: history.Place{Noun: history.Service}, Job: -1, Group: -1, Key: 9, Value: value, Delivery: checked}
}

func judge(facts []history.Fact) []Violation {
	j := New()
	for i := range facts {
		j.Observe(&facts[i])
	}
	return j.Judge()
}

// A history with everything in it that a checker might wrongly object to: late
// settlements, a job delivered twice, a death with its consequences, a lapsed
// lease that is renewed, a lock store without tokens.
func TestSoundHistories(t *testing.T) {
	q, own := int64(0), int64(1)
	sound := []history.Fact{
		process(0, history.Boot, 0), process(0, history.Boot, 1),
		jobFact(1, history.Publish, queue, q), jobFact(1, history.Publish, nowhere, own),
		jobFact(1, history.Start, nowhere, own), believe(1, nowhere, own, 1, 1),
		jobFact(2, history.Deliver, queue, q), jobFact(2, history.Start, queue, q), believe(2, queue, q, 1, 1),
		jobFact(3, history.Return, queue, q), jobFact(3, history.Deliver, queue, q), jobFact(3, history.Start, queue, q), believe(3, queue, q, 1, 2),
		jobFact(4, history.Ack, queue, q), jobFact(4, history.Ack, queue, q), // both receipts delete
		process(5, history.Crash, 0), believe(5, queue, q, -1, 1), believe(5, queue, q, -1, 0), believe(5, nowhere, own, -1, 0),
		process(6, history.Expire, 0), process(6, history.WriteReached, 0), process(7, history.Suspect, 0),
		process(8, history.Boot, 0), process(9, history.Start, 0), process(10, history.Stop, 0), process(11, history.Boot, 0),
		jobFact(12, history.Done, queue, q), jobFact(12, history.Done, nowhere, own),
		lockFact(13, history.Grant, 5, 1), lockFact(14, history.Release, 5, 0), lockFact(14, history.Grant, 5, 2),
		lockFact(15, history.Expire, 5, 0), lockFact(16, history.Renew, 5, 0), lockFact(17, history.Revoke, 5, 0), lockFact(17, history.Grant, 5, 9),
		lockFact(17, history.Grant, 6, 1), lockFact(18, history.Grant, 7, 0), lockFact(19, history.Grant, 7, 0),
		update(20, 3, 1), update(21, 4, 1), update(22, 2, 0), update(23, 3, 1),
	}
	if found := judge(sound); len(found) > 0 {
		t.Errorf("objects to a sound history: %v", found)
	}
}

func TestBrokenHistories(t *testing.T) {
	published := jobFact(1, history.Publish, queue, 3)
	delivered := jobFact(2, history.Deliver, queue, 3)
	started := jobFact(3, history.Start, queue, 3)
	done := jobFact(4, history.Done, queue, 3)
	for _, row := range []struct {
		name  string
		rule  Rule
		says  string
		facts []history.Fact
	}{
		{"time goes back", Time, "5ns", []history.Fact{process(5, history.Boot, 0), process(4, history.Boot, 1)}},
		{"a level goes back in time", Time, "level", []history.Fact{process(5, history.Boot, 0), {At: 4, Kind: history.Level, Job: -1, Group: -1}}},
		{"a start of nothing", Job, "not published", []history.Fact{started}},
		{"a start after the end", Job, "done already", []history.Fact{published, delivered, done, jobFact(5, history.Start, queue, 3)}},
		{"a second end", Job, "done already", []history.Fact{published, done, done}},
		{"published after the end", Job, "done already", []history.Fact{published, done, jobFact(5, history.Publish, queue, 3)}},
		{"a start without delivery", Conservation, "1 starts, 0 deliveries", []history.Fact{published, started}},
		{"two starts of one delivery", Conservation, "2 starts, 1 deliveries", []history.Fact{published, delivered, started, started}},
		{"two returns of one delivery", Conservation, "given back 2 times", []history.Fact{published, delivered, jobFact(3, history.Return, queue, 3), jobFact(3, history.Return, queue, 3)}},
		{"an ack without delivery", Conservation, "acknowledged 1 times", []history.Fact{published, jobFact(3, history.Ack, queue, 3)}},
		{"fewer than no believers", Believers, "-1 by those", []history.Fact{published, believe(2, queue, 3, -1, 0)}},
		{"a wrong number of believers", Believers, "3 believers by the fact, 1 by", []history.Fact{published, believe(2, queue, 3, 1, 3)}},
		{"done while it runs", Believers, "done while 1 run it", []history.Fact{published, believe(2, queue, 3, 1, 1), done}},
		{"lock believers", Believers, "lock 5 of store 0", []history.Fact{func() history.Fact { f := believe(2, store, -1, -1, 0); f.Key = 5; return f }()}},
		{"an equal token", Token, "token 4 after token 4", []history.Fact{lockFact(1, history.Grant, 5, 4), lockFact(2, history.Expire, 5, 0), lockFact(3, history.Grant, 5, 4)}},
		{"a lower token", Token, "token 3 after token 4", []history.Fact{lockFact(1, history.Grant, 5, 4), lockFact(2, history.Expire, 5, 0), lockFact(3, history.Grant, 5, 3)}},
		{"two grants at once", Grant, "token 5 while", []history.Fact{lockFact(1, history.Grant, 5, 4), lockFact(2, history.Grant, 5, 5)}},
		{"a grant beside a revived one", Grant, "token 5 while", []history.Fact{lockFact(1, history.Grant, 5, 4), lockFact(2, history.Expire, 5, 0), lockFact(3, history.Renew, 5, 4), lockFact(4, history.Grant, 5, 5)}},
		{"a dead process starts", Process, "start in process 1 of group 0", []history.Fact{process(1, history.Crash, 1), process(2, history.Start, 1)}},
		{"a stopped process calls", Process, "call in", []history.Fact{process(1, history.Stop, 0), process(2, history.Call, 0)}},
		{"a dead process begins to believe", Process, "believe", []history.Fact{process(1, history.Crash, 0), func() history.Fact { f := believe(2, store, -1, 1, 1); return f }()}},
		{"a row that goes back", Row, "3 after 4 at row 9", []history.Fact{update(1, 4, 1), update(2, 3, 1)}},
		{"an update that is not newer", Row, "4 after 4", []history.Fact{update(1, 4, 0), update(2, 4, 1)}},
		{"a copy of nothing", Copy, "fill of job 3", []history.Fact{published, jobFact(2, history.Miss, cache, 3), jobFact(2, history.Fill, cache, 3), jobFact(3, history.Mismatch, cache, 3), jobFact(3, history.Fill, cache, 3), jobFact(4, history.Fill, cache, 3)}},
		{"a second death", Process, "crash", []history.Fact{process(1, history.Crash, 0), process(2, history.Crash, 0)}},
	} {
		found := judge(row.facts)
		if len(found) != 1 || found[0].Rule != row.rule || !strings.Contains(found[0].String(), row.says) {
			t.Errorf("%s: found %v, want one violation of %q that says %q", row.name, found, row.rule, row.says)
		}
		if len(found) > 0 && found[0].At != row.facts[len(row.facts)-1].At {
			t.Errorf("%s: at %d, want the last fact's %d", row.name, found[0].At, row.facts[len(row.facts)-1].At)
		}
	}
}

// Damage to a sound history is found: leaving out any one fact of these.
func TestEveryFactMatters(t *testing.T) {
	sound := []history.Fact{
		jobFact(1, history.Publish, queue, 0), jobFact(2, history.Deliver, queue, 0), believe(3, queue, 0, 1, 1), believe(4, queue, 0, -1, 0),
		jobFact(5, history.Deliver, queue, 0), jobFact(6, history.Start, queue, 0), jobFact(6, history.Start, queue, 0), jobFact(7, history.Done, queue, 0),
		lockFact(8, history.Grant, 1, 1), lockFact(9, history.Expire, 1, 0), lockFact(9, history.Grant, 1, 2),
		process(10, history.Crash, 0), process(11, history.Boot, 0), process(12, history.Start, 0),
	}
	if found := judge(sound); len(found) > 0 {
		t.Fatalf("objects to the sound history: %v", found)
	}
	for i, f := range sound {
		if slices.Contains([]history.Kind{history.Start, history.Done, history.Grant, history.Crash}, f.Kind) {
			continue // what is left is a sound history
		}
		if len(judge(slices.Delete(slices.Clone(sound), i, i+1))) == 0 {
			t.Errorf("without %s nothing is found", describe(&f))
		}
	}
}

func TestViolationsAreBounded(t *testing.T) {
	j := New()
	for n := range int64(1000) {
		f := jobFact(n, history.Start, queue, n)
		j.Observe(&f)
	}
	last := process(0, history.Boot, 0)
	j.Observe(&last)
	found := j.Judge()
	if len(found) != MostPerRule+1 || found[MostPerRule].Rule != Time {
		t.Errorf("%d violations, want %d of one rule and one of another", len(found), MostPerRule)
	}
}

// traffic is n jobs from serial on that come and go, each with a lock.
func traffic(j *Judge, serial, n int64) {
	for s := serial; s < serial+n; s++ {
		for _, f := range [...]history.Fact{
			jobFact(s, history.Publish, queue, s), jobFact(s, history.Deliver, queue, s), jobFact(s, history.Start, queue, s), believe(s, queue, s, 1, 1),
			lockFact(s, history.Grant, uint64(s%10), uint64(s)+1), lockFact(s, history.Release, uint64(s%10), 0),
			believe(s, queue, s, -1, 0), jobFact(s, history.Ack, queue, s), jobFact(s, history.Done, queue, s),
		} {
			j.now = f.At
			j.Observe(&f)
		}
	}
}

func TestMemoryIsBoundedByLiveJobs(t *testing.T) {
	j := New()
	traffic(j, 0, 100_000)
	if n := len(j.jobs.pages); n > 1 {
		t.Errorf("%d pages for no live job", n)
	}
	serial := int64(100_000)
	if n := testing.AllocsPerRun(10, func() { traffic(j, serial, 1000); serial += 1000 }); n != 0 {
		t.Errorf("%v allocations per 1000 jobs, want none", n)
	}
	if found := j.Judge(); len(found) > 0 {
		t.Errorf("objects to sound traffic: %v", found)
	}
}

func BenchmarkObserve(b *testing.B) {
	j := New()
	n := int64(0)
	for b.Loop() {
		traffic(j, n, 1)
		n++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(9*b.N), "ns/fact")
}
