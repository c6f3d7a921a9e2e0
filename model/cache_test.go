package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tenggat/tenggat/model/check"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/metric"
)

const mostJitter = 0.3

// cachedWorld is a scenario whose jobs read few keys through one cache, while
// readers die and sleep, copies are lost and the source fails. Readers wait as
// long as it takes, and no message is lost.
func cachedWorld(seed uint64, flight string) string {
	g := &drawer{rand.New(rand.NewPCG(seed, 2))}
	return fmt.Sprintf(`
seed: %d
run: {duration: 10m}
network: {timeout: 1h, latency: %s}
services: {db: {time: %s, errors: %s, retry: {attempts: 2, delay: 100ms}}}
caches: {c: {source: db, ttl: 4s, jitter: %s, single_flight: %s%s}}
workers: {w: {count: 4, slots: 3}}
jobs:
  read: {by: w, arrivals: poisson 5/s, fields: {k: zipf 4}, errors: {transient: drop}, steps: [read: {from: c, key: 'k:{k}'}]}
  write: {by: w, arrivals: poisson 0.2/s, fields: {k: zipf 4}, errors: {transient: drop}, steps: [write: {to: db, key: 'k:{k}'}]}
events:
  dies: {rate: 20/m, crash: workers.w, for: exp 500ms}
  sleeps: {rate: 10/m, pause: workers.w, for: exp 1s}
  lost: {every: 7s, flush: {cache: caches.c, share: 50%%}}
`, seed, g.of("0s", "0s", "exp 20ms"), g.of("exp 300ms", "500ms"), g.of("0", "20%"), g.of("0", "30%"), flight,
		g.some("verify: 30%", "reads: [v2, v1], writes: v2", "lag: 500ms"))
}

// fetches counts the fetches under way for each owner and key, and the reads
// that were answered.
type fetches struct {
	byProcess     bool
	under         map[fetch]map[int64]int32 // jobs, and who runs them
	most          int
	checks        map[int64]bool // jobs whose present fetch checks a hit
	reads, starts int64
	oldest        int64
	stale         int64
}

type fetch struct {
	key     uint64
	process int32
}

func (o *fetches) Observe(f *history.Fact) {
	at := fetch{key: f.Key}
	if o.byProcess {
		at.process = f.Process
	}
	read := f.Type == 0
	switch {
	case f.Kind == history.Start && read:
		o.starts++
	case f.Kind == history.Hit:
		o.reads++
		o.oldest = max(o.oldest, f.Value)
		o.stale += int64(f.Attempt)
		o.checks[f.Job] = true // if it asks the source now, it is to check
	case f.Kind == history.Miss:
		o.reads++
		delete(o.checks, f.Job)
	case f.Kind == history.Call && read && !o.checks[f.Job]:
		if o.under[at] == nil {
			o.under[at] = map[int64]int32{}
		}
		o.under[at][f.Job] = f.Process
		o.most = max(o.most, len(o.under[at]))
	case f.Kind == history.Complete || f.Kind == history.Fail:
		for _, jobs := range o.under { // order-free: takes one job out
			delete(jobs, f.Job)
		}
	case f.Kind == history.Crash:
		for _, jobs := range o.under { // order-free: takes the dead process's jobs out
			for job, process := range jobs { // order-free: as above
				if process == f.Process {
					delete(jobs, job)
				}
			}
		}
	}
}

// At most one reader fetches a key at a time, whoever dies, sleeps or fails;
// and every read is a hit or a miss.
func TestSingleFlight(t *testing.T) {
	for seed := range uint64(20) {
		for _, flight := range []string{"key", "process"} {
			yaml := cachedWorld(seed, flight)
			o := &fetches{byProcess: flight == "process", under: map[fetch]map[int64]int32{}, checks: map[int64]bool{}}
			judge := check.New()
			w := newWorld(resolve(t, "cached", yaml), Options{}, []history.Observer{o, judge})
			w.start()
			run(t, w, 10*time.Minute)
			if o.most != 1 {
				t.Errorf("seed %d, %s: %d fetches of one key at once\n%s", seed, flight, o.most, yaml)
			}
			if o.reads < 1000 || o.reads > o.starts {
				t.Errorf("seed %d, %s: %d hits and misses of %d reads", seed, flight, o.reads, o.starts)
			}
			if o.stale == 0 {
				t.Errorf("seed %d, %s: no answer was ever stale\n%s", seed, flight, yaml)
			}
			for _, v := range judge.Judge() {
				t.Errorf("seed %d, %s: %v", seed, flight, v)
			}
		}
	}
}

// Without single flight there are many at once: the test above has teeth.
func TestWithoutSingleFlight(t *testing.T) {
	o := &fetches{under: map[fetch]map[int64]int32{}, checks: map[int64]bool{}}
	w := newWorld(resolve(t, "cached", cachedWorld(0, "none")), Options{}, []history.Observer{o})
	w.start()
	run(t, w, 10*time.Minute)
	if o.most < 2 {
		t.Errorf("%d fetches of one key at once, want more", o.most)
	}
}

