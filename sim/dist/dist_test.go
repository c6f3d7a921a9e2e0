package dist

import (
	"math"
	"testing"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
)

// must parses a text that a test knows to be good.
func must(t testing.TB, text string) *Dist {
	t.Helper()
	d, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return &d
}

// golden draws feed every published result: the first three draws of each kind
// with keys 0, 1, 2 under seed 7, in nanoseconds, the same on every CPU.
var golden = []struct {
	text  string
	draws [3]time.Duration
}{
	{"5s", [3]time.Duration{5000000000, 5000000000, 5000000000}},
	{"2s..4.4s", [3]time.Duration{3430286025, 3528704990, 2167085303}},
	{"exp 80ms", [3]time.Duration{72497829, 81059472, 5772877}},
	{"normal mean 10ms sd 2ms", [3]time.Duration{10485769, 10700692, 7042729}},
	{"normal mean 1ms sd 20ms", [3]time.Duration{5857687, 8006917, 28572710}},
	{"lognormal mean 1s sd 2s", [3]time.Duration{608604255, 697496670, 68524114}},
	{"lognormal mean 1s cv 1.41421356", [3]time.Duration{744734419, 833524496, 122562566}},
	{"lognormal mean 1h p99 5h", [3]time.Duration{3092189635731, 3386287554002, 721370268501}},
	{"lognormal median 5ms sigma 1.2", [3]time.Duration{6691909, 7612966, 847958}},
	{"lognormal median 1s p99 20s", [3]time.Duration{1367209800, 1570123845, 148956824}},
	{"lognormal median 1s sd 2s", [3]time.Duration{1265619819, 1404643785, 238339730}},
	{"gamma mean 1s shape 0.5", [3]time.Duration{696247438, 827351164, 7632702}},
	{"gamma mean 222.2ms shape 2", [3]time.Duration{223005292, 240595887, 47712162}},
	{"gamma mean 1h cv 0.01", [3]time.Duration{3608630748315, 3612506938649, 3546912195828}},
	{"weibull scale 1s shape 0.7", [3]time.Duration{868774692, 1018972690, 23388553}},
	{"pareto least 1s shape 1.5", [3]time.Duration{1829693695, 1965006584, 1049283249}},
	{"88.73% exp 140.877ms or 11.27% exp 1109.123ms", [3]time.Duration{38411290, 45424304, 116111760}},
	{"10ms + exp 2ms", [3]time.Duration{11812446, 12026487, 10144322}},
	{"1ms..2ms + exp 2ms + gamma mean 3ms cv 1", [3]time.Duration{4595165, 3440355, 7539056}},
	{"exp 20s cap 30s", [3]time.Duration{18124457185, 20264867881, 1443219330}},
	{"90% exp 1s or 10% forever cap 30s", [3]time.Duration{272658346, 322439460, 824206645}},
}

func TestGoldenDraws(t *testing.T) {
	for _, g := range golden {
		var got [3]time.Duration
		for i := range got {
			got[i] = must(t, g.text).Draw(exact.NewChance(7, 0).With(uint64(i)))
		}
		if got != g.draws {
			t.Errorf("{%q, [3]time.Duration{%d, %d, %d}},", g.text, got[0], got[1], got[2])
		}
	}
}

// TestGoldenHash covers 20,000 draws of each kind, tails included.
func TestGoldenHash(t *testing.T) {
	const want = 0xc1ee2d38e62b3526
	hash := uint64(14695981039346656037) // FNV-1a over 64-bit words
	for _, g := range golden {
		d := must(t, g.text)
		for i := range uint64(20_000) {
			hash = (hash ^ uint64(d.Draw(exact.NewChance(i, 1)))) * 1099511628211
		}
	}
	if hash != want {
		t.Errorf("the draws have changed: hash %#x, want %#x", hash, uint64(want))
	}
}

func TestZeroAndConstant(t *testing.T) {
	var zero Dist
	five := Constant(5 * time.Second)
	never := Constant(Forever)
	for _, c := range []struct {
		d       *Dist
		want    time.Duration
		seconds float64
		text    string
	}{
		{&zero, 0, 0, "0s"},
		{&five, 5 * time.Second, 5, "5s"},
		{&never, Forever, math.Inf(1), "forever"},
		{must(t, "1h cap 20m"), 20 * time.Minute, 1200, "20m"},
		{must(t, "1s + 2ms"), 1002 * time.Millisecond, 1.002, "1.002s"},
		{must(t, "2s..2s"), 2 * time.Second, 2, "2s"},
		{must(t, "forever cap 3s"), 3 * time.Second, 3, "3s"},
	} {
		value, ok := c.d.IsConstant()
		if draw := c.d.Draw(exact.NewChance(1, 1)); draw != c.want || value != c.want || !ok {
			t.Errorf("%s draws %v, is constant %v, %v; want %v", c.text, draw, value, ok, c.want)
		}
		q, err := c.d.Quantile(0.3)
		if c.d.Mean() != c.seconds || c.d.Max() != c.seconds || q != c.seconds || err != nil {
			t.Errorf("%s: mean %v, max %v, quantile %v, %v", c.text, c.d.Mean(), c.d.Max(), q, err)
		}
		if c.d.String() != c.text {
			t.Errorf("String is %q, want %q", c.d.String(), c.text)
		}
	}
	if _, ok := must(t, "exp 5s").IsConstant(); ok {
		t.Error("exp 5s passes for a constant")
	}
}

func TestConstantPanicsOnNegative(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Constant(-1)
}

