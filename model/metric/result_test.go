package metric

import (
	"slices"
	"testing"

	"github.com/tenggat/tenggat/model/history"
)

// story is a run in which a little of everything happens.
func story() []history.Fact {
	facts := traffic()
	facts = append(facts, level(1, history.LevelUp, history.Place{}, 2), in(1, history.Beat, atMonitor, 0, ns(1)), event(1, history.EventBegin, 1),
		of(2, history.Publish, 1, 0), jobs(2, 1), by(2, history.Deliver, 1, 0, 1, 1), by(2.5, history.Start, 1, 0.5, 1, 1), believes(2.5, atQueue, 1, 1, 1),
		call(3, history.Call, 1, 1, 0), call(4, history.TimeOut, 1, 1, 1), call(4, history.Retry, 1, 1, 0.5), in(4, history.Suspect, atMonitor, 1, -1),
		of(4, history.Return, 1, 0), by(5, history.Deliver, 1, 0, 0, 2), by(5, history.Start, 1, 0, 0, 2), believes(5, atQueue, 1, 1, 2),
		event(6, history.EventEnd, 0), in(7, history.Trust, atMonitor, 1, ns(3)), of(8, history.DeadLetter, 1, 0), of(9, history.Done, 1, 7), jobs(9, -1))
	facts[len(facts)-2].Attempt = 2
	return facts
}

// goldenHash is the hash of the story. It changes when a definition, the
// catalogue's scopes or the order of counters does; say why when you edit it.
const goldenHash uint64 = 0xe2beb52b63db5084

func TestHash(t *testing.T) {
	r := run(t, 0, 10, Want{}, story()...)
	if r.Hash() != goldenHash {
		t.Errorf("hash %#x, want %#x", r.Hash(), goldenHash)
	}
	watched := run(t, 0, 10, Want{Facts: []history.Kind{history.Start}, Windows: []Span{{"starts", 1e9, 2e9}}}, story()...)
	if watched.Hash() != r.Hash() {
		t.Error("what is asked for beside the metrics changes the hash")
	}
}

// Any fact less, one nanosecond later or elsewhere is another result.
func TestHashSeesEveryFact(t *testing.T) {
	facts := story()
	whole := run(t, 0, 10, Want{}, facts...).Hash()
	for i, f := range facts {
		switch f.Kind {
		case history.Level, history.Believe, history.EventBegin, history.EventEnd:
			continue // what is left would be no history
		}
		if run(t, 0, 10, Want{}, slices.Delete(slices.Clone(facts), i, i+1)...).Hash() == whole {
			t.Errorf("fact %d (%s) does not show in the hash", i, f.Kind.Word())
		}
	}
}

