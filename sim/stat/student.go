package stat

import "math"

// tQuantile is the p-quantile of Student's t with df degrees of freedom.
func tQuantile(p, df float64) float64 {
	lo, hi := -1e6, 1e6
	for range 200 {
		mid := (lo + hi) / 2
		if tCDF(mid, int(df)) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

func normQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

func tCDF(t float64, df int) float64 {
	theta := math.Atan(t / math.Sqrt(float64(df)))
	cos2 := math.Cos(theta) * math.Cos(theta)
	var a float64
	if df%2 == 1 {
		sum, term := 0.0, math.Cos(theta)
		for k := 1; k <= df-2; k += 2 {
			sum += term
			term *= cos2 * float64(k+1) / float64(k+2)
		}
		a = 2 / math.Pi * (theta + math.Sin(theta)*sum)
	} else {
		sum, term := 0.0, 1.0
		for k := 0; k <= df-2; k += 2 {
			sum += term
			term *= cos2 * float64(k+1) / float64(k+2)
		}
		a = math.Sin(theta) * sum
	}
	return (1 + a) / 2
}
