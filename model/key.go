package model

import (
	"fmt"

	"github.com/tenggat/tenggat/model/scenario"
)

// Keys are hashes of the texts that templates give: FNV-1a over the bytes that
// a text would have, so that equal texts have equal keys, and no text is made.
const (
	noText    uint64 = 14695981039346656037
	textPrime uint64 = 1099511628211
)

// render is the key that a template gives for a job and, where the template
// speaks of it, an execution.
func render(t *scenario.Template, j *job, x *execution) uint64 {
	h := noText
	for i := range t.Parts {
		p := &t.Parts[i]
		h = text(h, p.Literal)
		if p.Hole != scenario.NoHole {
			h = digits(h, fill(p, j, x))
		}
	}
	return h
}

// operation is what a key stands for in the business, whatever its template says
// besides: the attempt, the delivery and the worker make no other operation of
// it, and the number of a message none than the job's key does. By it the ledger
// counts, so that a key which is new at each attempt deceives the service only.
func operation(t *scenario.Template, j *job, x *execution) uint64 {
	h := noText
	for i := range t.Parts {
		p := &t.Parts[i]
		h = text(h, p.Literal)
		switch p.Hole {
		case scenario.NoHole, scenario.HoleAttempt, scenario.HoleDelivery, scenario.HoleWorker:
		case scenario.HoleJob:
			h = digits(h, int64(j.key))
		default:
			h = digits(h, fill(p, j, x))
		}
	}
	return h
}

// text goes on with the hash over the bytes of s.
func text(h uint64, s string) uint64 {
	for k := range len(s) {
		h = (h ^ uint64(s[k])) * textPrime
	}
	return h
}

// fill is the number that fills a hole.
func fill(p *scenario.Part, j *job, x *execution) int64 {
	switch p.Hole {
	case scenario.HoleField:
		return j.fields[p.Field]
	case scenario.HoleJob:
		return j.serial
	case scenario.HoleAttempt:
		return int64(x.startNo)
	case scenario.HoleDelivery:
		return int64(x.number)
	case scenario.HoleWorker:
		return int64(x.proc.id)
	case scenario.HoleStep:
		return x.round()
	case scenario.HolePublish:
		return int64(j.published)
	}
	panic(fmt.Sprintf("model: nothing fills hole %d", p.Hole))
}

// digits goes on with the hash over the decimal digits of v.
func digits(h uint64, v int64) uint64 {
	if v < 0 {
		h = (h ^ '-') * textPrime
		v = -v
	}
	var text [20]byte
	n := len(text)
	for {
		n--
		text[n] = byte('0' + v%10)
		if v /= 10; v == 0 {
			break
		}
	}
	for ; n < len(text); n++ {
		h = (h ^ uint64(text[n])) * textPrime
	}
	return h
}
