package check

import "github.com/tenggat/tenggat/model/history"

// cache judges where the copies in a cache come from: each was brought by a
// reader who had found none, or had found the source to contradict one.
func (j *Judge) cache(f *history.Fact) {
	for int(f.Place.Index) >= len(j.unfilled) {
		j.unfilled = append(j.unfilled, 0)
	}
	unfilled := &j.unfilled[f.Place.Index]
	switch f.Kind {
	case history.Miss, history.Mismatch:
		*unfilled++
	case history.Fill:
		if *unfilled--; *unfilled < 0 {
			j.object(Copy, f, "no read that missed, or found a copy wrong, is left to bring it")
		}
	}
}
