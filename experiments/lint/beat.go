package lint

import (
	"fmt"
	"slices"
	"time"

	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/policies/detect"
)

// Rules on beats: renewals of a lease, heartbeats to a monitor.

var renewThird = Rule{
	ID:     "renew-third",
	Title:  "renew interval ≤ lease / 3, never ≥ lease",
	Why:    "A renewal that is lost or late, or a short pause, must leave time for another before the lease ends.",
	Source: "C13 C17",
	find: func(v *view) (all []found) {
		for _, l := range v.leases {
			if l.Renew == nil || l.Forever {
				continue
			}
			every := distSpan(&l.Renew.Every.Every)
			have, text := l.least()
			x := found{severity: Warning, paths: []string{l.path + ".renew.every", l.path + ".length"}}
			switch {
			case every.high >= have:
				x.severity, x.sum = Error, fmt.Sprintf("renew every %s ≥ %s", every.text(), text)
			case times(every.high, 3) > have+3: // a third is rounded to the nanosecond
				x.sum = fmt.Sprintf("renew every %s × 3 = %s > %s", every.text(), duration(times(every.high, 3)), text)
			default:
				continue
			}
			x.changes = [][]scenario.Assignment{
				change(set(l.path+".renew", "=length / 3")),
				change(set(l.path+".renew", duration(have/3))),
			}
			all = append(all, x)
		}
		return all
	},
}

var renewRetryFits = Rule{
	ID:     "renew-retry-fits",
	Title:  "renew interval + 2 × time-out of a renewal + wait between them ≤ lease; with on_error: next, whose beats wait for no answer, interval + time-out ≤ lease",
	Why:    "When the store does not answer, the lease is over before the second request has failed, and the holder learns it too late.",
	Source: "C33",
	find: func(v *view) (all []found) {
		for _, l := range v.leases {
			if l.Renew == nil || l.Forever || l.Renew.OnError == scenario.StopBeat { // one error ends that: see renew-one-error
				continue
			}
			every, patience := distSpan(&l.Renew.Every.Every).high, l.Renew.Timeout
			have, text := l.least()
			x := found{severity: Warning, paths: []string{l.path + ".renew.timeout", l.path + ".renew.every", l.path + ".length"}}
			if every >= have { // see renew-third
				continue
			}
			requests, wait := 2, time.Duration(0) // released: the renewal, and the release after it
			x.sum = fmt.Sprintf("every %s + 2 × time-out %s", duration(every), duration(patience))
			switch l.Renew.OnError {
			case scenario.RetryBeat:
				wait = l.Renew.Again[0]
				x.paths = slices.Insert(x.paths, 2, l.path+".renew.retry")
				x.sum += " + wait " + duration(wait)
			case scenario.NextBeat:
				requests, x.severity = 1, Hint
				x.sum = fmt.Sprintf("every %s + time-out %s", duration(every), duration(patience))
			}
			need := sum(every, times(patience, requests), wait)
			if need <= have {
				continue
			}
			x.sum = fmt.Sprintf("%s = %s > %s", x.sum, duration(need), text)
			if left := (have - every - wait) / time.Duration(requests); left > 0 {
				x.changes = [][]scenario.Assignment{change(set(l.path+".renew.timeout", duration(below(left))))}
			}
			all = append(all, x)
		}
		return all
	},
}

var renewOneError = Rule{
	ID:     "renew-one-error",
	Title:  "one renewal that fails does not end the renewing",
	Why:    "A single lost message then costs a lease that the holder could have kept.",
	Source: "C17 C33",
	find: func(v *view) (all []found) {
		for _, l := range v.leases {
			if l.Renew == nil || l.Renew.OnError != scenario.StopBeat && l.Renew.OnError != scenario.ReleaseAll {
				continue
			}
			path := l.path + ".renew.on_error"
			x := found{
				severity: Hint,
				paths:    []string{path, "network.loss"},
				sum:      fmt.Sprintf("on_error = %s: 1 failed renewal ends it", v.settings[path].Value),
				changes:  [][]scenario.Assignment{change(set(path, "next"))},
			}
			if v.Network.Loss > 0 {
				x.severity = Warning
				x.sum += fmt.Sprintf(", and a request or its answer is lost in %s of tries", percent(v.Network.Loss*(2-v.Network.Loss)))
			}
			all = append(all, x)
		}
		return all
	},
}

