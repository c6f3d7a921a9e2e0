package model

import (
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
)

// found is what a cache answers.
type found uint8

const (
	nothing  found = iota
	aCopy          // a copy
	anothers       // what another reader has fetched meanwhile
)

// reading is how far a read through a cache has come.
type reading uint8

const (
	looking  reading = iota // in the cache
	fetching                // from the source
	checking                // a hit, against the source
)

// compileRead finds whom a read asks. A service that is read by key counts the
// writes of each.
func (w *world) compileRead(sc *scenario.Scenario, o *op, fields []scenario.Field) {
	from := o.step.To
	if i := w.cacheNamed(from); i >= 0 {
		cfg := sc.Caches[i]
		o.cache, o.ofLock, from = i, cfg.OfLock, cfg.Source
	}
	if o.ofLock {
		o.index = w.lockStoreNamed(from)
		o.names = bind(sc.Locks[o.index].Names, fields)
		return
	}
	o.index = w.serviceNamed(from)
	w.compileRetry(sc, o)
	if s := w.services[o.index]; o.step.Key != nil && s.versions == nil {
		s.versions = map[uint64]uint64{}
	}
}

// beginRead begins a read of a service, or through a cache.
func (w *world) beginRead(i int32, x *execution, o *op) {
	j := w.jobs.at(x.job)
	switch {
	case o.step.Key != nil:
		x.row = render(o.step.Key, j, x)
	case len(o.names) > 0:
		x.row = render(&o.names[0], j, x)
	default:
		x.row = 0
	}
	if o.cache < 0 {
		w.beginCall(i, x)
		return
	}
	s := w.caches[o.cache]
	x.reading = looking
	n, _ := w.cacheCall(askCopy, i, x, s)
	x.call = n
	w.place(n, x.proc.group.cache(s).Timeout)
}

// cacheCall is a call from a reader to its cache.
func (w *world) cacheCall(a ask, i int32, x *execution, s *cache) (int32, *call) {
	n, c := w.newCall(a, scenario.Call, x.proc, s.node, w.stepLuck(x, luckCache).With(uint64(a)))
	w.holdJob(x.job)
	c.job, c.exec, c.execID, c.place, c.key = x.job, i, x.id, s.place, x.row
	return n, c
}

// cacheAnswered is the cache's answer, or its absence, which the reader takes for a
// miss: the source knows.
func (w *world) cacheAnswered(n int32, c *call) {
	x := w.resumed(n, c)
	if x == nil {
		return
	}
	o := &x.ops[x.pc]
	s := w.caches[o.cache]
	f := w.execFact(history.Miss, x, 0)
	f.Place, f.Key = s.place, x.row
	switch {
	case c.class != policies.OK:
		f.Value = 1
		fallthrough
	case c.found == nothing:
		w.record(f)
		x.reading, x.flight, c.flight = fetching, c.flight, -1
		w.fetch(c.exec, x, o)
	case c.found == anothers:
		w.record(f)
		w.use(c.exec, x, o, c.version)
	default:
		f.Kind, f.Value, f.Attempt = history.Hit, int64(w.sim.Now()-c.since), 0
		if c.version != w.truth(s, x.row) {
			f.Attempt = 1
		}
		w.record(f)
		if luck := w.stepLuck(x, luckCache).With(uint64(asks)); luck.U01() < x.proc.group.cache(s).Verify {
			x.reading, x.seen = checking, c.version
			w.fetch(c.exec, x, o)
			return
		}
		w.use(c.exec, x, o, c.version)
	}
}

// fetch asks the source.
func (w *world) fetch(i int32, x *execution, o *op) {
	if !o.ofLock {
		w.beginCall(i, x)
		return
	}
	s := w.locks[o.index]
	n, c := w.newCall(askHolder, scenario.Call, x.proc, w.front(x.proc, s), w.stepLuck(x, luckCache).With(uint64(askHolder)))
	w.holdJob(x.job)
	c.job, c.exec, c.execID, c.place, c.key = x.job, i, x.id, s.place, x.row
	x.call = n
	w.place(n, x.proc.group.lock(s).Timeout)
}

// tellHolder is the arrival of the question who holds a lock.
func (w *world) tellHolder(i int32, c *call) {
	s := w.locks[c.place.Index]
	c.version = w.serialOf(s, c.key)
	if w.serves(s.place) == scenario.ServesNone {
		c.class = policies.Transient
	}
	w.reply(i, c)
}

// serialOf is the serial of the grant by which a lock is held; 0 if it is free.
func (w *world) serialOf(s *lockStore, name uint64) uint64 {
	i, ok := s.byName[name]
	if !ok {
		return 0
	}
	_, serial, held := w.lockPool.at(i).grant.Holder()
	if !held {
		return 0
	}
	return uint64(serial)
}

// holderTold is a lock store's answer, or its absence.
func (w *world) holderTold(n int32, c *call) {
	x := w.resumed(n, c)
	if x == nil {
		return
	}
	if c.class != policies.OK {
		x.proc.probeNode = c.to
		w.finish(c.exec, x, policies.Coordination)
		return
	}
	w.fetched(c.exec, x, c.version)
}

// fetched goes on with what the source has, and brings it to the cache unless it
// is what that has said.
func (w *world) fetched(i int32, x *execution, value uint64) {
	o := &x.ops[x.pc]
	s := w.caches[o.cache]
	if x.reading == checking && value == x.seen {
		w.use(i, x, o, value)
		return
	}
	if x.reading == checking {
		f := w.execFact(history.Mismatch, x, 0)
		f.Place, f.Key = s.place, x.row
		w.record(f)
	}
	n, c := w.cacheCall(askFill, i, x, s)
	c.version, c.since = value, w.sim.Now()
	c.flight, x.flight = x.flight, -1
	if w.send(packet{what: letRequest, from: c.from, to: c.to, item: n}, c.kind, c.luck) == onItsWay {
		c.legs++
	} else {
		w.retireCall(n, c)
	}
	w.use(i, x, o, value)
}

// use is the reader's decision: the version is remembered for a write, and work
// for which another holds the lock is not done.
func (w *world) use(i int32, x *execution, o *op, value uint64) {
	switch {
	case !o.ofLock:
		x.version, x.read = value, x.row
	case value != 0 && !w.holds(x, o.index, value):
		x.proc.probeNode = w.locks[o.index].node
		w.finish(i, x, policies.Coordination)
		return
	}
	x.pc++
	w.advance(i, x)
}

// holds says whether the execution itself holds the lock by this grant.
func (w *world) holds(x *execution, store int16, serial uint64) bool {
	for k := range x.locks[:x.nlocks] {
		h := &x.locks[k]
		if h.held && h.lock >= 0 && uint64(h.serial) == serial {
			if l := w.lockPool.at(h.lock); l.store == store && l.name == x.row {
				return true
			}
		}
	}
	return false
}
