package figure

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLabel(t *testing.T) {
	for _, c := range []struct {
		v      float64
		unit   string
		digits int
		want   string
	}{
		{0, "", exactDigits, "0"},
		{0.1 + 0.2, "", exactDigits, "0.3"},
		{-2.5, "", exactDigits, "−2.5"},
		{9999, "", exactDigits, "9999"},
		{20000, "jobs", exactDigits, "20k"},
		{1.5e6, "", exactDigits, "1.5M"},
		{2e9, "", exactDigits, "2G"},
		{3e12, "", exactDigits, "3T"},
		{1e15, "", exactDigits, "1e15"},
		{2.5e-7, "", exactDigits, "2.5e-7"},
		{0.0001, "", exactDigits, "0.0001"},
		{123.456, "", roughDigits, "123"},
		{0.0123456, "", roughDigits, "0.0123"},
		{0, Seconds, exactDigits, "0s"},
		{2e-9, Seconds, exactDigits, "2ns"},
		{5e-6, Seconds, exactDigits, "5µs"},
		{0.25, Seconds, exactDigits, "250ms"},
		{5, Seconds, exactDigits, "5s"},
		{2.5, Seconds, exactDigits, "2.5s"},
		{60, Seconds, exactDigits, "1m"},
		{90, Seconds, exactDigits, "1m30s"},
		{90.5, Seconds, exactDigits, "90.5s"},
		{300, Seconds, exactDigits, "5m"},
		{5400, Seconds, exactDigits, "1h30m"},
		{129600, Seconds, exactDigits, "1d12h"},
		{-60, Seconds, exactDigits, "−1m"},
		{754.3, Seconds, roughDigits, "12m34s"},
		{9876, Seconds, roughDigits, "2h45m"},
		{1e8, Seconds, roughDigits, "1157d10h"}, // 27777.8 h = 1157 d 9.8 h
	} {
		require.Equal(t, c.want, label(c.v, c.unit, c.digits), "%g %s to %d digits", c.v, c.unit, c.digits)
	}
}

func TestLinearTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		unit      string
		want      string
	}{
		{0, 1, "", "0 0.2 0.4 0.6 0.8 1"},
		{0, 0.35, "", "0 0.1 0.2 0.3"},
		{-3, 8, "", "−2 0 2 4 6 8"},
		{0, 12000, "", "0 2000 4000 6000 8000 10k 12k"},
		{0, 3, Seconds, "0s 500ms 1s 1.5s 2s 2.5s 3s"},
		{0, 100, Seconds, "0s 20s 40s 1m 1m20s 1m40s"},
		{0, 10800, Seconds, "0s 30m 1h 1h30m 2h 2h30m 3h"},
		{0, 86400, Seconds, "0s 6h 12h 18h 1d"},
		{0, 30 * 86400, Seconds, "0s 5d 10d 15d 20d 25d 30d"},
	} {
		require.Equal(t, c.want, labels(linearTicks(c.low, c.high, 6, c.unit)), "from %g to %g %s", c.low, c.high, c.unit)
	}
}

func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		unit      string
		rung      int
		want      string
	}{
		{0.9, 110, "", 0, "1 2 5 10 20 50 100"},
		{0.9, 110, "", 1, "1 10 100"},
		{0.004, 0.3, "", 0, "0.005 0.01 0.02 0.05 0.1 0.2"},
		{1e-6, 1e6, "", 3, "1e-6 0.001 1 1000 1M"},
		{1.1, 1.9, "", 0, "1.2 1.4 1.6 1.8"},
		{4, 400, Seconds, 0, "5s 10s 20s 30s 1m 2m 5m"},
		{0.05, 1000, Seconds, 1, "100ms 1s 10s 1m 10m"},
		{3000, 2e6, Seconds, 0, "1h 2h 6h 12h 1d 2d 5d 10d"},
	} {
		require.Equal(t, c.want, labels(logLadders(c.low, c.high, c.unit)[c.rung]), "from %g to %g %s, list %d", c.low, c.high, c.unit, c.rung)
	}
}

func labels(ticks []tick) string {
	var list []string
	for _, t := range ticks {
		list = append(list, t.label)
	}
	return strings.Join(list, " ")
}