func TestAtAndByJob(t *testing.T) {
	names := world()
	names.Groups = append(names.Groups, history.Group{Name: "x"})
	m := New(names, Window{0, 5e9, 100e9}, Want{Facts: []history.Kind{history.Start, history.Grant, history.Call, history.EventBegin, history.Suspect}})
	elsewhere := by(4, history.Start, 0, 0, 3, 1)
	elsewhere.Group = 1
	own := bare(5, history.Start)
	own.Job, own.Type, own.Group, own.Process = 4, 1, 0, 0
	for _, f := range []history.Fact{by(1, history.Start, 2, 0, 0, 1), by(2, history.Start, 1, 0, 1, 1), by(3, history.Start, 2, 0, 1, 2), elsewhere, own,
		in(6, history.Grant, atLock, 1, 0), call(7, history.Call, 2, 1, 0), event(8, history.EventBegin, 1), in(9, history.Suspect, atMonitor, 0, -1),
		by(9, history.Complete, 2, 0, 0, 1)} {
		m.Observe(&f)
	}
	r := m.Result(100e9)
	for _, row := range []struct {
		kind   history.Kind
		labels []string
		want   []float64
	}{
		{history.Start, nil, []float64{1, 2, 3, 4, 5}}, // the warm-up included
		{history.Start, []string{"jobs.pay"}, []float64{1, 2, 3, 4}},
		{history.Start, []string{"jobs.tick"}, []float64{5}},
		{history.Start, []string{"queues.q"}, []float64{1, 2, 3, 4}},
		{history.Start, []string{"workers.w"}, []float64{1, 2, 3, 5}},
		{history.Start, []string{"workers.w/2"}, []float64{2, 3}},
		{history.Start, []string{"workers.x/4", "jobs.pay"}, []float64{4}},
		{history.Start, []string{"workers.x", "jobs.tick"}, nil},
		{history.Start, []string{"workers.y"}, nil},
		{history.Start, []string{"workers.w/0"}, nil},
		{history.Start, []string{"jobs.pay/1"}, nil},
		{history.Start, []string{"pay"}, nil},
		{history.Grant, []string{"locks.l", "workers.w/2"}, []float64{6}},
		{history.Grant, []string{"services.s"}, nil},
		{history.Call, []string{"services.s"}, []float64{7}},
		{history.Call, []string{"queues.q"}, []float64{7}},
		{history.EventBegin, []string{"events.e"}, []float64{8}},
		{history.Suspect, []string{"monitors.m"}, []float64{9}},
		{history.Complete, nil, nil}, // not asked for
	} {
		if got := seconds(r.At(row.kind, row.labels...)); !slices.Equal(got, row.want) {
			t.Errorf("at(%s, %v) = %v, want %v", row.kind.Word(), row.labels, got, row.want)
		}
	}
	if got, want := seconds(r.ByJob(history.Start)), []float64{4, 2, 1, 3, 5}; !slices.Equal(got, want) {
		t.Errorf("by job: %v, want %v", got, want)
	}
	if got := r.ByJob(history.Grant); len(got) != 0 {
		t.Errorf("grants of no job: %v", got)
	}
}

func seconds(ns []int64) []float64 {
	var s []float64
	for _, t := range ns {
		s = append(s, float64(t)/1e9)
	}
	return s
}

// Once warm, a meter takes facts without allocating, also those of jobs that
// call services and of jobs that are dead-lettered.
func TestObserveDoesNotAllocate(t *testing.T) {
	m := New(world(), Window{0, 0, 3600e9}, Want{})
	facts := story()
	round := int64(0)
	pass := func() {
		for i := range facts {
			f := facts[i]
			f.At += round * 10e9
			if f.Job >= 0 {
				f.Job += 2 * round
			}
			if f.Kind == history.Believe && f.Place == atQueue && f.Process == 0 && f.Key == 1 {
				f.Key += uint64(2 * round)
			}
			m.Observe(&f)
		}
		for n := range int32(2) { // the two that run job 1 at the end of the story cease
			f := believes(9.5, atQueue, uint64(1+2*round), -1, 1-n)
			f.At += round * 10e9
			m.Observe(&f)
		}
		round++
	}
	pass()
	if n := testing.AllocsPerRun(20, pass); n != 0 {
		t.Errorf("%v allocations in a run of %d facts, want none", n, len(facts))
	}
	if len(m.callers) != 0 || len(m.dead) != 0 {
		t.Errorf("%d callers and %d dead letters are kept of jobs that are done", len(m.callers), len(m.dead))
	}
}

// A group may grow beyond its first count.
func TestGroupsGrow(t *testing.T) {
	r := run(t, 0, 10, Want{}, in(1, history.Boot, history.Place{}, 40, 0), in(2, history.Suspect, atMonitor, 50, -1), in(3, history.Crash, history.Place{}, 50, 0))
	expect(t, r, map[string]float64{"boots": 1, "false_failovers": 1, "crashes": 1})
}

// Replications share the columns, and differently named scenarios do not.
func TestLayoutIsSharedByEqualNamesOnly(t *testing.T) {
	a, b := New(world(), Window{}, Want{}), New(world(), Window{}, Want{})
	if &a.Columns()[0] != &b.Columns()[0] {
		t.Error("equal names have two layouts")
	}
	names := world()
	names.Queues[0].Name = "other"
	c := New(names, Window{}, Want{})
	if _, ok := c.Result(0).Value("queues.other.starts"); !ok {
		t.Error("another scenario has the layout of the one before")
	}
}
