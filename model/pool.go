package model

// pool hands out records by index and takes them back. Records live in chunks
// that never move, so a pointer stays good while the pool grows; a record keeps
// what it owns (a timer) from one use to the next.
type pool[T any] struct {
	chunks [][]T
	free   []int32
	size   int32
}

const chunk = 256

func (p *pool[T]) at(i int32) *T { return &p.chunks[i/chunk][i%chunk] }

// take returns the index of a record, as its last user left it.
func (p *pool[T]) take() int32 {
	if n := len(p.free); n > 0 {
		i := p.free[n-1]
		p.free = p.free[:n-1]
		return i
	}
	if int(p.size) == len(p.chunks)*chunk {
		p.chunks = append(p.chunks, make([]T, chunk))
	}
	p.size++
	return p.size - 1
}

func (p *pool[T]) give(i int32) { p.free = append(p.free, i) }

// inUse is how many records are out.
func (p *pool[T]) inUse() int { return int(p.size) - len(p.free) }

// ring is a first-in-first-out list of indices that reuses its memory.
type ring struct {
	items []int32
	head  int
	n     int
}

func (r *ring) push(v int32) {
	if r.n == len(r.items) {
		grown := make([]int32, max(8, 2*r.n))
		for i := range r.n {
			grown[i] = r.get(i)
		}
		r.items, r.head = grown, 0
	}
	r.items[(r.head+r.n)%len(r.items)] = v
	r.n++
}

func (r *ring) get(i int) int32 { return r.items[(r.head+i)%len(r.items)] }

func (r *ring) pop() int32 {
	v := r.items[r.head]
	r.head = (r.head + 1) % len(r.items)
	r.n--
	return v
}

func (r *ring) popBack() int32 {
	r.n--
	return r.items[(r.head+r.n)%len(r.items)]
}

// drop removes the first v and reports whether it was there.
func (r *ring) drop(v int32) bool {
	for i := range r.n {
		if r.get(i) != v {
			continue
		}
		for j := i; j+1 < r.n; j++ {
			r.items[(r.head+j)%len(r.items)] = r.get(j + 1)
		}
		r.n--
		return true
	}
	return false
}

// grown is place i of a list, which grows until it has one; a new place is empty.
func grown[L ~[]T, T any](list *L, i int) *T {
	for len(*list) <= i {
		var empty T
		*list = append(*list, empty)
	}
	return &(*list)[i]
}
