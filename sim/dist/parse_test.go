package dist

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tenggat/tenggat/internal/exact"
)

// TestString: every text has one spelling, and that reads back as the same law.
func TestString(t *testing.T) {
	for text, want := range map[string]string{
		"0":                                     "0s",
		"90m":                                   "1h30m",
		"2d":                                    "48h",
		"100_000s":                              "27h46m40s",
		"1500us":                                "1.5ms",
		"20µs":                                  "20us",
		"forever":                               "forever",
		"2s..4400ms":                            "2s..4.4s",
		"0..1s":                                 "0s..1s",
		"  exp   80ms ":                         "exp 80ms",
		"normal mean 0s sd 2ms":                 "normal mean 0s sd 2ms",
		"lognormal mean 1s sd 2s":               "lognormal mean 1s sd 2s",
		"lognormal mean 60s cv 1.50":            "lognormal mean 1m cv 1.5",
		"lognormal median 1s sigma 1e-1":        "lognormal median 1s sigma 0.1",
		"lognormal mean 2ms p99 12ms":           "lognormal mean 2ms p99 12ms",
		"gamma mean 222.2ms shape 2":            "gamma mean 222.2ms shape 2",
		"gamma mean 1s cv .5":                   "gamma mean 1s cv 0.5",
		"weibull scale 1s shape 1_000":          "weibull scale 1s shape 1000",
		"pareto least 1s shape 1.5":             "pareto least 1s shape 1.5",
		"88.73% exp 1ms or 11.27% exp 1109.1ms": "88.73% exp 1ms or 11.27% exp 1.1091s",
		"33.3% 1s or 33.3% 2s or 33.4% forever": "33.3% 1s or 33.3% 2s or 33.4% forever",
		"50% 1s + exp 2s or 50% 1s cap 90s":     "50% 1s + exp 2s or 50% 1s cap 1m30s",
		"exp 2ms + 10ms + 1ms..2ms":             "exp 2ms + 10ms + 1ms..2ms",
		"exp 1d cap 1.5d":                       "exp 24h cap 36h",
	} {
		d := must(t, text)
		if d.String() != want {
			t.Errorf("%q is spelt %q, want %q", text, d.String(), want)
			continue
		}
		back := must(t, d.String())
		if !reflect.DeepEqual(d, back) {
			t.Errorf("%q reads back as %+v, not %+v", d.String(), back, d)
		}
	}
}

