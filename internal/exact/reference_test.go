package exact

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// functions are all functions of the package by name, for the reference values
// and for the golden bits.
var functions = map[string]func(x []float64) float64{
	"Log":                func(x []float64) float64 { return Log(x[0]) },
	"Log1p":              func(x []float64) float64 { return Log1p(x[0]) },
	"Exp":                func(x []float64) float64 { return Exp(x[0]) },
	"Expm1":              func(x []float64) float64 { return Expm1(x[0]) },
	"Pow":                func(x []float64) float64 { return Pow(x[0], x[1]) },
	"Erf":                func(x []float64) float64 { return Erf(x[0]) },
	"Erfc":               func(x []float64) float64 { return Erfc(x[0]) },
	"NormCDF":            func(x []float64) float64 { return NormCDF(x[0]) },
	"NormQuantile":       func(x []float64) float64 { return NormQuantile(x[0]) },
	"LogGamma":           func(x []float64) float64 { return LogGamma(x[0]) },
	"GammaCDF":           func(x []float64) float64 { return GammaCDF(x[0], x[1]) },
	"GammaQuantile":      func(x []float64) float64 { return GammaQuantile(x[0], x[1]) },
	"GammaQuantileLarge": func(x []float64) float64 { return GammaQuantile(x[0], x[1]) },
	"TQuantile":          func(x []float64) float64 { return TQuantile(x[0], x[1]) },
	"TQuantileLarge":     func(x []float64) float64 { return TQuantile(x[0], x[1]) },
}

// TestReference compares with values computed to 60 digits
// (testdata/reference.py). The bounds are those the doc comments promise.
func TestReference(t *testing.T) {
	bound := map[string]func(x, want float64) float64{
		"NormCDF":            func(z, want float64) float64 { return 1e-15 * (1 + z*z) * want },
		"NormQuantile":       func(_, want float64) float64 { return 1e-15 * math.Abs(want) },
		"LogGamma":           func(_, want float64) float64 { return 5e-15 * math.Max(1, math.Abs(want)) },
		"GammaCDF":           func(_, want float64) float64 { return 1e-13 * want },
		"GammaQuantile":      func(_, want float64) float64 { return 1e-12 * want },
		"GammaQuantileLarge": func(_, want float64) float64 { return 1e-10 * want },
		"TQuantile":          func(_, want float64) float64 { return 1e-12 * math.Abs(want) },
		"TQuantileLarge":     func(_, want float64) float64 { return 1e-11 * math.Abs(want) },
	}
	for name, ulps := range map[string]float64{"Log": 1, "Log1p": 1, "Exp": 1, "Expm1": 2, "Pow": 1, "Erf": 1, "Erfc": 3} {
		bound[name] = func(_, want float64) float64 {
			return ulps * (math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want))
		}
	}
	text, err := os.ReadFile("testdata/reference.txt")
	if err != nil {
		t.Fatal(err)
	}
	worst := map[string]float64{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		fields := strings.Fields(line)
		var x []float64
		for _, f := range fields[1:] {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			x = append(x, v)
		}
		name, want := fields[0], x[len(x)-1]
		got := functions[name](x)
		used := math.Abs(got-want) / bound[name](x[0], want)
		if !(used <= 1) {
			t.Errorf("%s(%v) = %v, want %v: %.2f of the promised error", name, x[:len(x)-1], got, want, used)
		}
		worst[name] = math.Max(worst[name], used)
	}
	for name := range functions {
		if _, ok := worst[name]; !ok {
			t.Errorf("no reference value for %s", name)
		}
	}
	t.Logf("largest part of the promised error used: %v", worst)
}
