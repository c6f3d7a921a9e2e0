package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image/png"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

var update = flag.Bool("update", false, "rewrite the golden tables in testdata")

// all returns samples and edge cases by name.
func all() map[string]Table {
	tables := edgeCases()
	for name, sample := range samples {
		tables[name] = sample()
	}
	return tables
}

// TestGolden compares each sample and what can be read on its figure with the table beside it. Only text is compared:
// pictures may differ in a last digit from one processor to the next.
func TestGolden(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(samples)) {
		got := describe(samples[name]())
		file := filepath.Join("testdata", name+".txt")
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), got, "%s changed: look at the figure, then run go test ./experiments/figure -update", name)
	}
}

// describe lists the rows of a table, then what its figure says.
func describe(table Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "rows: x, low, mean, high, by, label\n")
	for _, p := range table.Points {
		fmt.Fprintf(&b, "%s\t%.4g\t%.4g\t%.4g\t%s\t%s\n", p.place(), p.Y.Low, p.Y.Mean, p.Y.High, p.By, p.Label)
	}
	f := layOut(table)
	fmt.Fprintf(&b, "texts:\n")
	for _, w := range writings(f) {
		fmt.Fprintf(&b, "%s\n", w.text)
	}
	if table.Kind == Pareto {
		fmt.Fprintf(&b, "frontier:\n")
		for _, i := range f.frontier() {
			fmt.Fprintf(&b, "%s\n", table.Points[i].Label)
		}
	}
	return b.String()
}

// writing is a text on paper and the box of its letters.
type writing struct {
	text string
	box  vg.Rectangle
}

// writings draws a figure on a canvas that only remembers and returns its texts.
func writings(f *figure) []writing {
	var rec recorder.Canvas
	f.draw(draw.NewCanvas(&rec, f.width, f.height))
	var list []writing
	upright := false
	for _, action := range rec.Actions {
		switch a := action.(type) {
		case *recorder.Rotate:
			upright = true // The only rotation in use is a quarter turn.
		case *recorder.Pop:
			upright = false
		case *recorder.FillString:
			style := text.Style{Font: a.Font, Handler: tickText.Handler}
			// Letters reach about 0.7 of the size above the line; what hangs below it may touch a neighbour.
			box := rectangle(a.Point.X, a.Point.Y, style.Width(a.String), 0.7*a.Font.Size)
			if upright {
				box = rectangle(-a.Point.Y-box.Size().Y, a.Point.X, box.Size().Y, box.Size().X)
			}
			list = append(list, writing{a.String, box})
		}
	}
	return list
}

func TestNoTextIsClippedOrCovered(t *testing.T) {
	for name, table := range all() {
		f := layOut(table)
		texts := writings(f)
		require.NotEmpty(t, texts, name)
		for i, a := range texts {
			inside := a.box.Min.X >= 0 && a.box.Min.Y >= 0 && a.box.Max.X <= f.width && a.box.Max.Y <= f.height
			require.True(t, inside, "%s: %q at %v leaves the paper of %v by %v", name, a.text, a.box, f.width, f.height)
			for _, b := range texts[:i] {
				if table.Kind == Pareto && len(table.Points) > 30 {
					continue // A crowd: labels then share room as well as they can.
				}
				require.LessOrEqual(t, common(a.box, b.box), vg.Length(1), "%s: %q covers %q", name, a.text, b.text)
			}
		}
	}
}

func TestLegendCoversNoData(t *testing.T) {
	for name, table := range all() {
		f := layOut(table)
		texts := writings(f)
		legend := texts[len(texts)-len(f.legend):] // It is drawn last.
		for i, w := range legend {
			require.Equal(t, f.legend[i].name, w.text, name)
			require.Greater(t, w.box.Min.X-sampleWidth, f.area.Max.X+markerRadius, "%s: the sample of %q reaches into the data", name, w.text)
		}
	}
}

func TestSameBytesEachTime(t *testing.T) {
	for name, sample := range samples {
		for format, render := range map[string]func(Table) ([]byte, error){"svg": SVG, "png": PNG} {
			first, err := render(sample())
			require.NoError(t, err, name)
			second, err := render(sample())
			require.NoError(t, err, name)
			require.True(t, bytes.Equal(first, second), "%s as %s differs between two runs", name, format)
		}
	}
}

