package figure

// Table is the tidy content of one figure: one row per estimate, in the order in which categories and series shall
// appear. It holds everything that is drawn, so that a figure can be checked against it.
type Table struct {
	Title string // headline; long ones are broken into lines
	Note  string // small print under the figure, such as "bands: 95 % interval, 20 replications"; may be empty
	Kind  Kind

	// X is the horizontal axis. Y is the metric: the vertical axis, or the colour of a Heat. By says what the
	// series stand for: the heading of the legend, or the vertical axis of a Heat.
	X, Y, By Axis

	Points  []Point  // at least one
	Windows []Window // shaded stretches of a Timeline; other kinds refuse them
}

// Kind is the way in which a table is drawn.
type Kind uint8

const (
	Line     Kind = iota // Y over X with its interval: a line and a band, or dots and bars when X is categorical
	Heat                 // Y as colour over two categorical axes, X and By
	Pareto               // two metrics against each other, one labelled marker a point, lines along the series, and the efficient frontier
	Timeline             // Y over the time of a run, without a marker for every point, fault windows shaded
)

// Seconds is the unit of durations and instants. Their ticks read 500ms, 5s, 1m, 1h30m and carry the unit themselves.
const Seconds = "s"

// Axis names a quantity.
type Axis struct {
	Name string // metric or path as the reader knows it: "duplicate_rate", "queues.orders.lease"
	Unit string // Seconds, "1/s", "jobs", "share of jobs"…; empty for a plain number or for categories
	Log  bool   // logarithmic scale; on it zero stands on a strip of its own at the edge, negative numbers are refused
	More bool   // Pareto: larger is better. Default: smaller is better
}

// Estimate is a number with its interval, Low <= Mean <= High. Mean may be NaN (nothing was measured: a gap) or +Inf
// (off the scale), and High may be +Inf.
type Estimate struct{ Mean, Low, High float64 }

// Exact returns v with an interval of no width, which is not drawn.
func Exact(v float64) Estimate { return Estimate{v, v, v} }

// Point is one row of a table.
type Point struct {
	X     Estimate // place along X. Only Pareto draws its interval
	XText string   // category such as "exp 2s" or "none", instead of X. One category makes the whole axis categorical
	Y     Estimate
	By    string // series, or row of a Heat; empty when there is only one
	Label string // Pareto: text beside the marker
}

// Window is a stretch of virtual time during which something was wrong.
type Window struct {
	Name     string
	From, To float64 // seconds from the run's start, From <= To; equal for an instant
}
