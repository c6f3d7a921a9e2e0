package exact

import (
	"math/big"
	"testing"
)

// Every operation against arithmetic without a bound, cut to 128 bits. The words
// are drawn with few bits as often as with many, so that carries do and do not
// happen.
func TestWideAgainstBig(t *testing.T) {
	c := NewChance(1, 0)
	word := func() uint64 { return c.Uint64() >> uint(c.IntN(64)) }
	large := func(a Wide) *big.Int {
		hi := new(big.Int).Lsh(new(big.Int).SetUint64(a.Hi), 64)
		return hi.Add(hi, new(big.Int).SetUint64(a.Lo))
	}
	mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1))
	for range 20_000 {
		a, b, n := Wide{word(), word()}, Wide{word(), word()}, word()
		for _, x := range []struct {
			name string
			got  Wide
			want *big.Int
		}{
			{"Plus", a.Plus(b), new(big.Int).Add(large(a), large(b))},
			{"Minus", a.Minus(b), new(big.Int).Sub(large(a), large(b))},
			{"Times", a.Times(n), new(big.Int).Mul(large(a), new(big.Int).SetUint64(n))},
			{"Product", Product(a.Lo, n), new(big.Int).Mul(new(big.Int).SetUint64(a.Lo), new(big.Int).SetUint64(n))},
		} {
			if want := x.want.And(x.want, mask); large(x.got).Cmp(want) != 0 {
				t.Fatalf("%s of %v, %v and %d is %v, want %v", x.name, a, b, n, large(x.got), want)
			}
		}
		if near, _ := new(big.Float).SetInt(large(a)).Float64(); a.Float() < near*(1-0x1p-52) || a.Float() > near*(1+0x1p-52) {
			t.Fatalf("Float of %v is %v, want %v but for one rounding", a, a.Float(), near)
		}
	}
}
