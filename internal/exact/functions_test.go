package exact

import (
	"math"
	"testing"
)

// TestSpecialCases takes math's answers at the ends of each domain.
func TestSpecialCases(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	ends := []float64{0, math.Copysign(0, -1), 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1e-300, -1e-300, 1e300, -1e300,
		710, -746, 1 << 53, -(1 << 53), math.MaxFloat64, -math.MaxFloat64, inf, -inf, nan}
	same := func(a, b float64) bool { return a == b || a != a && b != b || math.Abs(a-b) <= 1e-14*math.Abs(b) }
	for _, f := range []struct {
		name        string
		exact, math func(float64) float64
	}{{"Log", Log, math.Log}, {"Log1p", Log1p, math.Log1p}, {"Exp", Exp, math.Exp},
		{"Expm1", Expm1, math.Expm1}, {"Erf", Erf, math.Erf}, {"Erfc", Erfc, math.Erfc}} {
		for _, x := range ends {
			if got, want := f.exact(x), f.math(x); !same(got, want) {
				t.Errorf("%s(%v) = %v, want %v", f.name, x, got, want)
			}
		}
	}
	for _, x := range ends {
		for _, y := range ends {
			if got, want := Pow(x, y), math.Pow(x, y); !same(got, want) || math.Signbit(got) != math.Signbit(want) && got == got {
				t.Errorf("Pow(%v, %v) = %v, want %v", x, y, got, want)
			}
		}
	}
	for _, c := range []struct{ got, want float64 }{
		{Log(0x1p-1070), -1070 * math.Ln2}, {Exp(-1070 * math.Ln2), 0x1p-1070}, // math.Log errs here on amd64
		{NormQuantile(0), -inf}, {NormQuantile(1), inf}, {NormQuantile(0.5), 0}, {NormQuantile(-0.1), nan}, {NormQuantile(nan), nan},
		{NormCDF(-inf), 0}, {NormCDF(inf), 1}, {NormCDF(0), 0.5},
		{LogGamma(0), nan}, {LogGamma(-1), nan}, {LogGamma(inf), inf}, {LogGamma(5), math.Log(24)},
		{GammaCDF(0, 2), 0}, {GammaCDF(-1, 2), 0}, {GammaCDF(inf, 2), 1},
		{GammaQuantile(0, 2), 0}, {GammaQuantile(1, 2), inf}, {GammaQuantile(1-1/math.E, 1), 1},
		{TQuantile(0, 2), -inf}, {TQuantile(1, 2), inf}, {TQuantile(0.5, 2), 0}, {TQuantile(0.75, 1), 1}, {TQuantile(0.25, 1), -1},
	} {
		if !same(c.got, c.want) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

// TestPowOfIntegersIsExact: a power that a float64 holds is that float64.
func TestPowOfIntegersIsExact(t *testing.T) {
	for base := int64(2); base <= 1000; base++ {
		for n, power := 1, base; power < 1<<53; n, power = n+1, power*base {
			if got := Pow(float64(base), float64(n)); got != float64(power) {
				t.Fatalf("Pow(%d, %d) = %v, want %d", base, n, got, power)
			}
			if power > (1<<53)/base {
				break
			}
		}
	}
	for n := -1074; n <= 1023; n++ {
		if got := Pow(2, float64(n)); got != math.Ldexp(1, n) {
			t.Fatalf("Pow(2, %d) = %v", n, got)
		}
	}
}

// TestLogOfComplementIsLog1p: on the grid of U01 the two ways to an exponential
// draw are one.
func TestLogOfComplementIsLog1p(t *testing.T) {
	c := NewChance(3, 1)
	for range 200_000 {
		u := c.U01()
		if a, b := Log(1-u), Log1p(-u); a != b {
			t.Fatalf("u = %v: Log(1-u) = %v, Log1p(-u) = %v", u, a, b)
		}
	}
}

// TestQuantilesInvert goes there and back, and never downhill.
func TestQuantilesInvert(t *testing.T) {
	for _, shape := range []float64{0.01, 0.3, 1, 2.5, 40, 999, 1001, 20000} {
		last := 0.0
		for i := 1; i < 400; i++ {
			p := float64(i) / 400
			x := GammaQuantile(p, shape)
			if back := GammaCDF(x, shape); math.Abs(back-p) > 1e-9 && x > 1e-300 {
				t.Errorf("GammaCDF(GammaQuantile(%v, %v)) = %v", p, shape, back)
			}
			if x < last {
				t.Errorf("GammaQuantile(%v, %v) = %v falls below %v", p, shape, x, last)
			}
			last = x
		}
	}
	for i := 1; i < 400; i++ {
		p := float64(i) / 400
		if back := NormCDF(NormQuantile(p)); math.Abs(back-p) > 1e-15 {
			t.Errorf("NormCDF(NormQuantile(%v)) = %v", p, back)
		}
		closed := (2*p - 1) / math.Sqrt(2*p*(1-p)) // two degrees of freedom
		if got := TQuantile(p, 2); math.Abs(got-closed) > 1e-14*math.Max(1, math.Abs(closed)) {
			t.Errorf("TQuantile(%v, 2) = %v, want %v", p, got, closed)
		}
	}
}

// TestNormQuantileRises also over the seams between its three formulas.
func TestNormQuantileRises(t *testing.T) {
	for _, seam := range []float64{0.075, 0.925, math.Exp(-25)} {
		x := seam - seam*1e-12
		for range 2000 {
			next := x + seam*1e-15
			if a, b := NormQuantile(x), NormQuantile(next); a > b+4e-16*math.Abs(b) {
				t.Fatalf("NormQuantile(%v) = %v > NormQuantile(%v) = %v", x, a, next, b)
			}
			x = next
		}
	}
}

func TestRoundNs(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want int64
	}{
		{0, 0}, {0.49999999999999994, 0}, {0.5, 0}, {-0.5, 0}, {0.75, 1}, {1.5, 2}, {2.5, 2}, {-2.4, -2},
		{0x1p52 + 1, 1<<52 + 1}, {0x1p62, 1 << 62},
		{0x1p63, math.MaxInt64}, {1e300, math.MaxInt64}, {math.Inf(1), math.MaxInt64},
		{-0x1p63, math.MinInt64}, {math.Inf(-1), math.MinInt64},
	} {
		if got := RoundNs(c.x); got != c.want {
			t.Errorf("RoundNs(%v) = %d, want %d", c.x, got, c.want)
		}
	}
}

func TestPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"RoundNs":       func() { RoundNs(math.NaN()) },
		"GammaQuantile": func() { GammaQuantile(0.5, 0) },
		"TQuantile p":   func() { TQuantile(1.5, 3) },
		"TQuantile df":  func() { TQuantile(0.5, math.NaN()) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

func BenchmarkFunctions(b *testing.B) {
	for _, f := range []struct {
		name string
		at   func(u float64) float64
	}{
		{"Log", Log}, {"Exp", Exp}, {"NormQuantile", NormQuantile}, {"Erfc", Erfc},
		{"Pow", func(u float64) float64 { return Pow(1.5, 20*u) }},
		{"GammaQuantile", func(u float64) float64 { return GammaQuantile(u, 2.5) }},
		{"TQuantile", func(u float64) float64 { return TQuantile(u, 9) }},
	} {
		b.Run(f.name, func(b *testing.B) {
			b.ReportAllocs()
			c := NewChance(1, 0)
			for b.Loop() {
				f.at(c.Open01())
			}
		})
	}
}
