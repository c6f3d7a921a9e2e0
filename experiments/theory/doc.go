// Package theory holds closed forms and exact recursions for systems small
// enough to have them: queues, leases, detectors, retries, breakers. They are
// what verify compares the simulator with, what a run prints beside its
// estimates where they apply, and the planner's first guess.
//
// A model is a struct of its parameters; its methods are its quantities. Times
// are float64 seconds, rates are per second, shares are fractions of one. Each
// type states its formula, the condition under which that holds, and where it
// comes from. Unless a type says otherwise, messages take no time, clocks are
// perfect, draws are independent, and an interval that begins at x and lasts L
// is [x, x+L): what happens at x+L comes after its end.
//
// The package promises six significant digits inside the stated conditions. It
// assumes parameters that make sense (positive rates and lengths, shares inside
// [0, 1)) and does not check them: an unstable queue answers with +Inf, and
// nonsense with nonsense.
//
// It does not promise the same bits on every machine: it uses the standard
// mathematical functions and gonum, so nothing here may feed a run.
package theory
