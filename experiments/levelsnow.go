package experiments

import (
	"slices"
	"strings"

	"github.com/tenggat/tenggat/model/history"
)

// The levels of the whole scenario that an alert may name; those of its
// components follow.
const (
	nowWaiting  = iota // queue_depth: messages that wait
	nowInSystem        // in_system: jobs that wait or run
	nowOldest          // oldest_job_age_s: how long the oldest message has been in its queue
	nowRunning         // running: handlers at once
	nowUp              // up: processes up
	nowOverlap         // overlap: locks and jobs that more than one process believed to own, the most since the last look
	ofAll
)

// AlertLevel is a number that an alert sees as it is at a look.
type AlertLevel struct {
	Name, Unit, Meaning string
	Of                  []string // "" for the whole scenario, "queues" for that of one queue
}

// AlertLevels are all that there are, those of a noun in the order of levelsNow.
func AlertLevels() []AlertLevel {
	return []AlertLevel{
		{"busy", "1", "servers at work now", []string{"services"}},
		{"queue_depth", "1", "messages that wait now; of a service calls that wait", []string{"", "queues", "services"}},
		{"in_system", "1", "jobs that wait or run now", []string{"", "queues", "jobs"}},
		{"oldest_job_age_s", "s", "how long the oldest message has been in its queue now", []string{"", "queues"}},
		{"running", "1", "handlers at once now", []string{"", "workers"}},
		{"up", "1", "processes up now", []string{"", "workers"}},
		{"overlap", "1", "locks and jobs that more than one process believed to own, the most since the last look", []string{"", "jobs", "locks"}},
	}
}

// levelNames are the names of the levels, in the order in which levelsNow keeps
// them.
func levelNames(n history.Names) (names []string) {
	of := func(noun, name string) {
		for _, l := range AlertLevels() {
			if slices.Contains(l.Of, noun) {
				names = append(names, strings.TrimPrefix(noun+"."+name+"."+l.Name, ".."))
			}
		}
	}
	of("", "")
	for _, q := range n.Queues {
		of("queues", q.Name)
	}
	for _, g := range n.Groups {
		of("workers", g.Name)
	}
	for _, s := range n.Services {
		of("services", s.Name)
	}
	for _, j := range n.Jobs {
		of("jobs", j.Name)
	}
	for _, l := range n.Locks {
		of("locks", l)
	}
	return names
}

// levelsNow are the levels at the present instant.
type levelsNow struct {
	queues, groups, services, jobs, locks int // where their levels begin
	values                                []int64
	most                                  []int64 // of overlaps that lasted, since the last look
	since                                 []int64 // when an overlap became what it is
}

func newLevelsNow(n history.Names) levelsNow {
	l := levelsNow{queues: ofAll}
	l.groups = l.queues + 3*len(n.Queues)
	l.services = l.groups + 2*len(n.Groups)
	l.jobs = l.services + 2*len(n.Services)
	l.locks = l.jobs + 2*len(n.Jobs)
	l.values = make([]int64, l.locks+len(n.Locks))
	l.most, l.since = make([]int64, len(l.values)), make([]int64, len(l.values))
	for i := range n.Queues {
		l.values[l.queues+3*i+nowOldest] = history.NoMessage
	}
	return l
}

// take notes a new level, or who believes.
func (l *levelsNow) take(f *history.Fact) {
	at, which := int(f.Place.Index), int(f.Attempt)
	switch {
	case f.Kind == history.Believe:
		l.believe(f)
	case which == history.LevelWaiting:
		l.set(nowWaiting, l.queues+3*at+nowWaiting, f.Value)
	case which == history.LevelOldest:
		l.values[l.queues+3*at+nowOldest] = f.Value
	case which == history.LevelInSystem:
		l.values[nowInSystem] += f.Value
		l.values[l.jobs+2*int(f.Type)] += f.Value
		if f.Place.Noun == history.Queue {
			l.values[l.queues+3*at+nowInSystem] += f.Value
		}
	case which == history.LevelRunning:
		l.set(nowRunning, l.groups+2*int(f.Group), f.Value)
	case which == history.LevelUp:
		l.set(nowUp, l.groups+2*int(f.Group)+1, f.Value)
	case which == history.LevelBusy:
		l.values[l.services+2*at] = f.Value
	case which == history.LevelCalls:
		l.values[l.services+2*at+1] = f.Value
	}
}

// set makes v the level of a component; that of all is their sum.
func (l *levelsNow) set(all, one int, v int64) {
	l.values[all] += v - l.values[one]
	l.values[one] = v
}

// believe counts the locks and jobs with more than one believer. A number counts
// when it has lasted: handing over at one instant does not make two.
func (l *levelsNow) believe(f *history.Fact) {
	delta := int64(0)
	switch {
	case f.Value > 0 && f.Attempt == 2:
		delta = 1
	case f.Value < 0 && f.Attempt == 1:
		delta = -1
	}
	one := l.jobs + 2*int(f.Type) + 1
	if f.Place.Noun == history.Lock {
		one = l.locks + int(f.Place.Index)
	}
	for _, i := range []int{nowOverlap, one} {
		if f.At > l.since[i] {
			l.most[i] = max(l.most[i], l.values[i])
		}
		l.values[i] += delta
		l.since[i] = f.At
	}
}

// looked begins the time to the next look.
func (l *levelsNow) looked() { clear(l.most) }

// value is what a look at now sees of a level: an age in seconds, a number else.
func (l *levelsNow) value(i int, now int64) float64 {
	age := func(taken int64) float64 {
		if taken == history.NoMessage {
			return 0
		}
		return float64(now-taken) / 1e9
	}
	switch {
	case i == nowOldest:
		oldest := 0.0
		for q := l.queues; q < l.groups; q += 3 {
			oldest = max(oldest, age(l.values[q+nowOldest]))
		}
		return oldest
	case i >= l.queues && i < l.groups && (i-l.queues)%3 == nowOldest:
		return age(l.values[i])
	case i == nowOverlap || i >= l.locks || i >= l.jobs && (i-l.jobs)%2 == 1:
		if now > l.since[i] {
			return float64(max(l.most[i], l.values[i]))
		}
		return float64(l.most[i])
	}
	return float64(l.values[i])
}
