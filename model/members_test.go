package model

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tenggat/tenggat/model/check"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/policies"
)

// cluttered is a store of several members under cuts, losses, delays, deaths and
// pauses of members, and deaths of those who want the lock. Nobody's wall clock
// is read, and no holder pauses: one that does believes until it wakes.
func cluttered(seed uint64, members string, deaths bool) string {
	r := rand.New(rand.NewPCG(seed, 7))
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	var b strings.Builder
	fmt.Fprintf(&b, "run: 5m\nseed: %d\n", seed)
	fmt.Fprintf(&b, "network: {latency: %s, loss: %s}\n", pick("0s", "5ms", "exp 20ms", "1ms..300ms"), pick("0", "1%", "10%"))
	fmt.Fprintf(&b, "locks: {l: {members: {names: [a, b, c, d, e], %s}, wait: %s, timeout: %s, lease: {length: 8s, renew: {every: %s, timeout: 1s}}}}\n",
		members, pick("300ms", "1s", "100ms..900ms"), pick("500ms", "2s"), pick("2s", "3s", "7s"))
	fmt.Fprintf(&b, "workers: {w: {count: 4}}\n")
	fmt.Fprintf(&b, "jobs: {j: {by: w, arrivals: loop after %s, errors: {coordination: drop}, steps: [lock: l, work: %s]}}\n", pick("0s", "exp 1s"), pick("exp 2s", "20s", "500ms"))
	fmt.Fprintf(&b, "events:\n")
	names := []string{"a", "b", "c", "d", "e"}
	for i := range 6 {
		from, to := names[r.IntN(5)], names[r.IntN(5)]
		ends := pick(fmt.Sprintf("locks.l/%s, [locks.l/%s, workers.w/1]", from, to), fmt.Sprintf("workers.w/%d, locks.l/%s", 1+r.IntN(4), to), fmt.Sprintf("locks.l/%s, locks.l/%s", from, to))
		fmt.Fprintf(&b, "  cut_%d: {at: %ds, for: %ds, cut: {between: [%s], how: %s}}\n", i, r.IntN(280), 1+r.IntN(60), ends, pick("drop", "refuse"))
		what := "pause"
		if deaths {
			what = pick("pause", "crash")
		}
		fmt.Fprintf(&b, "  out_%d: {at: %ds, for: %ds, %s: locks.l/%s}\n", i, r.IntN(280), 1+r.IntN(40), what, from)
	}
	fmt.Fprintf(&b, "  death: {rate: 20/h, for: 5s, crash: workers.w}\n")
	return b.String()
}

// witness notes how many believed at once to own a lock, and the tokens.
type witness struct {
	most    int32
	now     int64 // of the number, which counts when it has lasted
	present int32
	grants  int
	forgets int
	token   policies.Token
	fell    string
}

func (v *witness) Observe(f *history.Fact) {
	if f.At > v.now {
		v.most, v.now = max(v.most, v.present), f.At
	}
	switch {
	case f.Place.Noun != history.Lock:
	case f.Kind == history.Believe:
		v.present = f.Attempt
	case f.Kind == history.Forget:
		v.forgets++
		v.token = f.Token
	case f.Kind == history.Grant:
		v.grants++
		if f.Token <= v.token {
			v.fell = fmt.Sprintf("token %d after %d at %v", f.Token, v.token, time.Duration(f.At))
		}
		v.token = f.Token
	}
}

// With clocks that only run forward a majority has one holder, and so has a
// leader who needs a majority to answer, whatever is cut, lost, late, frozen or
// dead. Tokens rise, except after a fail-over that forgot some.
func TestOneHolderOfAMajority(t *testing.T) {
	for _, c := range []struct {
		members string
		deaths  bool // members that agree by majority forget when they die
		lag     bool
	}{
		{members: "agree: majority"},
		{members: "agree: leader", deaths: true},
		{members: "agree: leader, failover: reset, election: 3s", deaths: true},
		{members: "agree: leader, failover: reset, lag: 4s", deaths: true, lag: true},
		{members: "agree: leader_unchecked", deaths: true, lag: true},
	} {
		grants, forgets := 0, 0
		for seed := range uint64(60) {
			v, judge := &witness{}, check.New()
			w := newWorld(resolve(t, "cluttered", cluttered(seed, c.members, c.deaths)), Options{}, []history.Observer{v, judge})
			w.start()
			run(t, w, 5*time.Minute)
			if v.most > 1 && !c.lag {
				t.Errorf("%s: seed %d: %d believed at once to own the lock", c.members, seed, v.most)
			}
			if v.fell != "" {
				t.Errorf("%s: seed %d: %s", c.members, seed, v.fell)
			}
			for _, violation := range judge.Judge() {
				t.Errorf("%s: seed %d: %v", c.members, seed, violation)
			}
			grants, forgets = grants+v.grants, forgets+v.forgets
		}
		if grants < 60*5 {
			t.Errorf("%s: %d grants in 60 worlds: nothing was tried", c.members, grants)
		}
		if strings.Contains(c.members, "lag") != (forgets > 0) {
			t.Errorf("%s: %d fail-overs forgot something", c.members, forgets)
		}
	}
}
