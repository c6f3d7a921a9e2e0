package metric

import "github.com/tenggat/tenggat/model/history"

// holders finds the most processes that at one time believed to own one lock,
// or ran one job. A number counts when it has lasted: handing over at one
// instant does not make two.
type holders struct {
	most    []int64 // per scope, of numbers that have lasted
	now     int64   // the latest instant with a fact
	present []believers
	index   map[resource]int // where a resource stands in present, once those are many
}

// resource is a lock, or a job.
type resource struct {
	place history.Place
	key   uint64
}

// many is how many resources of one instant are searched through one by one.
const many = 32

// believers is the number of a resource at the present instant, where it is
// more than has lasted anywhere in one of its scopes.
type believers struct {
	place  history.Place
	key    uint64
	n      int64
	labels [3]int32
	scopes int
}

// believe takes the fact that a process began or ceased to believe.
func (m *Meter) believe(f *history.Fact) {
	job := f.Place.Noun != history.Lock
	b := believers{place: f.Place, key: f.Key, n: int64(f.Attempt), scopes: 1}
	if f.Place.Noun != history.Nowhere {
		b.labels[b.scopes] = m.place[f.Place.Noun] + int32(f.Place.Index)
		b.scopes++
	}
	if job && f.Type >= 0 {
		b.labels[b.scopes] = m.jobs + int32(f.Type)
		b.scopes++
	}
	if f.Value > 0 && f.Attempt == 2 {
		m.shift(overlap, b.labels[:b.scopes], f.At, 1)
	}
	if f.Value < 0 && f.Attempt == 1 {
		m.shift(overlap, b.labels[:b.scopes], f.At, -1)
	}
	m.holders.note(&b, f.At)
	if job {
		m.ran(f)
	}
}

func (h *holders) note(b *believers, now int64) {
	if now > h.now {
		h.settle(now)
	}
	if i := h.find(b); i >= 0 {
		h.present[i].n = b.n
		return
	}
	for _, s := range b.labels[:b.scopes] {
		if b.n > h.most[s] {
			h.present = append(h.present, *b)
			if h.index != nil {
				h.index[resource{b.place, b.key}] = len(h.present) - 1
			}
			return
		}
	}
}

// find is where a resource stands among those of the present instant, or -1.
func (h *holders) find(b *believers) int {
	if len(h.present) > many {
		if h.index == nil {
			h.index = make(map[resource]int, 2*many)
			for i := range h.present {
				h.index[resource{h.present[i].place, h.present[i].key}] = i
			}
		}
		if i, ok := h.index[resource{b.place, b.key}]; ok {
			return i
		}
		return -1
	}
	for i := range h.present {
		if p := &h.present[i]; p.key == b.key && p.place == b.place {
			return i
		}
	}
	return -1
}

// settle says that the numbers of the present instant have lasted until now.
func (h *holders) settle(now int64) {
	for i := range h.present {
		b := &h.present[i]
		for _, s := range b.labels[:b.scopes] {
			h.most[s] = max(h.most[s], b.n)
		}
	}
	h.present, h.now, h.index = h.present[:0], now, nil
}
