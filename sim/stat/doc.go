// Package stat turns what happens in a run into numbers, and the numbers of
// many runs into estimates that say how far they can be trusted.
//
// Within one run, Histogram, Level and Counter take one fact at a time, keep no
// samples and do not allocate once they are warm. Their state is integers, so
// it does not depend on the order of facts at one instant, on the CPU, or on
// how partial results were merged; only reading them rounds, and always in the
// same way. Time is int64 nanoseconds on the run's virtual clock and may be
// negative; it never goes backwards.
//
// Across replications, MeanT, Paired, RatioT, QuantileT, QuantileCI, Wilson and
// RuleOfThree each return an Estimate: a point, an interval, the number of
// values behind it and, where the method has something to confess, a note.
// Sums run over the slice from its first element to its last, with explicit
// rounding, so slot order is part of the result and the result is the same on
// every machine. MSER5 proposes a warm-up to drop; Precision says when enough
// replications have run; NeededToDecide says how many a comparison would take.
//
// Assumptions: replications are independent, and their number or the shape of
// their distribution lets a mean be treated as normal. For a skewed metric and
// few replications the t interval covers less often than it says; the order
// statistic interval of QuantileCI assumes only independence.
//
// The package does not treat the values within one run as independent: no
// interval comes from a Histogram alone, because jobs that met the same fault
// are not separate trials.
package stat
