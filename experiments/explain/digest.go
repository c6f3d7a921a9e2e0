package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/policies"
)

const (
	// mostRoutine is how many lines of routine in a row are told one by one.
	mostRoutine = 6

	// fewLines is how many lines a reader is shown of the beginning and of the
	// end of a story, and on each side of the harm.
	fewLines = 40
)

// Digest is the story as a reader wants it: routine in a row is one line that
// counts it, and of what is long the beginning, the harm and the end are there.
func (s *Story) Digest() []Line {
	var short []Line
	for i := 0; i < len(s.Lines); {
		n := slices.IndexFunc(s.Lines[i:], func(l Line) bool { return l.routine == "" })
		if n < 0 {
			n = len(s.Lines) - i
		}
		if n > mostRoutine {
			short = append(short, summed(s.Lines[i:i+n]))
		} else {
			n = max(n, 1)
			short = append(short, s.Lines[i:i+n]...)
		}
		i += n
	}
	harm := slices.IndexFunc(short, func(l Line) bool { return l.Harm })
	var all []Line
	for i, left := 0, 0; i < len(short); i++ {
		if i >= fewLines && i < len(short)-fewLines && (harm < 0 || i <= harm-fewLines || i >= harm+fewLines) {
			left++
			continue
		}
		switch {
		case left == 1:
			all = append(all, short[i-1])
		case left > 1:
			all = append(all, Line{At: short[i-left].At, Text: fmt.Sprintf("… %d lines left out; --format json has them", left)})
		}
		left = 0
		all = append(all, short[i])
	}
	return all
}

// summed is one line for many of routine.
func summed(lines []Line) Line {
	var names []string
	times := map[string]int{}
	for _, l := range lines {
		if !slices.Contains(names, l.routine) {
			names = append(names, l.routine)
		}
		if l.counts {
			times[l.routine]++
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return times[name] == 0 }) // begun here, and ended elsewhere
	for i, name := range names {
		names[i] = number(times[name], name)
	}
	return Line{At: lines[0].At, Text: fmt.Sprintf("… %s, to %.6f s", strings.Join(names, "; "), lines[len(lines)-1].At.Seconds()),
		Context: !slices.ContainsFunc(lines, func(l Line) bool { return !l.Context })}
}

// number is so many of what a routine names.
func number(n int, routine string) string {
	things, how, _ := strings.Cut(routine, " ")
	if n == 1 {
		things, how = strings.TrimSuffix(things, "s"), strings.Replace(how, ", all ", ", ", 1)
	}
	return fmt.Sprintf("%d %s %s", n, things, how)
}

// routine marks the lines of what comes again and again: calls that were answered
// at the first attempt, with the effects that they had, renewals that were
// granted, and looks at a lock that another holds. The harm, and effects of the
// key that took it, are none.
func (s *Story) routine(w *words, all []told, first *history.Fact) {
	open := map[history.Place][]int{} // the lines of a call that is not answered yet
	for i := range all {
		f := &all[i].Fact
		if s.Lines[i].Context {
			continue
		}
		counted := func(what string) { s.Lines[i].routine, s.Lines[i].counts = what, true }
		switch {
		case f.Kind == history.Renew && f.Value == 0:
			counted("renewals at " + w.place(f.Place) + ", all granted")
		case f.Kind == history.Refuse && f.Place.Noun == history.Lock:
			counted("refusals of " + w.place(f.Place) + ", which another holds")
		case f.Kind == history.Call && f.Attempt == 1:
			open[f.Place] = []int{i}
		case open[f.Place] == nil:
		case f.Kind == history.Served && f.Process == all[open[f.Place][0]].Process && policies.Class(f.Attempt) == policies.OK:
			counted("calls of " + w.place(f.Place) + ", all answered")
			for _, k := range open[f.Place] {
				s.Lines[k].routine = s.Lines[i].routine
				if again := &all[k].Fact; again.Kind == history.Effect && again.Value > 1 {
					s.Lines[k].routine, s.Lines[k].counts = "effects at "+w.place(f.Place)+", once more than before", true
				}
			}
			delete(open, f.Place)
		case f.Kind == history.Serve, f.Kind == history.Effect && f.Key != first.Key:
			open[f.Place] = append(open[f.Place], i)
		default:
			delete(open, f.Place)
		}
	}
}
