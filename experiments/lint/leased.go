package lint

import (
	"time"

	"github.com/tenggat/tenggat/model/scenario"
)

// leased is a lease with its path.
type leased struct {
	*scenario.Lease
	path string
}

// asked is the shortest and the longest length that is asked for, rare ones left out.
func (l leased) asked() (low, high time.Duration) {
	low = forever
	for i := range l.Length {
		p1, err := l.Length[i].Quantile(0.01)
		if err != nil {
			p1 = 0
		}
		low, high = min(low, seconds(p1)), max(high, distSpan(&l.Length[i]).high)
	}
	return low, high
}

// least is the time for which a grant without renewal is safe, and its name: what is granted of what is asked, and the
// slack that the grantor adds or takes.
func (l leased) least() (time.Duration, string) {
	if l.Forever {
		return forever, "lease without end"
	}
	low, high := l.asked()
	if low < l.RangeLow || high > l.RangeHigh {
		switch l.Outside {
		case scenario.OutsideReplace:
			low = l.Replaced
		case scenario.OutsideClamp:
			low = min(max(low, l.RangeLow), l.RangeHigh)
		}
	}
	text := "lease " + duration(low)
	if _, constant := l.Length[0].IsConstant(); len(l.Length) > 1 || !constant {
		text += " (shortest, p1)"
	}
	if l.Slack == nil {
		return low, text
	}
	if l.SlackMinus {
		early := distSpan(l.Slack)
		return max(0, low-early.high), text + " − slack " + early.text()
	}
	late, err := l.Slack.Quantile(0.01)
	if err != nil || late == 0 {
		return low, text
	}
	return sum(low, seconds(late)), text + " + slack " + duration(seconds(late))
}

// renewed reports whether something extends the lease in time while a job runs.
func (l leased) renewed() bool {
	if l.Renew == nil {
		return false
	}
	have, _ := l.least()
	return distSpan(&l.Renew.Every.Every).high < have
}

func (d delivery) leased() leased                 { return leased{d.lease, d.path} }
func (d delivery) least() (time.Duration, string) { return d.leased().least() }
func (d delivery) renewed() bool                  { return d.leased().renewed() }

// period is the time between two looks of a grantor.
func period(c scenario.Check) time.Duration {
	if c.AtOnce {
		return 0
	}
	return distSpan(&c.Every.Every).high
}

// longer proposes a lease of a length, or one that is renewed.
func longer(path string, length time.Duration) (all [][]scenario.Assignment) {
	if length < forever-time.Hour {
		all = append(all, change(set(path, duration(above(length)))))
	}
	return append(all, change(set(path+".renew", "=length / 3")))
}

// renewedLease proposes a lease where there is none: 30 s, renewed, which suits any run; or one that covers the run.
func renewedLease(path string, run time.Duration) [][]scenario.Assignment {
	all := [][]scenario.Assignment{change(set(path, "{length: 30s, renew: 10s}"))}
	if run < forever/2 {
		all = append(all, change(set(path, duration(above(max(2*run, 30*time.Second))))))
	}
	return all
}

// buffered is the most deliveries that one process can have of a queue, the running ones included.
func (v *view) buffered(d delivery) int {
	n := min(d.queue.Prefetch, v.most(d.queue))
	if p := d.queue.Partitions; p != nil { // of each that a process has, one message is out at a time
		processes := 0
		for _, g := range d.groups {
			processes += g.Count
		}
		n = min(n, (p.Count+processes-1)/max(1, processes))
	}
	return n
}

// ahead is how many messages of a buffer may be worked off before the last of it begins, on how many slots, in the group
// where that takes longest; none where a lease begins with the work.
func (v *view) ahead(d delivery) (messages, slots int, group string) {
	slots = 1
	n := v.buffered(d)
	for _, g := range d.groups {
		if more := n - g.Slots; d.lease.From != scenario.FromStart && more > 0 && more*slots > messages*g.Slots {
			messages, slots, group = more, g.Slots, g.Name
		}
	}
	return messages, slots, group
}
