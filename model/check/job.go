package check

import "github.com/tenggat/tenggat/model/history"

// job is what is known of one job.
type job struct {
	delivered int32
	own       int32 // times that a process published it to itself
	started   int32
	returned  int32
	acked     int32
	running   int32
	state     state
}

type state uint8

const (
	unknown state = iota
	live
	done
)

// book holds the jobs that are not done, by serial number.
type book struct {
	pages  map[int64]*page
	latest *page // the one asked for last, or none
	spare  []*page
}

// page holds consecutive jobs, from number·perPage on.
type page struct {
	number int64
	jobs   [perPage]job
	done   int
}

const perPage = 256

// none is the page of no job.
var none = &page{number: -1}

func newBook() book { return book{pages: map[int64]*page{}, latest: none} }

// page finds a job's page; nil if it has none.
func (b *book) page(serial int64) *page {
	if number := serial / perPage; number != b.latest.number {
		p := b.pages[number]
		if p == nil {
			return nil
		}
		b.latest = p
	}
	return b.latest
}

// open is page, with a new one where there is none.
func (b *book) open(serial int64) *page {
	if p := b.page(serial); p != nil {
		return p
	}
	if len(b.spare) == 0 {
		b.spare = append(b.spare, new(page))
	}
	last := len(b.spare) - 1
	p := b.spare[last]
	b.spare = b.spare[:last]
	*p = page{number: serial / perPage}
	b.pages[p.number], b.latest = p, p
	return p
}

// close notes that a job of the page is done, and drops the page with its last.
func (b *book) close(p *page) {
	if p.done++; p.done == perPage {
		delete(b.pages, p.number)
		b.spare = append(b.spare, p)
		b.latest = none
	}
}

// job judges a fact of a job.
func (j *Judge) job(f *history.Fact) {
	if f.Kind == history.Publish || f.Kind == history.PublishRefused || f.Kind == history.Suppress {
		j.published(f)
		return
	}
	var x *job
	p := j.jobs.page(f.Job)
	if p != nil {
		x = &p.jobs[f.Job%perPage]
	}
	switch {
	case x == nil || x.state == unknown:
		j.object(Job, f, "no such job is live: it was not published, or it is done")
		return
	case x.state == done:
		j.object(Job, f, "the job is done already")
		return
	}
	switch f.Kind {
	case history.Deliver:
		x.delivered++
	case history.Start:
		if x.started++; x.started > x.delivered+x.own {
			j.object(Conservation, f, "%d starts, %d deliveries and %d starts of its own", x.started, x.delivered, x.own)
		}
	case history.Renew:
		if f.Value == 1 && f.Place.Noun == history.Queue {
			x.delivered++ // it had gone back, and its holder has it again
		}
	case history.Retry:
		if f.Place.Noun == history.Nowhere {
			x.own++ // its process will start it once more
		}
	case history.Return:
		if x.returned++; x.returned > x.delivered {
			j.object(Conservation, f, "given back %d times, delivered %d times", x.returned, x.delivered)
		}
	case history.Ack:
		if x.acked++; x.acked > x.delivered {
			j.object(Conservation, f, "acknowledged %d times, delivered %d times", x.acked, x.delivered)
		}
	case history.Believe:
		j.believe(f, &x.running)
	case history.Done:
		if x.running != 0 {
			j.object(Believers, f, "done while %d run it", x.running)
		}
		x.state = done
		j.jobs.close(p)
	}
}

func (j *Judge) published(f *history.Fact) {
	x := &j.jobs.open(f.Job).jobs[f.Job%perPage]
	if x.state == done {
		j.object(Job, f, "the job is done already")
		return
	}
	x.state = live
	if f.Place.Noun == history.Nowhere {
		x.own++
	}
}

// believe judges a number of believers against who began and who ceased.
func (j *Judge) believe(f *history.Fact, n *int32) {
	*n += int32(f.Value)
	if *n < 0 || *n != f.Attempt {
		j.object(Believers, f, "%d believers by the fact, %d by those that began and ceased", f.Attempt, *n)
		*n = max(f.Attempt, 0)
	}
}