// TestDrawIsTheQuantileOfItsChance: what makes runs with common chances differ
// only by what was changed.
func TestDrawIsTheQuantileOfItsChance(t *testing.T) {
	for _, text := range []string{"2s..4.4s", "exp 80ms", "lognormal mean 1s p99 8s", "gamma mean 1s shape 0.5",
		"gamma mean 1s shape 3000", "weibull scale 1s shape 0.7", "pareto least 1s shape 1.5", "10ms + exp 2ms", "exp 2s cap 3s"} {
		d := must(t, text)
		for i := range 2000 {
			u := (float64(i) + 0.5) / 2000
			q, err := d.Quantile(u)
			if err != nil {
				t.Fatal(err)
			}
			draw := d.Draw(exact.Given(u))
			if got := float64(draw); math.Abs(got-q*1e9) > 0.500001 {
				t.Errorf("%s at %v draws %v ns, its quantile is %v ns", text, u, got, q*1e9)
			}
		}
	}
}

// TestDrawsStayInRange at the ends of the uniform and with extreme parameters.
func TestDrawsStayInRange(t *testing.T) {
	for _, text := range []string{"exp 100000d", "normal mean 0s sd 1ns", "normal mean 100000d sd 100000d",
		"lognormal median 1ns sigma 100", "lognormal mean 100000d cv 100", "gamma mean 100000d shape 0.01", "gamma mean 1ns cv 10",
		"weibull scale 1h shape 0.01", "pareto least 100000d shape 0.01", "gamma mean 1s shape 1000000",
		"100000d + exp 100000d", "1ns..106751d", "50% exp 100000d or 50% pareto least 1s shape 0.01"} {
		d := must(t, text)
		for _, u := range []float64{0, 0x1p-53, 0.5, 0.999999, 1 - 0x1p-53} {
			if draw := d.Draw(exact.Given(u)); draw < 0 || draw >= Forever {
				t.Errorf("%s at %v draws %d", text, u, draw)
			}
		}
	}
}

// TestForeverInAMixture: a share of the draws never comes.
func TestForeverInAMixture(t *testing.T) {
	d := must(t, "90% 1s or 10% forever")
	if a, b := d.Draw(exact.Given(0.89)), d.Draw(exact.Given(0.91)); a != time.Second || b != Forever {
		t.Errorf("drew %v and %v", a, b)
	}
	if q, err := d.Quantile(0.95); !math.IsInf(q, 1) || err != nil || !math.IsInf(d.Mean(), 1) || !math.IsInf(d.Max(), 1) {
		t.Errorf("quantile %v, %v, mean %v, max %v", q, err, d.Mean(), d.Max())
	}
	capped := must(t, "90% 1s or 10% forever cap 5s")
	if capped.Draw(exact.Given(0.91)) != 5*time.Second || math.Abs(capped.Mean()-1.4) > 1e-12 || capped.Max() != 5 {
		t.Errorf("capped: mean %v, max %v", capped.Mean(), capped.Max())
	}
}

// TestMixturePartsKeepTheirLuck: another weight moves the choice, not what a
// part would have drawn; a weight of zero leaves the others where they were.
func TestMixturePartsKeepTheirLuck(t *testing.T) {
	a, b, none := must(t, "50% exp 1ms or 50% exp 50ms"), must(t, "60% exp 1ms or 40% exp 50ms"), must(t, "0% exp 1ms or 100% exp 50ms")
	for i := range uint64(2000) {
		c := exact.NewChance(1, i)
		u := c.U01()
		c = exact.NewChance(1, i)
		x, y := a.Draw(c), b.Draw(c)
		if (u < 0.5 || u >= 0.6) && x != y {
			t.Fatalf("at %v: %v and %v", u, x, y)
		}
		if z := none.Draw(c); u >= 0.6 && z != x {
			t.Fatalf("at %v: %v and %v", u, z, x)
		}
	}
}

func TestNoQuantileAndUnknownMean(t *testing.T) {
	d := must(t, "exp 2ms + exp 3ms")
	if _, err := d.Quantile(0.5); err != ErrNoQuantile {
		t.Errorf("error %v", err)
	}
	if math.Abs(d.Mean()-0.005) > 1e-15 {
		t.Errorf("mean %v", d.Mean())
	}
	if p := d.law.(sum).cdf(5e6); !math.IsNaN(p) {
		t.Errorf("distribution function %v", p)
	}
	if _, err := must(t, "50% exp 2ms + exp 3ms or 50% 1s").Quantile(0.5); err != ErrNoQuantile {
		t.Errorf("in a mixture: error %v", err)
	}
	if m := must(t, "exp 2ms + exp 3ms cap 4ms").Mean(); !math.IsNaN(m) {
		t.Errorf("capped mean %v", m)
	}
	if m := must(t, "1ms..2ms + 1ms..3ms cap 5ms").Mean(); math.Abs(m-0.0035) > 1e-15 {
		t.Errorf("mean under a cap that never binds: %v", m)
	}
	if q, err := must(t, "exp 1s").Quantile(1.5); !math.IsNaN(q) || err != nil {
		t.Errorf("quantile at 1.5: %v, %v", q, err)
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, text := range []string{"5s", "2s..4s", "exp 80ms", "normal mean 10ms sd 2ms", "lognormal mean 1s p99 8s",
		"gamma mean 1s shape 2.5", "weibull scale 1s shape 2", "pareto least 1s shape 1.5",
		"90% exp 1ms or 10% exp 50ms", "10ms + exp 2ms", "exp 2ms cap 30ms"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			d, c := must(b, text), exact.NewChance(7, 0)
			for i := uint64(0); b.Loop(); i++ {
				d.Draw(c + exact.Chance(i))
			}
		})
	}
}
