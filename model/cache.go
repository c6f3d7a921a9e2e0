package model

import (
	"slices"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/policies"
	"github.com/tenggat/tenggat/sim"
)

// cache is the server's side of a cache: copies by key and key version, each of
// which ends by the cache's clock. It never asks its source; readers do, and
// bring it what they found.
type cache struct {
	cfg     *scenario.Cache
	place   history.Place
	node    int32
	source  int16    // service or lock store
	warm    []uint64 // hashes of key versions
	copies  pool[copied]
	newest  map[uint64]int32 // by slot
	hand    int32            // where the sweep goes on
	flights map[uint64]int32
	flushes []flush // that may have hit copies of the start
	flushed uint64
	memory  // of guards; as volatile as all else in it
}

// copied is what was fetched once, under one key and version. While its readers
// do not see it yet, the one before it is kept.
type copied struct {
	slot    uint64
	key     uint64
	found   bool   // a reconciler has told of it
	version uint64 // hash of the key version
	value   uint64 // of the source: a version, or the serial of a lock's grant, 0 if it was free
	born    sim.Time
	seen    policies.Instant // from when on readers see it
	ends    policies.Instant
	kept    policies.Instant // until when its record stays: it hides a copy of the start
	older   int32            // -1: none
	head    bool             // the newest of its slot; false for a free record
}

// flush is a loss of copies at an instant.
type flush struct {
	at      sim.Time
	version uint64 // 0: all
	share   float64
	number  uint64
}

// slotOf joins a key with its version.
func slotOf(key, version uint64) uint64 { return uint64(exact.Chance(key).With(version)) }

// configure takes settings, from now on.
func (s *cache) configure(cfg *scenario.Cache) {
	s.cfg = cfg
	s.rule = cfg.KeyRule()
	s.warm = versionsOf(s.warm, cfg.Warm)
}

func versionsOf(hashes []uint64, names []string) []uint64 {
	hashes = hashes[:0]
	for _, name := range names {
		hashes = append(hashes, render(&scenario.Template{Parts: []scenario.Part{{Literal: name}}}, nil, nil))
	}
	return hashes
}

// lookUp is the arrival of a reader's question.
func (w *world) lookUp(i int32, c *call) {
	s := w.caches[c.place.Index]
	if s.cfg.Serves == scenario.ServesNone {
		c.class = policies.Transient
		w.reply(i, c)
		return
	}
	for n, version := range w.keysOf(c).reads {
		k, ok := w.find(s, slotOf(c.key, version), version)
		if !ok {
			continue
		}
		c.found, c.version, c.since = aCopy, k.value, k.born
		if n > 0 && s.cfg.Serves == scenario.ServesAll {
			w.convert(s, c, k)
		}
		w.reply(i, c)
		return
	}
	if !w.join(s, i, c) {
		w.reply(i, c)
	}
}

// find is the copy that readers see in a slot.
func (w *world) find(s *cache, slot, version uint64) (copied, bool) {
	now := w.now(s.node)
	i, ok := s.newest[slot]
	for ; ok && i >= 0; i = s.copies.at(i).older {
		k := s.copies.at(i)
		if now < k.seen {
			continue
		}
		s.forgetOlder(k)
		if k.head && now >= k.kept {
			s.forget(i)
			return copied{}, false
		}
		return *k, now < k.ends
	}
	return w.fromTheStart(s, slot, version, now)
}

// fromTheStart is the copy that a warm cache has of every key. It is not kept but
// worked out anew each time: its chance hangs on the slot alone, and who writes
// to the slot hides it.
func (w *world) fromTheStart(s *cache, slot, version uint64, now policies.Instant) (copied, bool) {
	if !slices.Contains(s.warm, version) {
		return copied{}, false
	}
	cfg := w.base.Caches[s.place.Index]
	luck := w.luck[luckCache].With(uint64(s.place.Index)).With(slot)
	k := copied{slot: slot, version: version, born: w.from}
	if cfg.WarmAt != nil {
		k.born = sim.Time(cfg.WarmAt.Draw(luck.With(1)))
	}
	at := w.read(s.node, k.born)
	k.seen, k.ends = at.Add(cfg.Lag), endOf(cfg, at, luck.With(2))
	return k, k.seen <= now && now < k.ends && !w.lostEarly(s, &k)
}

// endOf is when a copy ends that is written at an instant.
func endOf(cfg *scenario.Cache, at policies.Instant, luck chance) policies.Instant {
	if cfg.TTL == scenario.Forever {
		return policies.Never
	}
	life := cfg.TTL
	if cfg.Jitter > 0 {
		swing := float64(2*luck.U01()) - 1
		life = time.Duration(exact.RoundNs(float64(cfg.TTL) * (1 + float64(cfg.Jitter*swing))))
	}
	return at.Add(life)
}

