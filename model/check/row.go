package check

import "github.com/tenggat/tenggat/model/history"

// rowKey is one ordering of one row of a service.
type rowKey struct {
	place history.Place
	row   uint64
	rank  int32 // history.RankOf
}

// row judges an update of a row against the one before it.
func (j *Judge) row(f *history.Fact) {
	key := rowKey{f.Place, f.Key, f.Attempt}
	before, known := j.rows[key]
	if known && f.Delivery == 1 && f.Value <= before {
		j.object(Row, f, "%d after %d at row %x, though the service checks it", f.Value, before, f.Key)
	}
	j.rows[key] = f.Value
}
