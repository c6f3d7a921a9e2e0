package experiments

import "github.com/tenggat/tenggat/model/history"

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

// levelNames are the names of the levels, in the order in which levelsNow keeps
// them.
func levelNames(n history.Names) []string {
	names := []string{"queue_depth", "in_system", "oldest_job_age_s", "running", "up", "overlap"}
	for _, q := range n.Queues {
		names = append(names, "queues."+q.Name+".queue_depth", "queues."+q.Name+".in_system", "queues."+q.Name+".oldest_job_age_s")
	}
	for _, g := range n.Groups {
		names = append(names, "workers."+g.Name+".running", "workers."+g.Name+".up")
	}
	for _, s := range n.Services {
		names = append(names, "services."+s.Name+".busy", "services."+s.Name+".queue_depth")
	}
	for _, j := range n.Jobs {
		names = append(names, "jobs."+j.Name+".in_system", "jobs."+j.Name+".overlap")
	}
	for _, l := range n.Locks {
		names = append(names, "locks."+l+".overlap")
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
