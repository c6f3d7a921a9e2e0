// Package scenario turns a scenario file into typed settings.
//
// Its duty is the language: strict reading with positions, the layers that
// rewrite values (variant, sweep point, --set, preset, default), formulas, and
// the checks that need no run. docs/scenario-language.md is the reference.
//
// The path of a file:
//
//	bytes ── yaml.go ──▶ nodes ── layers.go ──▶ nodes ── formula.go ──▶ nodes ── build.go … ──▶ Scenario
//	                               expand ★, assign,      evaluate                typed, checked
//	                               preset, defaults
//
// Each block has one table of its keys (see language.go), which stands beside
// the code that builds its type: queue.go, lease.go, …. The defaults, the
// nearest-key hints, the "not yet" messages, the JSON schema for editors and the
// reference tables of the manual are all read off these tables.
//
// The package promises that every mistake of a file is reported in one go, each
// with file, line, column and path; that resolving is a pure function of the
// file, the variant and the assignments; and that no input makes it panic or
// take more than a bounded time. It assumes that a file is written by a person:
// sizes are limited (see MaxBytes). It does not judge whether settings are
// wise: that is what lint and a run are for.
package scenario