// convert writes a copy that was found under an older key version under those
// that are written now and have none. It stays as old as it is.
func (w *world) convert(s *cache, c *call, k copied) {
	for _, version := range w.keysOf(c).writes {
		slot := slotOf(c.key, version)
		if _, there := w.find(s, slot, version); there {
			continue
		}
		again := k
		again.slot, again.key, again.version, again.seen = slot, c.key, version, w.now(s.node).Add(s.cfg.Lag)
		if again.seen < again.ends {
			w.keep(s, again)
		}
	}
}

// takeCopy is the arrival of what a reader has fetched.
func (w *world) takeCopy(i int32, c *call) {
	s := w.caches[c.place.Index]
	if s.cfg.Serves == scenario.ServesAll {
		now := w.now(s.node)
		k := copied{key: c.key, value: c.version, born: c.since, seen: now.Add(s.cfg.Lag)}
		f := w.callFact(history.Fill, c, -1)
		for n, version := range w.keysOf(c).writes {
			k.slot, k.version = slotOf(c.key, version), version
			if k.ends = endOf(s.cfg, now, c.luck.With(k.slot)); n == 0 && k.ends != policies.Never {
				f.Value = int64(k.ends.Sub(now))
			}
			w.keep(s, k)
		}
		w.record(f)
	}
	if c.flight >= 0 {
		w.landed(c.flight, c.version, c.since)
		c.flight = -1
	}
	c.legs--
	w.retireCall(i, c)
}

// keep writes a copy.
func (w *world) keep(s *cache, k copied) {
	now := w.now(s.node)
	first, _ := w.fromTheStart(s, k.slot, k.version, now)
	k.head, k.older, k.kept = true, -1, max(k.ends, first.ends)
	if before, ok := s.newest[k.slot]; ok {
		old := s.copies.at(before)
		k.older, old.head = before, false
		k.kept = max(k.kept, old.kept)
	}
	i := s.copies.take()
	*s.copies.at(i) = k
	s.newest[k.slot] = i
	if k.seen <= now {
		s.forgetOlder(s.copies.at(i))
	}
	s.sweep(now)
}

// sweep looks at two records more, and forgets those that have ended: so the
// records are never more than about twice the copies that readers may see.
func (s *cache) sweep(now policies.Instant) {
	for range min(2, s.copies.size) {
		s.hand = (s.hand + 1) % s.copies.size
		if k := s.copies.at(s.hand); k.head && k.kept <= now {
			s.forget(s.hand)
		}
	}
}

// forget removes a slot, given its newest copy.
func (s *cache) forget(i int32) {
	k := s.copies.at(i)
	s.forgetOlder(k)
	delete(s.newest, k.slot)
	k.head = false
	s.copies.give(i)
}

// forgetOlder removes the copies that one in sight has replaced.
func (s *cache) forgetOlder(k *copied) {
	for i := k.older; i >= 0; {
		next := s.copies.at(i).older
		s.copies.give(i)
		i = next
	}
	k.older = -1
}

// flush loses a share of the copies and marks, each drawn by itself.
func (w *world) flush(targets []scenario.Target, share float64) {
	for _, t := range targets {
		s := w.caches[w.cacheNamed(t.Name)]
		s.flushed++
		f := flush{at: w.sim.Now(), share: share, number: s.flushed}
		if t.Version != "" {
			f.version = versionsOf(nil, []string{t.Version})[0]
		}
		for i := range s.copies.size {
			if k := s.copies.at(i); k.head && w.hits(s, &f, k) {
				s.forget(i)
			}
		}
		if f.version == 0 {
			s.keys.Lose(func(key uint64) bool { return w.hits(s, &f, &copied{slot: key}) })
		}
		if len(w.base.Caches[s.place.Index].Warm) > 0 {
			s.flushes = append(s.flushes, f)
		}
	}
}

// hits says whether a flush loses a copy.
func (w *world) hits(s *cache, f *flush, k *copied) bool {
	if f.version != 0 && f.version != k.version {
		return false
	}
	luck := w.luck[luckCache].With(uint64(s.place.Index)).With(k.slot).With(f.number)
	return f.share >= 1 || luck.U01() < f.share
}

// lostEarly says whether a copy of the start was lost in a flush.
func (w *world) lostEarly(s *cache, k *copied) bool {
	for i := len(s.flushes) - 1; i >= 0 && s.flushes[i].at >= k.born; i-- {
		if w.hits(s, &s.flushes[i], k) {
			return true
		}
	}
	return false
}

// truth is what the source of a cache has now.
func (w *world) truth(s *cache, key uint64) uint64 {
	if s.cfg.OfLock {
		return w.serialOf(w.locks[s.source], key)
	}
	return w.services[s.source].versionOf(key)
}
