// Package house holds the rules of this repository as tests: which package may
// import which, what a deterministic package may not touch, how long a file
// and a function may be, what no file may contain, and that links and make
// targets in the pages exist.
//
// The rules themselves are in docs/design/layers.md, which the tests read, and
// in CONTRIBUTING.md. Each rule is a function from parsed files to findings, and
// is itself tested on code that breaks it.
//
// It does not promise that code which passes is deterministic: it finds the
// usual causes by name. The proof is scripts/determinism, which runs the same
// scenarios on several architectures.
package house
