package exact

import "testing"

func TestGivenIsTheFirstDraw(t *testing.T) {
	for _, u := range []float64{0, 0.25, 0.32383276483316237, 1 - 0x1p-53} {
		c := Given(u)
		if got := c.U01(); got != u {
			t.Errorf("Given(%v).U01() = %v", u, got)
		}
	}
}
