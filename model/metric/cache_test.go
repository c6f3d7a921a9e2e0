package metric

import (
	"testing"

	"github.com/tenggat/tenggat/model/history"
)

// Two reads miss and two hit, of which one is stale; a third hit is checked and
// found to be wrong. Of the three copies fetched one comes in the warm-up.
func TestCaches(t *testing.T) {
	read := func(s float64, kind history.Kind, stale int32) history.Fact {
		f := by(s, kind, 0, 0, 0, stale)
		f.Place = atCache
		return f
	}
	facts := []history.Fact{
		of(0, history.Publish, 0, 0), read(1, history.Miss, 0), read(1, history.Fill, 0), read(3, history.Hit, 0), read(4, history.Miss, 0),
		read(4, history.Fill, 0), read(5, history.Hit, 1), read(6, history.Hit, 1), read(6, history.Mismatch, 0), read(6, history.Fill, 0),
	}
	r := run(t, 0, 10, Want{Facts: []history.Kind{history.Miss}}, facts...)
	expect(t, r, map[string]float64{
		"hits": 3, "misses": 2, "fills": 3, "stale_hits": 2, "cache_mismatch": 1, "cache_hit_ratio": 0.6, "cache_stale_ratio": 2.0 / 3,
		"caches.c.hits": 3, "caches.c.cache_hit_ratio": 0.6, "caches.c.misses_max_per_s": 1, "caches.c.first_miss_s": 1, "caches.c.last_stale_hit_s": 6,
		"jobs.pay.misses": 2, "workers.w.fills": 3,
	})
	if at := r.At(history.Miss, "caches.c", "workers.w/1"); len(at) != 2 || at[1] != ns(4) {
		t.Errorf("the misses of cache c are at %v", at)
	}
	expect(t, run(t, 2, 10, Want{}, facts...), map[string]float64{"hits": 3, "misses": 1, "fills": 2, "cache_hit_ratio": 0.75})
	expect(t, run(t, 0, 10, Want{}), map[string]float64{"hits": 0, "cache_hit_ratio": nan, "cache_stale_ratio": nan})
}
