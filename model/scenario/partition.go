package scenario

import "time"

// Partitions splits a queue by job key among the processes that take from it.
type Partitions struct {
	Count      int
	Rebalance  time.Duration // nobody gets anything for so long when the members change
	ForgetsOff bool          // keeps_pause: false
}

var partitionsBlock = define(block{
	name: "partitions",
	main: "count",
	keys: []key{
		{name: "count", form: wholeValue.form, fixed: true, help: "partitions, by job key; each is worked through in order by one process at a time"},
		{name: "rebalance", form: durationValue.form, initial: "0s", help: "when the members change nobody gets anything for so long"},
		{name: "keeps_pause", form: boolValue.form, initial: "true", help: "false: a process that gets other partitions forgets that it was paused"},
	},
})

func (v view) partitions() *Partitions {
	v.required("count")
	v.atLeastOne("count")
	p := &Partitions{Count: get(v, "count", wholeValue), Rebalance: get(v, "rebalance", durationValue), ForgetsOff: !get(v, "keeps_pause", boolValue)}
	if p.Count > maxPartitions {
		v.wrong("count", "must be %d or less", maxPartitions)
	}
	return p
}

const maxPartitions = 10_000
