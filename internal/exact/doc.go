// The methods and coefficients in log.go, exp.go, pow.go and erf.go come from
// FreeBSD's msun library (e_log.c, s_log1p.c, e_exp.c, e_pow.c, s_erf.c), which
// carries this notice:
//
// Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights reserved.
// Permission to use, copy, modify, and distribute this software is freely
// granted, provided that this notice is preserved.

// Package exact is arithmetic and chance that give the same bits on every CPU.
//
// Go may fuse x*y+z into one rounding on some processors, and the assembly
// behind math.Exp and its kin differs between them. Whatever feeds the result
// of a run therefore takes its functions from here, and rounds every product
// that is added or subtracted by an explicit conversion: float64(a*b) + c.
// That goes for a product that is first stored, passed or returned, because
// calls are inlined, and for a quotient by a power of two, which compiles to a
// product.
//
// Promise: for equal arguments, equal bits on amd64 (any GOAMD64), 386, arm64
// and wasm. It does not promise correct rounding in the last place.
package exact