// No copy is older than ttl·(1 + jitter), however it came: fetched, converted
// from an older key version, or there from the start. Some come close to it.
func TestNoCopyOutlivesItsTime(t *testing.T) {
	const ttl = 4 * time.Second
	for seed := range uint64(20) {
		g := &drawer{rand.New(rand.NewPCG(seed, 3))}
		o := &fetches{under: map[fetch]map[int64]int32{}, checks: map[int64]bool{}}
		yaml := fmt.Sprintf(`
seed: %d
run: {duration: 20m}
services: {db: {}}
caches: {c: {source: db, ttl: %v, jitter: %v%s}}
workers: {w: {slots: unlimited}}
jobs: {read: {by: w, arrivals: poisson 40/s, fields: {k: uniform 30}, steps: [read: {from: c, key: 'k:{k}'}]}}
events: {lost: {every: 30s, flush: {cache: caches.c/v1, share: 30%%}}}
`, seed, ttl, mostJitter, g.some("reads: [v2, v1], writes: [v1, v2]", "warm: "+g.of("true", "0s..1s"), "lag: 1s", "single_flight: key"))
		w := newWorld(resolve(t, "ages", yaml), Options{}, []history.Observer{o})
		w.start()
		run(t, w, 20*time.Minute)
		if oldest, bound := time.Duration(o.oldest), time.Duration(float64(ttl)*(1+mostJitter)); oldest >= bound || oldest < bound*9/10 {
			t.Errorf("seed %d: the oldest copy that was read is %v old, want just below %v\n%s", seed, oldest, bound, yaml)
		}
	}
}

// Every key is read once and its copy lives for 10 s: the records of the cache
// are about twice the copies that live, however long the run.
func TestACacheHoldsLivingCopies(t *testing.T) {
	w := newWorld(resolve(t, "ages", `
run: {duration: 1h}
services: {db: {}}
caches: {c: {source: db, ttl: 10s, jitter: 50%, lag: 1s}}
workers: {w: {slots: unlimited}}
jobs: {read: {by: w, arrivals: poisson 100/s, steps: [read: {from: c, key: 'k:{job}'}]}}
`), Options{}, nil)
	w.start()
	run(t, w, time.Hour)
	if s := w.caches[0]; s.copies.size < 1000 || s.copies.size > 3000 || len(s.newest) > s.copies.inUse() {
		t.Errorf("%d records, of which %d in use and %d to be found; about 1000 live at a time", s.copies.size, s.copies.inUse(), len(s.newest))
	}
}

// Oracle H02: a thousand keys of which key i is read with probability p_i ∝ 1/i.
// With a life of 60 s that hits do not lengthen, a key read at rate λ_i misses a
// share 1/(1 + λ_i·60 s) of its reads.
func TestOracleSteadyMisses(t *testing.T) {
	const rate, life, want = 100.0, 60.0, 0.1081438
	misses := 0.0
	for _, p := range zipf(1000) {
		misses += p / (1 + rate*p*life)
	}
	if math.Abs(misses-want) > 1e-7 {
		t.Fatalf("the formula gives %v, published is %v", misses, want)
	}
	r := measure(t, 0, `
run: {duration: 7_000s, warmup: 1000s}
services: {db: {}}
caches: {c: {source: db, ttl: 60s}}
workers: {w: {slots: unlimited}}
jobs: {read: {by: w, arrivals: poisson 100/s, fields: {k: zipf 1000}, steps: [read: {from: c, key: 'k:{k}'}]}}
`)
	if ratio, _ := r.Value("caches.c.cache_hit_ratio"); math.Abs(1-ratio-want) > 0.011*want {
		t.Errorf("a share of %v misses, want %v ± 1.1 %%", 1-ratio, want)
	}
}

// Oracle H02: half of the reads go to a new key version at once. By ten seconds
// they have missed Σ(1 − e^(−50·p_i·10)) times, and not once if they try the old
// version too.
func TestOracleMissesAfterASwitch(t *testing.T) {
	const share, seconds, want = 50.0, 10.0, 210.7365
	misses := 0.0
	for _, p := range zipf(1000) {
		misses += 1 - math.Exp(-share*p*seconds)
	}
	if math.Abs(misses-want) > 1e-4 {
		t.Fatalf("the formula gives %v, published is %v", misses, want)
	}
	const replications = 200
	var new, both float64
	for n := range uint64(replications) {
		r := measure(t, n, `
run: {duration: 10s}
services: {db: {}}
caches:
  old: {source: db, warm: true}
  new: {source: db, reads: v2, writes: v2, warm: v1}
  both: {source: db, reads: [v2, v1], writes: [v2, v1], warm: v1}
workers: {w: {slots: unlimited}}
jobs:
  old: {by: w, arrivals: poisson 50/s, fields: {k: zipf 1000}, steps: [read: {from: old, key: 'k:{k}'}]}
  new: {by: w, arrivals: poisson 50/s, fields: {k: zipf 1000}, steps: [read: {from: new, key: 'k:{k}'}, read: {from: both, key: 'k:{k}'}]}
`)
		for name, sum := range map[string]*float64{"caches.new.misses": &new, "caches.both.misses": &both} {
			v, _ := r.Value(name)
			*sum += v / replications
		}
		if v, _ := r.Value("caches.old.misses"); v != 0 {
			t.Fatalf("the old version is missed %v times", v)
		}
	}
	if math.Abs(new-want) > 0.0094*want {
		t.Errorf("%v misses by ten seconds, want %v ± 0.94 %%", new, want)
	}
	if both != 0 {
		t.Errorf("%v misses with both versions read, want none", both)
	}
}

func zipf(n int) []float64 {
	p, sum := make([]float64, n), 0.0
	for i := range p {
		p[i] = 1 / float64(i+1)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

func measure(t *testing.T, replication uint64, yaml string) *metric.Result {
	t.Helper()
	r, err := Run(resolve(t, "oracle", yaml), Options{Replication: replication})
	if err != nil {
		t.Fatal(err)
	}
	return r.Metrics
}
