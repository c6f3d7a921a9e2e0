package experiments

import (
	"strconv"
	"strings"

	"github.com/expr-lang/expr"

	"github.com/tenggat/tenggat/model"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
)

// watch makes the observers of the alerts, one for each replication; nil if
// there are no alerts.
func (a *alerts) watch() func(history.Observer) model.Alerts {
	if a == nil {
		return nil
	}
	return func(to history.Observer) model.Alerts {
		run := &a.scenario.Run
		w := &alertWatch{alerts: a, to: to, from: int64(run.From), next: int64(run.From) + a.look, end: int64(run.From + run.Duration),
			kept: 2*int(int64(a.longest)/a.look) + 1, now: newLevelsNow(a.names), rules: make([]ruleState, len(a.rules)), last: map[string]*countedNow{}}
		for i := range a.counted {
			s := &countedNow{latest: w.from}
			w.counted = append(w.counted, s)
			w.last[a.counted[i].name] = s
		}
		for _, level := range a.risen {
			w.last[a.language.names[level]] = &countedNow{}
		}
		w.env = w.vocabulary()
		return w
	}
}

// alertWatch watches one run: it counts the facts that the alerts speak of and,
// at each look, keeps the totals and judges the rules. A look sees what happened
// before its instant.
type alertWatch struct {
	*alerts
	to              history.Observer
	from, next, end int64
	now             levelsNow
	counted         []*countedNow          // as alerts.counted
	last            map[string]*countedNow // every series that has totals, by its name
	looks           int                    // so far
	kept            int                    // looks of which each series has the totals: as many as two of the widest widths take
	rules           []ruleState
	env             map[string]any
	err             error // of the first rule that could not be evaluated
}

// countedSeries is a kind of fact with labels.
type countedSeries struct {
	name    string
	kind    history.Kind
	carries []factLabel
}

// countedNow is how many there have been, and at each of the looks until now; of
// a level, the sum of what the looks saw of it.
type countedNow struct {
	total  float64
	latest int64 // instant of the last one
	totals []float64
}

// ruleState is how far an alert has come.
type ruleState struct {
	holds bool
	since int64 // from which look on
	fired bool  // since then
}

// Observe hands a fact on, after the looks that are due before it.
func (w *alertWatch) Observe(f *history.Fact) {
	w.until(f.At)
	if f.Kind == history.Level || f.Kind == history.Believe {
		w.now.take(f)
	} else {
		for i, s := range w.alerts.counted {
			if s.kind == f.Kind && s.carriedBy(f, &w.names) {
				w.counted[i].total++
				w.counted[i].latest = f.At
			}
		}
	}
	w.to.Observe(f)
}

// End does the looks that are left. The error is that of the first rule that
// could not be evaluated; such a rule is not judged any more.
func (w *alertWatch) End(at int64) error {
	w.until(at)
	return w.err
}

func (w *alertWatch) until(now int64) {
	for w.next <= now && w.next < w.end {
		w.lookAt(w.next)
		w.next += w.look
	}
}

// lookAt is one look.
func (w *alertWatch) lookAt(now int64) {
	w.looks++
	for _, s := range w.counted {
		s.keep(w.kept)
	}
	for _, level := range w.risen {
		s := w.last[w.language.names[level]]
		s.total += w.now.value(level, now)
		s.keep(w.kept)
	}
	values := make([]float64, len(w.language.names))
	for i := range values {
		values[i] = w.now.value(i, now)
	}
	w.now.looked()
	levels := w.language.metrics.fill(values, nil)
	for name, level := range levels { // order-free: each name is set once
		w.env[name] = level
	}
	for i, r := range w.alerts.rules {
		if (now-w.from)%int64(r.cfg.Every) == 0 {
			w.judge(i, now)
		}
	}
}

// judge puts one rule to what is seen now.
func (w *alertWatch) judge(i int, now int64) {
	r, state := w.alerts.rules[i], &w.rules[i]
	value, err := expr.Run(r.program, w.env)
	if err != nil {
		if w.err == nil {
			w.err = scenario.Problems{w.wrong(r.cfg, w.language.explain(r.cfg.When, err))}
		}
		return
	}
	if holds := value.(bool); !holds {
		*state = ruleState{}
		return
	}
	if !state.holds {
		*state = ruleState{holds: true, since: now}
	}
	if held := now - state.since; !state.fired && held >= int64(r.cfg.For) {
		state.fired = true
		w.to.Observe(&history.Fact{At: now, Kind: history.Alert, Place: history.Place{Noun: history.Alarm, Index: int16(i)},
			Job: -1, Type: -1, Group: -1, Process: -1, Value: held})
	}
}