var beatsWhileRunning = Rule{
	ID:     "beats-while-running",
	Title:  "where the handler itself sends heartbeats, longest run + interval < suspicion",
	Why:    "Such beats come only between jobs: a healthy worker with a long job looks dead.",
	Source: "C41, text on failover (a live process is not a healthy worker, and the reverse)",
	find: func(v *view) (all []found) {
		for _, m := range v.Monitors {
			if !m.Heartbeat.Handler {
				continue
			}
			path, silence, between := v.monitorPath(m), v.silence(m), distSpan(&m.Heartbeat.Every.Every)
			for _, j := range v.Jobs {
				run := v.run(j)
				need := sum(run.high, between.high)
				runs := slices.ContainsFunc(v.watched(m), func(g *scenario.Group) bool { return v.takes(g, j) })
				if !runs || need < silence {
					continue
				}
				all = append(all, found{
					severity: Error,
					paths:    append([]string{path + ".heartbeat.sender", path + ".suspect.by"}, run.paths...),
					sum:      fmt.Sprintf("run %s + every %s = %s ≥ suspicion after %s", run.text(), between.text(), duration(need), duration(silence)),
					changes:  [][]scenario.Assignment{change(set(path+".heartbeat.sender", "thread"))},
				})
			}
		}
		return all
	},
}

var renewedWithoutLimit = Rule{
	ID:     "renewed-without-limit",
	Title:  "a job whose lease is renewed by itself has a time limit or a cap",
	Why:    "A handler that hangs is renewed for ever, and its message is never tried again.",
	Source: "text on failover (hard job time-out), presets (background renewal hides a hung handler)",
	find: func(v *view) (all []found) {
		for _, d := range v.expiring() {
			run := v.run(d.job)
			if !d.renewed() || d.job.Limit != forever || d.lease.Cap != forever || run.high == forever {
				continue
			}
			have, _ := d.least()
			limit := above(sum(have, times(run.high, 2)))
			all = append(all, found{
				severity: Hint,
				paths:    []string{"jobs." + d.job.Name + ".time_limit", d.path + ".renew.every"},
				sum:      "renewed, time limit forever, cap forever: no bound",
				changes:  [][]scenario.Assignment{change(set("jobs."+d.job.Name+".time_limit", duration(limit)))},
			})
		}
		return all
	},
}

var doubtInTime = Rule{
	ID:     "doubt-in-time",
	Title:  "where a heartbeat without an answer stops intake, interval + its time-out < suspicion",
	Why:    "The process learns that it is cut off only after the others have taken over, and goes on taking work until then.",
	Source: "rules without a run (a failed check-in, and the patience of peers)",
	find: func(v *view) (all []found) {
		for _, m := range v.Monitors {
			path, silence := v.monitorPath(m), v.silence(m)
			every, patience := distSpan(&m.Heartbeat.Every.Every), m.Heartbeat.Timeout
			need := sum(every.high, patience)
			if !v.doubts(m) || need < silence {
				continue
			}
			x := found{
				severity: Warning,
				paths:    []string{path + ".heartbeat.timeout", path + ".heartbeat.every", path + ".suspect.by"},
				sum:      fmt.Sprintf("every %s + time-out %s = %s ≥ suspicion after %s", every.text(), duration(patience), duration(need), duration(silence)),
			}
			if left := silence - every.high - 1; left > 0 {
				x.changes = [][]scenario.Assignment{change(set(path+".heartbeat.timeout", duration(below(left))))}
			}
			all = append(all, x)
		}
		return all
	},
}

var suspectMargin = Rule{
	ID:     "suspect-margin",
	Title:  "heartbeat interval × (lost beats borne + 1) + delay < suspicion, for one lost beat at least",
	Why:    "Any delay, or one lost message, makes the silence of a live process longer than the detector bears.",
	Source: "C21",
	find: func(v *view) (all []found) {
		for _, m := range v.Monitors {
			path, beat, silence := v.monitorPath(m), distSpan(&m.Heartbeat.Every.Every), v.silence(m)
			delay := v.beatDelay(m)
			x := found{severity: Warning, paths: []string{path + ".heartbeat.every", path + ".suspect.by"}}
			switch {
			case sum(beat.high, delay.high) >= silence:
				x.severity = Error
				x.sum = fmt.Sprintf("heartbeat %s + delay %s = %s ≥ suspicion after %s",
					beat.text(), delay.text(), duration(sum(beat.high, delay.high)), duration(silence))
			case sum(times(beat.high, 2), delay.high) >= silence:
				x.sum = fmt.Sprintf("heartbeat %s × 2 + delay %s = %s ≥ suspicion after %s",
					beat.text(), delay.text(), duration(sum(times(beat.high, 2), delay.high)), duration(silence))
			default:
				continue
			}
			if third := (silence - delay.high) / 3; third > 0 {
				x.changes = append(x.changes, change(set(path+".heartbeat", duration(below(third)))))
			}
			if m.Suspect.By == scenario.Missed {
				x.changes = append(x.changes, change(set(path+".suspect", "missed 3")))
			}
			all = append(all, x)
		}
		return all
	},
}

