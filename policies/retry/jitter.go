package retry

import (
	"fmt"
	"time"
)

// Jitter spreads waits so that clients which failed together do not return
// together. A delay v becomes a wait uniform on [Low·v, High·v + Add], or, if
// Decorrelated, uniform on [delay, 3·previous wait] and then capped.
type Jitter struct {
	Low, High    float64       // shares of the delay, 0 ≤ Low ≤ High
	Add          time.Duration // width that does not grow with the delay
	Decorrelated bool          // the other three are then left at zero
}

// The four kinds of Brooker, "Exponential Backoff And Jitter", AWS
// Architecture Blog, 2015. The zero Jitter acts as None.
var (
	None         = Jitter{Low: 1, High: 1}
	Full         = Jitter{Low: 0, High: 1}
	Equal        = Jitter{Low: 0.5, High: 1}
	Decorrelated = Jitter{Decorrelated: true}
)

// Spread is jitter of a share of the delay to both sides; gRPC's is 0.2.
func Spread(share float64) Jitter { return Jitter{Low: 1 - share, High: 1 + share} }

// Less is jitter that shortens the delay by up to a share of it.
func Less(share float64) Jitter { return Jitter{Low: 1 - share, High: 1} }

// Additive is jitter that adds up to d to every delay, a delay of zero included.
func Additive(d time.Duration) Jitter { return Jitter{Low: 1, High: 1, Add: d} }

func (j Jitter) check() error {
	switch {
	case j.Decorrelated && j != Decorrelated:
		return fmt.Errorf("retry: decorrelated jitter %+v; leave Low, High and Add at zero", j)
	case !(j.Low >= 0 && j.Low <= j.High && j.High <= maxShare):
		return fmt.Errorf("retry: jitter from %v to %v of the delay; give 0 ≤ Low ≤ High ≤ %v", j.Low, j.High, maxShare)
	case j.Add < 0:
		return fmt.Errorf("retry: jitter adds %v; give 0 or more", j.Add)
	}
	return nil
}

// maxShare bounds Jitter.High: beyond it a wait is a mistake in units.
const maxShare = 1000.0
