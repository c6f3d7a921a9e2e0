// Package dist turns chance into times and sizes of a named distribution.
//
// Duty: parse the distribution texts of a scenario ("exp 80ms", "2s..4s",
// "lognormal mean 1s p99 8s", "90% exp 1ms or 10% exp 50ms cap 30s") and draw
// from them, in whole nanoseconds.
//
// Promise: a draw depends on the text and on the chance it is given, on
// nothing else, and is the same nanosecond on every CPU. Sampling is by
// inversion of one uniform number, never by rejection: for every single law
// but normal (whose negative draws are folded), Draw(c) is Quantile(c.U01())
// rounded, so a luckier chance gives a shorter time under every parameter, and
// runs that share their chances differ only by what was changed. A mixture
// spends the first number on the choice of a part and draws part i with
// c.With(i); a sum draws its first random term with c and term i with
// c.With(i).
//
// Inversion is fast enough too: with the rational fit of exact.NormQuantile a
// lognormal draw costs about three exponential ones. Only gamma, which solves
// for its quantile, is ten times slower still (go test -bench Draw). Nothing
// allocates.
//
// Assumption: the caller keys its chances, one per draw. A Dist is immutable
// and may be shared by many goroutines.
//
// It does not promise the last digit of long times: parameters are held as
// float64 nanoseconds, exact up to 104 days, with 16 digits beyond.
package dist
