package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
)

// words turns facts into sentences.
type words struct {
	names  history.Names
	events []*scenario.Event
}

// subject names what a story is about.
func (w *words) subject(f *history.Fact) string {
	if f.Job >= 0 {
		return w.job(f)
	}
	return w.process(f)
}

func (w *words) job(f *history.Fact) string {
	return fmt.Sprintf("job %d (%s)", f.Job, w.names.Jobs[f.Type].Name)
}

// process names who did it: a process, or where there is none a service, whose
// steps call and write as those of a job do.
func (w *words) process(f *history.Fact) string {
	if f.Group < 0 {
		return "a step of a service"
	}
	return fmt.Sprintf("workers.%s/%d", w.names.Groups[f.Group].Name, f.Process+1)
}

// things are the names of all components of a noun.
func (w *words) things(noun string) (all []string) {
	switch noun {
	case "queues":
		for _, q := range w.names.Queues {
			all = append(all, q.Name)
		}
	case "services":
		for _, s := range w.names.Services {
			all = append(all, s.Name)
		}
	case "jobs":
		for _, j := range w.names.Jobs {
			all = append(all, j.Name)
		}
	case "workers":
		for _, g := range w.names.Groups {
			all = append(all, g.Name)
		}
	case "locks":
		all = w.names.Locks
	case "monitors":
		all = w.names.Monitors
	}
	return all
}

func (w *words) place(p history.Place) string {
	switch p.Noun {
	case history.Queue:
		return "queues." + w.names.Queues[p.Index].Name
	case history.Lock:
		return "locks." + w.names.Locks[p.Index]
	case history.Service:
		return "services." + w.names.Services[p.Index].Name
	case history.Monitor:
		return "monitors." + w.names.Monitors[p.Index]
	case history.Cache:
		return "caches." + w.names.Caches[p.Index]
	case history.Event:
		return "events." + w.names.Events[p.Index]
	case history.Alarm:
		return "alerts." + w.names.Alerts[p.Index]
	case history.Reconciler:
		return "reconcilers." + w.names.Reconcilers[p.Index]
	}
	return "the process"
}

// telling is a fact with its names filled in.
type telling struct {
	*history.Fact
	who, where string
	it, its    string // the job: "it" in its own story
	span       time.Duration
	does       string // what an event does
	remark     remark
}

// fill puts the names into the holes of a sentence.
func (t *telling) fill(text string) string {
	return strings.NewReplacer("{who}", t.who, "{where}", t.where, "{it}", t.it, "{its}", t.its, "{span}", t.span.String(),
		"{does}", t.does, "{token}", fmt.Sprint(t.Token), "{value}", fmt.Sprint(t.Value), "{attempt}", fmt.Sprint(t.Attempt),
		"{delivery}", fmt.Sprint(t.Delivery)).Replace(text)
}

// sentence is a fact in words; in another's story the job has its number.
func (w *words) sentence(f *history.Fact, others bool, r remark) string {
	t := telling{Fact: f, remark: r, who: w.process(f), where: w.place(f.Place), it: "it", its: "its", span: readable(time.Duration(f.Value))}
	if others && f.Job >= 0 {
		t.it = w.job(f)
		t.its = "the " + t.it + "'s"
	}
	if f.Place.Noun == history.Event {
		t.does = does(w.events[f.Place.Index])
	}
	return sentences[f.Kind](&t)
}

// does says what an event does.
func does(e *scenario.Event) string {
	switch e.Act {
	case scenario.ActSet:
		var sets []string
		for _, s := range e.Sets {
			sets = append(sets, s.Path+" is set to "+s.Value)
		}
		return strings.Join(sets, ", ")
	case scenario.ActCut:
		return cutOf(e)
	case scenario.ActCrash:
		return list(e.On) + " down"
	case scenario.ActStop:
		return list(e.On) + " drained and stopped"
	case scenario.ActPause:
		return list(e.On) + " frozen"
	case scenario.ActJump:
		return "the clocks of " + list(e.On) + " step by " + e.By.String()
	case scenario.ActRevoke:
		return "an operator takes grants of " + list(e.On) + " away"
	case scenario.ActReplay:
		return "dead letters of " + list(e.On) + " come back"
	case scenario.ActFlush:
		return list(e.On) + " loses copies"
	}
	return "something else"
}

// messages names the kinds in the order of scenario.Kinds.
var messages = [...]string{"deliver", "ack", "publish", "poll", "acquire", "renew", "release", "heartbeat", "probe", "call"}

func cutOf(e *scenario.Event) string {
	var kinds []string
	for i, name := range messages {
		if e.Only != scenario.AllKinds && e.Only&(1<<i) != 0 {
			kinds = append(kinds, name)
		}
	}
	ends := "from " + orAnybody(e.On) + " to " + orAnybody(e.To)
	if e.Both {
		ends = "between " + list(e.On) + " and " + list(e.To)
	}
	fate := "lost"
	if e.How == scenario.CutRefuse {
		fate = "refused"
	}
	return strings.TrimPrefix(fmt.Sprintf("%s messages %s are %s", strings.Join(kinds, ", "), ends, fate), " ")
}

func orAnybody(on []scenario.Target) string {
	if len(on) == 0 {
		return "anybody"
	}
	return list(on)
}

func list(on []scenario.Target) string {
	names := make([]string, len(on))
	for i, t := range on {
		names[i] = t.String()
	}
	return strings.Join(names, ", ")
}

// readable drops the digits of a span that nobody reads, but keeps what is not a
// span (a class, a number) as it is.
func readable(d time.Duration) time.Duration {
	switch {
	case d >= time.Second:
		return d.Round(time.Millisecond)
	case d >= time.Millisecond:
		return d.Round(time.Microsecond)
	}
	return d
}