// TestParseErrors: each names the word, says what was expected and proposes
// the nearest keyword.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                   {"ends where a duration"},
		"5":                                  {`"5" is not a duration`, "5 has no unit", "5s"},
		"5 s":                                {"5 has no unit"},
		"exp":                                {"ends where a duration such as 250ms was expected"},
		"exp 80":                             {"80 has no unit"},
		"exp 80mss":                          {`unknown unit "mss"`, `did you mean "ms"?`},
		"exp 3sec":                           {`unknown unit "sec"`, "ns us ms s m h d"},
		"exp 40/s":                           {"rate or a share"},
		"exp 25%":                            {"rate or a share"},
		"exp -80ms":                          {`"-80ms" is negative`},
		"exp 0s":                             {`"0s" must be more than zero`, "0s"},
		"exp NaN":                            {`"NaN" is not a duration`},
		"exp forever":                        {"forever stands alone"},
		"exp 200000d":                        {"the longest is 106751 days"},
		"exp 999999999999999999999s":         {"the longest is 106751 days"},
		"exp mean 3s":                        {`"mean" is not a duration`},
		"-1s":                                {`"-1s" is negative`},
		"-1s..1s":                            {`"-1s" is negative`},
		"4s..2s":                             {"runs backwards", "write 2s..4s"},
		"2s..":                               {`"" is not a duration`},
		"2..4s":                              {"2 has no unit"},
		"2s..forever":                        {"forever stands alone"},
		"expo 3s":                            {`unknown word "expo"`, `did you mean "exp"?`},
		"lognorml mean 1s cv 2":              {`did you mean "lognormal"?`},
		"poisson 3s":                         {`unknown word "poisson"`, "exp, normal, lognormal, gamma, weibull, pareto"},
		"data file.csv column x":             {`"data"`, "not yet"},
		"trace file.csv column x":            {`"trace"`, "not yet"},
		"normal 10ms":                        {`mean was expected, not "10ms"`},
		"normal mean 10ms std 2ms":           {`sd was expected, not "std"`, `did you mean "sd"?`},
		"normal mean 10ms sd":                {"ends where a duration"},
		"normal mean 10ms sd 0s":             {"more than zero"},
		"lognormal mean 1s":                  {"ends where sd or cv or p99 or sigma was expected"},
		"lognormal average 1s cv 2":          {`mean or median was expected, not "average"`},
		"lognormal mean 1s cv":               {"ends where a number for cv was expected"},
		"lognormal mean 1s cv 2s":            {`"2s" does not fit cv`, "without a unit"},
		"lognormal mean 1s cv NaN":           {`"NaN" does not fit cv`},
		"lognormal mean 1s cv Inf":           {`"Inf" does not fit cv`},
		"lognormal mean 1s cv 1e999":         {`"1e999" does not fit cv`},
		"lognormal mean 1s cv -1":            {"cv -1 is not between"},
		"lognormal mean 1s cv 0":             {"cv 0 is not between"},
		"lognormal mean 1s p99 1s":           {"p99 must be greater"},
		"lognormal median 2s p99 1s":         {"p99 must be greater"},
		"lognormal mean 1s p99 15s":          {"at most 14.97 times its mean", "median", "a mixture such as `95% exp 1s or 5% exp 20s`"},
		"lognormal mean 1000d sd 1ns":        {"sigma would be"},
		"gamma mean 1s":                      {"ends where shape or cv was expected"},
		"gamma mean 1s shape 0.001":          {"shape 0.001 is not between 0.01 and 1e+06"},
		"gamma mean 1s cv 20":                {"a gamma's cv lies between 0.001 and 10"},
		"gamma mean 1s sd 2s":                {`shape or cv was expected, not "sd"`},
		"weibull shape 2 scale 1s":           {`scale was expected, not "shape"`},
		"pareto least 1s shap 2":             {`shape was expected, not "shap", did you mean "shape"?`},
		"0% 1s":                              {"add up to 0%, not 100%"},
		"90% exp 1ms":                        {"add up to 90%, not 100%"},
		"90% exp 1ms or 20% exp 2ms":         {"add up to 110%, not 100%"},
		"90% exp 1ms or exp 2ms":             {`"exp" is not a weight`},
		"90% exp 1ms or":                     {"ends where a weight such as 10% was expected"},
		"x% 1s or 50% 2s":                    {`"x%" is not a weight`},
		"NaN% 1s or 50% 2s":                  {`"NaN%" is not a weight`},
		"-10% 1s or 110% 2s":                 {`"-10%" is not between 0% and 100%`},
		"90% exp 1ms 10% exp 2ms":            {`unexpected "10%"`, "a +, or, cap"},
		"90% exp 1ms cap 2ms or 10% exp 2ms": {`unexpected "or"`},
		"1s + 90% exp 1ms or 10% exp 2ms":    {`"90%"`, "rate or a share"},
		"1s or 2s":                           {`unexpected "or"`},
		"1s +":                               {"ends where a duration"},
		"+ 1s":                               {`unknown word "+"`},
		"1s + forever":                       {"forever cannot be added to"},
		"forever + exp 1s":                   {"forever cannot be added to"},
		"100000d + 100000d":                  {"add up to more than the longest time"},
		"1s+exp 2s":                          {`"1s+exp" is not a duration`},
		"exp 1s cap":                         {"ends where a duration"},
		"exp 1s cap 0s":                      {"more than zero"},
		"exp 1s cap forever":                 {"forever stands alone"},
		"exp 1s caps 3s":                     {`unexpected "caps", did you mean "cap"?`, `may follow "exp 1s"`},
		"exp 1s cap 3s cap 2s":               {`unexpected "cap"`},
	} {
		_, err := Parse(text)
		if err == nil {
			t.Errorf("%q is accepted", text)
			continue
		}
		for _, part := range append(want, `distribution "`+text+`": `) {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q: the error does not say %q:\n%v", text, part, err)
			}
		}
	}
}

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0":                          0,
		"0s":                         0,
		"-0":                         0,
		"250ms":                      250 * time.Millisecond,
		"5h30m":                      5*time.Hour + 30*time.Minute,
		"1.5s":                       1500 * time.Millisecond,
		".5s":                        500 * time.Millisecond,
		"2d":                         48 * time.Hour,
		"1d12h":                      36 * time.Hour,
		"0.1d":                       144 * time.Minute,
		"-60s":                       -time.Minute,
		"+60s":                       time.Minute,
		"100_000s":                   100_000 * time.Second,
		"3us":                        3 * time.Microsecond,
		"3µs":                        3 * time.Microsecond,
		"9223372036854775806ns":      math.MaxInt64 - 1,
		"-9223372036854775806ns":     -(math.MaxInt64 - 1),
		"106751d23h47m16.854775806s": math.MaxInt64 - 1,
		"forever":                    Forever,
	} {
		if got, err := ParseDuration(text); got != want || err != nil {
			t.Errorf("ParseDuration(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                       "write a number and a unit",
		"-":                      "write a number and a unit",
		"--5s":                   "write a number and a unit",
		"s":                      "write a number and a unit",
		".s":                     "write a number and a unit",
		"1.2.3s":                 "write a number and a unit",
		"five":                   "write a number and a unit",
		"1e3s":                   `unknown unit "e"`,
		"5":                      "5 has no unit",
		"1h5":                    "5 has no unit",
		"5min":                   `unknown unit "min"`,
		"5 s":                    `unknown unit " s"`,
		"1__0s":                  "underscore",
		"_10s":                   "underscore",
		"10_s":                   "underscore",
		"106752d":                "the longest is 106751 days",
		"9223372036854775807ns":  "the longest is 106751 days",
		"-9223372036854775808ns": "the longest is 106751 days",
		"100000d100000d":         "the longest is 106751 days",
		"-forever":               "write a number and a unit",
		"NaNs":                   "write a number and a unit",
	} {
		if got, err := ParseDuration(text); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `"`+text+`"`) {
			t.Errorf("ParseDuration(%q) = %v, %v; want an error that says %q", text, got, err, want)
		}
	}
}