func TestEveryTableIsDrawn(t *testing.T) {
	for name, table := range all() {
		vector, err := SVG(table)
		require.NoError(t, err, name)
		require.NotContains(t, string(vector), "NaN", name)
		require.NotContains(t, strings.ReplaceAll(string(vector), "+Inf", ""), "Inf", name)
		decoder := xml.NewDecoder(bytes.NewReader(vector))
		for err == nil {
			_, err = decoder.Token()
		}
		require.True(t, errors.Is(err, io.EOF), "%s: not well-formed: %v", name, err)
	}
	for name, sample := range samples {
		raster, err := PNG(sample())
		require.NoError(t, err, name)
		_, err = png.Decode(bytes.NewReader(raster))
		require.NoError(t, err, name)
	}
}

func TestRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name string
		edit func(*Table)
		want string
	}{
		{"no kind", func(t *Table) { t.Kind = 9 }, "unknown kind 9"},
		{"no name", func(t *Table) { t.Y.Name = "" }, "need a name"},
		{"no points", func(t *Table) { t.Points = nil }, "no points"},
		{"too many points", func(t *Table) { t.Points = make([]Point, maxPoints+1) }, "thin them out"},
		{"x not a number", func(t *Table) { t.Points[0].X = Exact(nan) }, "point 1 (x NaN, by \"none\"): X has no place"},
		{"x infinite", func(t *Table) { t.Points[0].X = Exact(inf) }, "X has no place"},
		{"x zero on log", func(t *Table) { t.Points[0].X = Exact(0) }, "X is not positive"},
		{"y negative on log", func(t *Table) { t.Y.Log = true; t.Points[0].Y = Exact(-1) }, "duplicate_rate is negative"},
		{"y minus infinity", func(t *Table) { t.Points[0].Y = Exact(-inf) }, "minus infinity"},
		{"interval beside the mean", func(t *Table) { t.Points[0].Y = Estimate{Mean: 3} }, "use Exact"},
		{"interval not a number", func(t *Table) { t.Points[0].Y = Estimate{3, nan, 4} }, "does not hold the mean"},
		{"too large", func(t *Table) { t.Points[0].Y = Exact(1e300) }, "use another unit"},
		{"too small", func(t *Table) { t.Points[0].Y = Exact(1e-300) }, "use another unit"},
		{"twice", func(t *Table) { t.Points = append(t.Points, t.Points[0]) }, "two points at x 5, by \"none\""},
		{"windows on a line", func(t *Table) { t.Windows = []Window{{"gc", 1, 2}} }, "on a Timeline only"},
		{"window backwards", func(t *Table) { t.Kind = Timeline; t.Windows = []Window{{"gc", 2, 1}} }, "From not after To"},
		{"window without end", func(t *Table) { t.Kind = Timeline; t.Windows = []Window{{"gc", 2, inf}} }, "must be finite"},
		{"text on a timeline", func(t *Table) { t.Kind = Timeline; t.Points[0].XText = "noon" }, "not a text"},
		{"text on a pareto", func(t *Table) { t.Kind = Pareto; t.Points[0].XText = "noon" }, "put the text into Label"},
		{"not UTF-8", func(t *Table) { t.Points[0].By = "\xff" }, "not UTF-8"},
		{"series", func(t *Table) {
			for i := range maxSeries {
				t.Points = append(t.Points, Point{X: Exact(1), By: fmt.Sprint(i)})
			}
		}, "split the figure"},
		{"categories", func(t *Table) {
			for i := range maxCategories + 1 {
				t.Points = append(t.Points, Point{XText: fmt.Sprint("c", i), By: "none"})
			}
		}, "split the figure"},
	} {
		table := sampleLine()
		c.edit(&table)
		_, err := SVG(table)
		require.ErrorContains(t, err, c.want, c.name)
		_, err = PNG(table)
		require.ErrorContains(t, err, c.want, c.name)
	}
}