var suspectLosses = Rule{
	ID:     "suspect-losses",
	Title:  "losses alone convict a live process less than once a day",
	Why:    "So many beats in a row are lost by chance that healthy workers fail over every day.",
	Source: "C21, text on fault tolerance (a lost packet must not start a failover)",
	find: func(v *view) (all []found) {
		for _, m := range v.Monitors {
			path, beat := v.monitorPath(m), distSpan(&m.Heartbeat.Every.Every)
			loss, lossPath := v.beatLoss(m)
			perDay := 24 * time.Hour.Seconds() / beat.mean
			inRow := int((v.silence(m) - v.beatDelay(m).high) / max(1, beat.high))
			processes := 0
			for _, g := range v.watched(m) {
				processes += g.Count
			}
			often := perDay * float64(processes)
			for range min(inRow, 1000) {
				often *= loss
			}
			if inRow < 1 || often < 1 {
				continue
			}
			all = append(all, found{
				severity: Warning,
				paths:    []string{path + ".suspect.by", path + ".heartbeat.every", lossPath},
				sum: fmt.Sprintf("%s processes × %s beats a day × loss %s to the power of %d = %s a day",
					number(float64(processes)), number(perDay), percent(loss), inRow, number(often)),
				changes: [][]scenario.Assignment{
					change(set(path+".heartbeat", duration(below(beat.high/2)))), change(set(path+".heartbeat", duration(below(beat.high/4)))),
				},
			})
		}
		return all
	},
}

var evidenceLasts = Rule{
	ID:     "evidence-lasts",
	Title:  "evidence lifetime ≥ silence of a suspicion + check period",
	Why:    "The last beat is forgotten before the detector has decided, so the process is suspected earlier than suspect says.",
	Source: "rules without a run (dead age and reap cycle)",
	find: func(v *view) (all []found) {
		for _, m := range v.Monitors {
			path, silence := v.monitorPath(m), regularSilence(m)
			need := sum(silence, period(m.Check))
			if m.Evidence >= need {
				continue
			}
			all = append(all, found{
				severity: Error,
				paths:    []string{path + ".evidence", path + ".suspect.by", path + ".check.every"},
				sum:      fmt.Sprintf("evidence %s < suspicion after %s + check %s = %s", duration(m.Evidence), duration(silence), duration(period(m.Check)), duration(need)),
				changes:  [][]scenario.Assignment{change(set(path+".evidence", duration(above(need))))},
			})
		}
		return all
	},
}

// silence is the silence after which a monitor suspects a process whose beats were regular.
func (v *view) silence(m *scenario.Monitor) time.Duration { return min(regularSilence(m), m.Evidence) }

// regularSilence asks the detector itself. The phi kinds bear least when every interval was the same.
func regularSilence(m *scenario.Monitor) time.Duration {
	s, every := m.Suspect, seconds(m.Heartbeat.Every.Every.Mean())
	rule := &detect.Rule{Kind: kinds[s.By], Timeout: s.Timeout, Missed: s.Missed, Level: s.Level,
		Window: s.Window, MinSD: s.MinSD, Allowance: s.Allowance, Every: every}
	if rule.Check() != nil { // the run will say so
		return forever
	}
	d := detect.New(rule)
	d.Reset(0)
	var now policies.Instant
	for k := range int64(s.Window) + 2 { // what it began with is forgotten
		now = now.Add(every)
		d.Step(now, detect.Input{Kind: detect.Beat, Number: k + 1, Sent: now}, nil)
	}
	if due := d.Deadline(); due != policies.Never {
		return time.Duration(due - now)
	}
	return forever
}

var kinds = [...]detect.Kind{
	scenario.Fixed: detect.Fixed, scenario.Missed: detect.Missed, scenario.PhiNormal: detect.PhiNormal,
	scenario.PhiLogistic: detect.PhiLogistic, scenario.PhiExponential: detect.PhiExponential, scenario.Chen: detect.Chen,
}

// beatDelay is the longest way of a heartbeat, over the groups that are watched.
func (v *view) beatDelay(m *scenario.Monitor) (worst span) {
	for _, g := range v.watched(m) {
		if latency, _, _ := v.link(scenario.Heartbeat, g.Name, "monitors", m.Name); latency.high >= worst.high {
			worst = latency
		}
	}
	return worst
}

// beatLoss is the greatest share of heartbeats that are lost.
func (v *view) beatLoss(m *scenario.Monitor) (worst float64, path string) {
	for _, g := range v.watched(m) {
		if _, loss, at := v.link(scenario.Heartbeat, g.Name, "monitors", m.Name); loss >= worst {
			worst, path = loss, at
		}
	}
	return worst, path
}

// percent is a share for a reader.
func percent(share float64) string { return number(100*share) + "%" }
