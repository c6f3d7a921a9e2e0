package figure

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// Limits of what a reader can take in and of what a scale can hold.
const (
	maxSeries     = 16      // as many as there are distinct line styles
	maxCategories = 200     // columns of a categorical axis, or rows of a heat map
	maxPoints     = 100_000 // rows of a table
	maxLabelled   = 200     // points of a Pareto figure
	maxWindows    = 1000
	maxMagnitude  = 1e100
	minMagnitude  = 1e-100 // smaller numbers other than zero are refused
)

// Check returns the first reason why the table cannot be drawn, and what to do about it.
func (t Table) Check() error {
	if t.Kind > Timeline {
		return t.errorf("unknown kind %d: use Line, Heat, Pareto or Timeline", t.Kind)
	}
	if t.X.Name == "" || t.Y.Name == "" {
		return t.errorf("both X and Y need a name")
	}
	if len(t.Points) == 0 {
		return t.errorf("the table has no points: nothing was measured, or everything was filtered out")
	}
	most := maxPoints
	if t.Kind == Pareto {
		most = maxLabelled
	}
	if len(t.Points) > most {
		return t.errorf("%d points, at most %d can be read: thin them out or split the figure", len(t.Points), most)
	}
	for i, p := range t.Points {
		if err := t.validatePoint(p); err != nil {
			return t.errorf("point %d (x %s, by %q): %w", i+1, p.place(), p.By, err)
		}
	}
	if err := t.validateWindows(); err != nil {
		return err
	}
	return t.validateGroups()
}

func (t Table) errorf(format string, args ...any) error {
	return fmt.Errorf("figure %q: %w", t.Title, fmt.Errorf(format, args...))
}

// place names the point's X in a message.
func (p Point) place() string {
	if p.XText != "" {
		return fmt.Sprintf("%q", p.XText)
	}
	return fmt.Sprintf("%g", p.X.Mean)
}

func (t Table) validatePoint(p Point) error {
	for _, text := range []string{p.XText, p.By, p.Label} {
		if !utf8.ValidString(text) {
			return fmt.Errorf("the text %q is not UTF-8", text)
		}
	}
	if err := validateEstimate(t.Y, p.Y); err != nil {
		return fmt.Errorf("Y: %w", err)
	}
	if t.Kind == Pareto {
		if p.XText != "" {
			return fmt.Errorf("X of a Pareto figure is a metric: put the text into Label")
		}
		if err := validateEstimate(t.X, p.X); err != nil {
			return fmt.Errorf("X: %w", err)
		}
		return nil
	}
	if p.XText != "" {
		if t.Kind == Timeline {
			return fmt.Errorf("X of a Timeline is an instant, not a text")
		}
		return nil
	}
	x := p.X.Mean
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Errorf("X has no place on an axis: give a finite number or a text")
	}
	if t.X.Log && x <= 0 {
		return fmt.Errorf("X is not positive and its axis is logarithmic: use a linear axis or a text")
	}
	return validateMagnitude(x)
}

func validateEstimate(a Axis, e Estimate) error {
	if math.IsNaN(e.Mean) {
		return nil // A gap; whatever its interval says is not drawn.
	}
	if !(e.Low <= e.Mean && e.Mean <= e.High) {
		return fmt.Errorf("the interval [%g, %g] does not hold the mean %g: use Exact for a number without an interval", e.Low, e.High, e.Mean)
	}
	if math.IsInf(e.Low, -1) {
		return fmt.Errorf("%s reaches minus infinity: only +Inf can be shown off the scale", a.Name)
	}
	if a.Log && e.Mean < 0 {
		return fmt.Errorf("%s is negative and its axis is logarithmic: use a linear axis", a.Name)
	}
	for _, v := range []float64{e.Low, e.Mean, e.High} {
		if err := validateMagnitude(v); err != nil {
			return err
		}
	}
	return nil
}

func validateMagnitude(v float64) error {
	size := math.Abs(v)
	if size != 0 && !math.IsInf(size, 0) && (size > maxMagnitude || size < minMagnitude) {
		return fmt.Errorf("%g is beyond what a scale can hold (%g to %g): use another unit", v, minMagnitude, maxMagnitude)
	}
	return nil
}

func (t Table) validateWindows() error {
	if len(t.Windows) > 0 && t.Kind != Timeline {
		return t.errorf("windows are drawn on a Timeline only")
	}
	if len(t.Windows) > maxWindows {
		return t.errorf("%d windows, at most %d can be read: merge them", len(t.Windows), maxWindows)
	}
	for _, w := range t.Windows {
		if !(w.From <= w.To) || math.IsInf(w.From, 0) || math.IsInf(w.To, 0) {
			return t.errorf("window %q from %g to %g: From and To must be finite, and From not after To", w.Name, w.From, w.To)
		}
	}
	return nil
}

// validateGroups checks what only the rows together show: too many categories, or two rows for one place.
func (t Table) validateGroups() error {
	series, columns := t.labels()
	if t.Kind != Heat && len(series) > maxSeries {
		return t.errorf("%d series of %s, at most %d can be told apart: split the figure", len(series), t.By.Name, maxSeries)
	}
	if len(series) > maxCategories || len(columns) > maxCategories {
		return t.errorf("%d columns and %d rows, at most %d can be read: split the figure", len(columns), len(series), maxCategories)
	}
	if t.Kind == Pareto {
		return nil
	}
	type cell struct {
		x    float64
		text string
		by   string
	}
	seen := make(map[cell]bool, len(t.Points))
	for _, p := range t.Points {
		at := cell{p.X.Mean, p.XText, p.By}
		if p.XText != "" {
			at.x = 0
		}
		if seen[at] {
			return t.errorf("two points at x %s, by %q: fix the other axes at one value each", p.place(), p.By)
		}
		seen[at] = true
	}
	return nil
}

// labels returns series and columns in order of appearance. There are columns only where X is categorical: always in
// a Heat, and in a Line if one X is a text.
func (t Table) labels() (series, columns []string) {
	categorical := t.Kind == Heat
	for _, p := range t.Points {
		categorical = categorical || p.XText != ""
	}
	known := map[string]bool{}
	add := func(list []string, kind, label string) []string {
		if known[kind+label] {
			return list
		}
		known[kind+label] = true
		return append(list, label)
	}
	for _, p := range t.Points {
		series = add(series, "by ", p.By)
		if categorical {
			columns = add(columns, "x ", t.column(p))
		}
	}
	return series, columns
}

// column is the category of a point: its text, or its number as a tick would read.
func (t Table) column(p Point) string {
	if p.XText != "" {
		return p.XText
	}
	return Text(p.X.Mean, t.X.Unit)
}
