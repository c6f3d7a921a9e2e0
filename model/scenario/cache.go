package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tenggat/tenggat/sim/dist"
)

// Cache keeps copies of what its source holds. What it answers may contradict
// the source: it learns nothing of a change until a copy's life has ended.
type Cache struct {
	Name    string
	Source  string        // a service, or with OfLock a lock store
	OfLock  bool          // it keeps whether locks are held, and by which grant
	TTL     time.Duration // life of a copy; Forever
	Jitter  float64       // a life is TTL·u, u uniform on [1−Jitter, 1+Jitter]
	Lag     time.Duration // readers see a copy so long after it was written
	Reads   []string      // key versions tried in this order
	Writes  []string      // key versions written by a fill
	Flight  Flight
	Warm    []string   // key versions of which every key is there at the start
	WarmAt  *dist.Dist // instants at which those were written; nil: the start of the run
	Verify  float64    // share of hits checked against the source
	Serves  Serves
	Timeout time.Duration
	Clock   Clock
}

// Flight says among whom one reader that misses fetches for all.
type Flight uint8

const (
	FlightNone    Flight = iota // everybody fetches
	FlightProcess               // the readers of one process
	FlightKey                   // all readers
)

var cacheBlock = define(block{
	name: "cache",
	main: "source",
	keys: []key{
		{name: "source", form: nameValue.form, fixed: true, help: "what it keeps copies of: a service, or a lock store; then a read of a lock that another holds ends in a coordination error, and one of a free lock goes on without taking it"},
		{name: "ttl", form: durationValue.form, initial: "forever", help: "life of a copy"},
		{name: "jitter", form: shareValue.form, initial: "0", help: "±: a life is drawn anew for every copy"},
		{name: "lag", form: durationValue.form, initial: "0s", help: "readers see a copy so long after it was written"},
		{name: "reads", client: true, form: versionsValue.form, initial: "v1", help: "key versions tried, in this order; a copy that is found under a later one is written under those of writes that have none, and keeps its end"},
		{name: "writes", client: true, form: versionsValue.form, initial: "v1", help: "key versions under which what was fetched is written"},
		{name: "single_flight", form: flightValue.form, initial: "none", help: "who misses fetches alone for the others, which wait: among the readers of one process, or all readers of a key"},
		{name: "warm", form: warmValue.form, initial: "false", fixed: true, help: "filled at the start with what the source holds then: every key, every key of some versions, or every key at an instant drawn for it"},
		{name: "verify", client: true, form: shareValue.form, initial: "0", help: "share of hits that are checked against the source before they are used"},
		{name: "serves", form: servesValue.form, initial: "all", help: "reads: nothing is written to it; none: it does not answer. A cache without an answer counts as one without a copy"},
		timeoutKey, clockKey,
	},
	later: slices.Concat(laterHost, []string{"preset"}),
})

var (
	versionsValue = value[string]{&form{name: "key version", open: true, many: set}, parseName}
	flightValue   = choice[Flight]("scope", "none", "process", "key")
	warmValue     = value[warm]{&form{name: "key version or dist of instants", unit: inSeconds, open: true, many: set, words: []string{"true", "false"}}, parseWarm}
)

// warm is one way in which a cache is filled at the start.
type warm struct {
	all     bool
	version string
	at      *dist.Dist
}

func parseWarm(text string) (warm, error) {
	switch text {
	case "true":
		return warm{all: true}, nil
	case "false":
		return warm{}, nil
	}
	if name, err := parseName(text); err == nil {
		return warm{version: name}, nil
	}
	d, err := dist.Parse(text)
	if err != nil {
		return warm{}, fmt.Errorf("%q is neither true, false, a key version such as v1, nor a distribution of instants such as 0s..1s", text)
	}
	return warm{at: &d}, nil
}

