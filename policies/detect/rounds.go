package detect

// Rounds is the detector of a monitor that counts rounds instead of reading a
// clock: every live sender reports once per round, then the monitor looks.
// The sender is suspected in the first round with
//
//	round − last report > Allowed
//
// (strictly: with Allowed = 2 and silence from round 3 on, in round 5), and
// stays suspected. The zero Rounds bears no missed round.
type Rounds struct {
	Allowed int64 // whole rounds of silence that are borne
	last    int64
	marked  bool
}

// Report says that the sender reported in this round.
func (r *Rounds) Report(round int64) { r.last = max(r.last, round) }

// Suspects looks at the end of a round.
func (r *Rounds) Suspects(round int64) bool {
	r.marked = r.marked || round-r.last > r.Allowed
	return r.marked
}
