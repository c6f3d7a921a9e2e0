package explain

import "github.com/tenggat/tenggat/model/history"

// remark is what a fact means in the light of the facts beside it.
type remark uint8

const (
	plain     remark = iota
	ofRenewal        // a time-out: of a renewal, which has failed with it
	letGo            // the end of a claim: its holder had given it back, and its grantor has not heard
	unheard          // a settlement: the queue does not serve, the claim stands
)

// remarkOn finds what is to be said of a story's i-th fact.
func remarkOn(all []told, i int) remark {
	f := &all[i].Fact
	switch {
	case f.Kind == history.TimeOut && beside(all, i, func(x *history.Fact) bool { return x.Kind == history.RenewFail && sameClaimant(x, f) }):
		return ofRenewal
	case f.Kind == history.Expire && f.Value == 1 && !lost(all, i):
		return letGo
	case f.Kind == history.AckRefused && f.Value == 1 && stands(all[:i], f):
		return unheard
	}
	return plain
}

func sameClaimant(a, b *history.Fact) bool {
	return a.Place == b.Place && a.Group == b.Group && a.Process == b.Process && a.Job == b.Job
}

// beside says that a fact of some kind happened in the same instant.
func beside(all []told, i int, is func(*history.Fact) bool) bool {
	for k := i; k >= 0 && all[k].At == all[i].At; k-- {
		if is(&all[k].Fact) {
			return true
		}
	}
	for k := i + 1; k < len(all) && all[k].At == all[i].At; k++ {
		if is(&all[k].Fact) {
			return true
		}
	}
	return false
}

// lost says that the end of a claim takes it from a living holder who has not
// given it back: a loss is told then, or was when a renewal was refused. It is
// what leases_lost_alive counts.
func lost(all []told, i int) bool {
	f := &all[i].Fact
	is := func(x *history.Fact) bool { return x.Kind == history.LostAlive && x.Key == f.Key && sameClaimant(x, f) }
	if beside(all, i, is) {
		return true
	}
	for k := i - 1; k >= 0; k-- {
		x := &all[k].Fact
		switch {
		case is(x):
			return true
		case x.Key == f.Key && sameClaimant(x, f) && (x.Kind == history.Grant || x.Kind == history.Deliver):
			return false
		}
	}
	return false
}

// stands says that the claim on a delivery has not ended yet.
func stands(before []told, f *history.Fact) bool {
	for k := len(before) - 1; k >= 0; k-- {
		x := &before[k].Fact
		if x.Job != f.Job {
			continue
		}
		switch x.Kind {
		case history.Deliver:
			return x.Delivery == f.Delivery
		case history.Expire, history.Revoke, history.Return, history.Ack, history.Drop:
			return false
		}
	}
	return false
}
