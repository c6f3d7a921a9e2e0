package report

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadableShowsWhatTheIntervalSupports(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		mean, low, high float64
		want            string
	}{
		{0.286514, 0.286094, 0.286934, "0.28651 ± 0.00042"},
		{1234.6, 1134.6, 1334.6, "1230 ± 100"},
		{123456, 111111, 135801, "123,000 ± 12,000"},
		{12, 9, 31, "12 [9, 31]"},
		{0, 0, 0.15, "0 (< 0.15)"},
		{3, 3, 3, "3"},
		{2.5, -inf, inf, "2.5"},
		{0.1 + 0.2, 0.1 + 0.2, 0.1 + 0.2, "0.3"},
		{inf, -inf, inf, "inf"},
		{math.NaN(), -inf, inf, "–"},
		{-4, -5, -3, "-4.0 ± 1.0"},
		{2e-9, 1e-9, 3e-9, "2e-09 ± 1e-09"},
		{86400, 86400, 86400, "86,400"},
	} {
		assert.Equal(t, c.want, Readable(c.mean, c.low, c.high))
	}
}

func TestExactReadsBack(t *testing.T) {
	assert.Equal(t, "0.1", Exact(0.1))
	assert.Equal(t, "0.30000000000000004", Exact(float64(0.1)+math.Nextafter(0.2, 1)))
	assert.Equal(t, "1e+21", Exact(1e21))
	assert.Equal(t, "inf", Exact(math.Inf(1)))
	assert.Empty(t, Exact(math.NaN()))
}

func sample() Table {
	t := Table{Title: "two variants", Head: []string{"variant", "drain_s", "duplicate|rate"}, Notes: []string{"n = 20"}}
	t.Add(Text("base"), Number(math.Inf(1)), Interval(0.25, 0.2, 0.3))
	t.Add(Text("a \"b\", <c>"), Number(math.NaN()), Interval(0, 0, 0.15))
	return t
}

func TestFormats(t *testing.T) {
	for format, want := range map[Format]string{
		Aligned: `two variants
variant     drain_s  duplicate|rate
base        inf      0.250 ± 0.050
a "b", <c>    –          0 (< 0.15)
n = 20
`,
		CSV: `variant,drain_s,duplicate|rate
base,inf,0.25
"a ""b"", <c>",,0
`,
		Markdown: `**two variants**

| variant | drain_s | duplicate\|rate |
|---|---|---|
| base | inf | 0.250 ± 0.050 |
| a "b", <c> | – | 0 (< 0.15) |

n = 20
`,
		JSON: `[
  {"variant": "base", "drain_s": null, "drain_s_infinite": true, "duplicate|rate": 0.25},
  {"variant": "a \"b\", <c>", "drain_s": null, "duplicate|rate": 0}
]
`,
	} {
		var b strings.Builder
		require.NoError(t, Write(&b, sample(), format))
		assert.Equal(t, want, b.String(), format)
	}
}

func TestNumbersOfAColumnEndAtOnePlace(t *testing.T) {
	table := Table{Head: []string{"lease", "starts", "takeover_s"}}
	table.Add(Text("2s"), Interval(28731, 28676, 28786), Text("3.4 (n = 2)"))
	table.Add(Text("16s"), Interval(12, 9, 31), Interval(0.5, 0.4, 0.6))
	table.Add(Text("none"), Number(-1234567.5), Number(math.NaN()))
	var b strings.Builder
	require.NoError(t, Write(&b, table, Aligned))
	assert.Equal(t, `lease  starts              takeover_s
2s         28,731 ± 55      3.4 (n = 2)
16s            12 [9, 31]  0.50 ± 0.10
none   -1,234,568             –
`, b.String())
}

func TestJSONIsJSON(t *testing.T) {
	var b strings.Builder
	require.NoError(t, Write(&b, sample(), JSON))
	var rows []map[string]any
	require.NoError(t, json.Unmarshal([]byte(b.String()), &rows))
	assert.Equal(t, 0.25, rows[0]["duplicate|rate"])

	b.Reset()
	require.NoError(t, Write(&b, Table{Head: []string{"x"}}, JSON))
	require.NoError(t, json.Unmarshal([]byte(b.String()), &rows))
	assert.Empty(t, rows)
}
