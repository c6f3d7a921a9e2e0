// Package exact is arithmetic and chance that give the same bits on every CPU.
//
// Go may fuse x*y+z into one rounding on some processors, and the assembly
// behind math.Exp and its kin differs between them. Whatever feeds the result
// of a run therefore takes its functions from here, and rounds every product
// that is added or subtracted by an explicit conversion: float64(a*b) + c.
//
// Promise: for equal arguments, equal bits on amd64 (any GOAMD64), 386, arm64
// and wasm. It does not promise correct rounding in the last place.
package exact