// vocabulary is the environment of the rules, but for the levels.
func (w *alertWatch) vocabulary() map[string]any {
	env := map[string]any{
		"rate": func(fact string, width float64, labels ...string) float64 {
			s, n := w.last[seriesName(fact, labels)], w.width(width)
			return s.over(0, n) / (float64(min(n, w.looks)) * float64(w.look) / 1e9)
		},
		"rise": func(name string, width float64, labels ...string) float64 {
			s, n := w.last[seriesName(name, labels)], w.width(width)
			if w.looks < 2*n {
				return 1
			}
			return ratio(s.over(n, n), s.over(0, n))
		},
		"idle": func(fact string, labels ...string) float64 {
			return float64(w.next-w.last[seriesName(fact, labels)].latest) / 1e9
		},
	}
	for name, value := range constants { // order-free: each name is set once
		env[name] = value
	}
	return env
}

// width is a width in looks.
func (w *alertWatch) width(seconds float64) int { return int(nanoseconds(seconds) / w.look) }

// keep notes the total of a look, and forgets those before the last n.
func (s *countedNow) keep(n int) {
	if s.totals = append(s.totals, s.total); len(s.totals) > 2*n {
		s.totals = append(s.totals[:0], s.totals[len(s.totals)-n:]...)
	}
}

// over is what came in n looks, of which the last lies back so many.
func (s *countedNow) over(back, n int) float64 {
	last := len(s.totals) - 1 - back
	if last-n < 0 {
		return s.totals[last]
	}
	return s.totals[last] - s.totals[last-n]
}

// factLabel is a label such as "queues.q" or "workers.w/1".
type factLabel struct {
	noun    string
	place   history.Place
	index   int16
	process int32 // -1: all
}

// labelOf finds what a label names; the compiler has seen to it that it names
// something.
func labelOf(names history.Names, text string) factLabel {
	text, number, numbered := strings.Cut(text, "/")
	noun, name, _ := strings.Cut(text, ".")
	l := factLabel{noun: noun, process: -1}
	if numbered {
		n, _ := strconv.Atoi(number)
		l.process = int32(n - 1)
	}
	find := func(noun history.Noun, n int, at func(int) string) {
		for i := range n {
			if at(i) == name {
				l.index, l.place = int16(i), history.Place{Noun: noun, Index: int16(i)}
			}
		}
	}
	list := func(noun history.Noun, all []string) { find(noun, len(all), func(i int) string { return all[i] }) }
	switch noun {
	case "queues":
		find(history.Queue, len(names.Queues), func(i int) string { return names.Queues[i].Name })
	case "services":
		find(history.Service, len(names.Services), func(i int) string { return names.Services[i].Name })
	case "jobs":
		find(history.Nowhere, len(names.Jobs), func(i int) string { return names.Jobs[i].Name })
	case "workers":
		find(history.Nowhere, len(names.Groups), func(i int) string { return names.Groups[i].Name })
	case "locks":
		list(history.Lock, names.Locks)
	case "monitors":
		list(history.Monitor, names.Monitors)
	case "events":
		list(history.Event, names.Events)
	case "alerts":
		list(history.Alarm, names.Alerts)
	case "reconcilers":
		list(history.Reconciler, names.Reconcilers)
	}
	return l
}

// carriedBy says whether a fact has all labels of a series. As for metrics, a fact
// of a job has the label of the job's queue unless it happened at another.
func (s *countedSeries) carriedBy(f *history.Fact, names *history.Names) bool {
	for _, l := range s.carries {
		has := f.Place == l.place
		switch l.noun {
		case "jobs":
			has = f.Type == l.index
		case "workers":
			has = f.Group == l.index && (l.process < 0 || f.Process == l.process)
		case "queues":
			has = has || f.Place.Noun != history.Queue && f.Type >= 0 && names.Jobs[f.Type].Queue == int(l.index)
		}
		if !has {
			return false
		}
	}
	return true
}
