package scenario

import (
	"sync"

	"github.com/tenggat/tenggat/sim/dist"
)

// zipf is the law over n values, from a small store: one file is resolved many
// times and a table takes a while to fill.
func zipf(n int) *dist.Zipf {
	zipfs.Lock()
	defer zipfs.Unlock()
	if z, ok := zipfs.tables[n]; ok {
		return z
	}
	if len(zipfs.tables) == 8 {
		clear(zipfs.tables)
	}
	z := dist.NewZipf(n, 1)
	zipfs.tables[n] = z
	return z
}

var zipfs = struct {
	sync.Mutex
	tables map[int]*dist.Zipf
}{tables: map[int]*dist.Zipf{}}
