package experiments

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tenggat/tenggat/internal/near"
	"github.com/tenggat/tenggat/model/scenario"
)

// checkLabel says whether a label of at(), such as "jobs.pay" or "workers.w/1",
// names something in the scenario.
func checkLabel(sc *scenario.Scenario, label string) error {
	noun, rest, _ := strings.Cut(label, ".")
	name, index, indexed := strings.Cut(rest, "/")
	var names []string
	processes := 0
	switch noun {
	case "queues":
		names = namesOf(sc.Queues, func(q *scenario.Queue) string { return q.Name })
	case "locks":
		names = namesOf(sc.Locks, func(l *scenario.Lock) string { return l.Name })
	case "services":
		names = namesOf(sc.Services, func(s *scenario.Service) string { return s.Name })
	case "monitors":
		names = namesOf(sc.Monitors, func(m *scenario.Monitor) string { return m.Name })
	case "jobs":
		names = namesOf(sc.Jobs, func(j *scenario.Job) string { return j.Name })
	case "events":
		names = namesOf(sc.Events, func(e *scenario.Event) string { return e.Name })
	case "alerts":
		names = namesOf(sc.Alerts, func(a *scenario.Alert) string { return a.Name })
	case "reconcilers":
		names = namesOf(sc.Reconcilers, func(r *scenario.Reconciler) string { return r.Name })
	case "workers":
		for _, g := range sc.Workers {
			names = append(names, g.Name)
			if g.Name == name {
				processes = g.Count
			}
		}
	default:
		return fmt.Errorf("label %q: %q is none of queues, locks, services, monitors, workers, jobs, events, alerts, reconcilers", label, noun)
	}
	for _, known := range names {
		if known != name {
			continue
		}
		if k, err := strconv.Atoi(index); indexed && (err != nil || k < 1 || processes > 0 && k > processes) {
			return fmt.Errorf("label %q: %s has the processes 1 to %d", label, name, processes)
		}
		return nil
	}
	return fmt.Errorf("label %q: there is no %s%s", label, noun+"."+name, Suggest(name, names))
}

func namesOf[T any](things []T, name func(T) string) []string {
	names := make([]string, len(things))
	for i, t := range things {
		names[i] = name(t)
	}
	return names
}

// Suggest is "; did you mean …?" with the known word nearest to the one given,
// or nothing when none is near.
func Suggest(word string, known []string) string {
	best := near.Word(word, known)
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", best)
}

// replicationName is how messages speak of replication r.
func replicationName(r int) string { return "replication " + strconv.Itoa(r) }