// FuzzParse: no text panics; what is accepted has one spelling, draws within
// the range, and rises from quantile to quantile.
func FuzzParse(f *testing.F) {
	for _, g := range golden {
		f.Add(g.text)
	}
	for _, text := range []string{"", "forever", "90% exp 1ms or", "1s + 2s cap 1ms", "1_0s..2d", "lognormal mean 1s p99 15s", "% + .. cap", "0% 1s or 100% 2s"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(text)
		if err != nil {
			return
		}
		back := must(t, d.String())
		if back.String() != d.String() {
			t.Errorf("%q is spelt %q, and that %q", text, d.String(), back.String())
		}
		for i := range uint64(20) {
			c := exact.NewChance(i, 0)
			x := d.Draw(c)
			if x < 0 || back.Draw(c) != x {
				t.Errorf("%q draws %d, and its canonical text %d", text, x, back.Draw(c))
			}
		}
		if m, most := d.Mean(), d.Max(); m < 0 || m > most*(1+1e-9) {
			t.Errorf("%q has mean %v and max %v", text, m, most)
		}
		last := 0.0
		for _, p := range []float64{0, 0.01, 0.5, 0.99, 1} {
			q, err := d.Quantile(p)
			if err == nil && q < last*(1-1e-9) {
				t.Errorf("%q: the quantile of %v is %v, below %v", text, p, q, last)
			}
			last = q
		}
	})
}