func (v view) cache(name string) *Cache {
	c := &Cache{
		Name:    name,
		Jitter:  get(v, "jitter", shareValue),
		Lag:     get(v, "lag", durationValue),
		Reads:   getList(v, "reads", versionsValue),
		Writes:  getList(v, "writes", versionsValue),
		Flight:  get(v, "single_flight", flightValue),
		Verify:  get(v, "verify", shareValue),
		TTL:     get(v, "ttl", durationValue),
		Serves:  get(v, "serves", servesValue),
		Timeout: get(v, "timeout", durationValue),
		Clock:   v.clock(),
	}
	v.required("source")
	c.Source = v.known("source", "services", "locks")
	c.OfLock = v.root.get("locks").get(c.Source) != nil
	if c.OfLock && v.root.get("services").get(c.Source) != nil {
		v.wrong("source", "%q is the name of a service and of a lock; give one of them another name", c.Source)
	}
	v.warm(c)
	if shortest := float64(c.TTL) * (1 - c.Jitter); v.sound("ttl", "jitter", "lag") && c.TTL != Forever && float64(c.Lag) >= shortest {
		v.wrong("ttl", "a copy may end before its readers see it: the shortest life (%v) must be longer than the lag (%v)", time.Duration(shortest), c.Lag)
	}
	return c
}

// warm reads how the cache is filled at the start.
func (v view) warm(c *Cache) {
	list := getList(v, "warm", warmValue)
	for _, w := range list {
		switch {
		case w.version != "":
			c.Warm = append(c.Warm, w.version)
		case len(list) > 1:
			v.wrong("warm", "a list holds key versions only")
		case w.all || w.at != nil:
			c.Warm, c.WarmAt = c.Writes, w.at
		}
	}
}

var readBlock = define(block{
	name: "read",
	main: "from",
	keys: []key{
		{name: "from", form: nameValue.form, fixed: true, help: "service or cache"},
		{name: "key", form: templateValue.form, fixed: true, help: "what is read: its version is the number of writes accepted under this key; without it, the whole service, or of a lock store the lock that the job would take"},
	},
})

func (v view) read(of owner) Step {
	s := Step{Verb: Read, Share: 1}
	r, ok := v.sub("read", readBlock)
	if !ok {
		return s
	}
	r.required("from")
	s.To, s.Key = r.known("from", "services", "caches"), r.key(of)
	if s.To != "" && v.root.get("services").get(s.To) != nil && v.root.get("caches").get(s.To) != nil {
		r.wrong("from", "%q is the name of a service and of a cache; give one of them another name", s.To)
	}
	for _, c := range v.s.Caches {
		if c.Name != s.To || !c.OfLock || s.Key != nil {
			continue
		}
		for _, l := range v.s.Locks {
			if l.Name != c.Source {
				continue
			}
			if _, err := l.Names[0].bind(of.fields); err != nil {
				r.wrong("from", "lock %s: %s", l.Name, err)
			}
		}
	}
	return s
}

var flushBlock = define(block{
	name: "flush",
	main: "cache",
	keys: []key{
		{name: "cache", form: flushedValue.form, help: "caches.c, or one key version of it: caches.c/v1"},
		{name: "share", form: shareValue.form, initial: "100%", help: "of the copies"},
	},
})

var flushedValue = value[Target]{&form{name: "cache", open: true, many: set}, parseFlushed}

// parseFlushed reads a cache, or one key version of it.
func parseFlushed(text string) (Target, error) {
	whole, version, one := strings.Cut(text, "/")
	t, err := parseTarget(whole)
	if err != nil || t.Noun != "caches" {
		return t, cmp.Or(err, fmt.Errorf("%q: only a cache is flushed: write caches.c, or caches.c/v1 for one key version", text))
	}
	if one {
		if t.Version, err = parseName(version); err != nil {
			return t, fmt.Errorf("%q: %q is no key version", text, version)
		}
	}
	return t, nil
}

// flush reads which copies an event destroys.
func (v view) flush(e *Event) {
	v.required("cache")
	e.Share = get(v, "share", shareValue)
	n, path := v.at("cache", flushedValue.form)
	e.On = parsedList(v.builder, n, path, flushedValue)
	for _, t := range e.On {
		if t.Name != "" {
			v.exists(n, path, &t)
		}
	}
}
