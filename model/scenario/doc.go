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
// One table, the schema of schema.go and its neighbours, says which keys there
// are. The JSON schema for editors, the reference tables, the nearest-key hints
// and the words of most messages are read off that table.
//
// The package promises that every mistake of a file is reported in one go, each
// with file, line, column and path; that resolving is a pure function of the
// file, the variant and the assignments; and that no input makes it panic or
// take more than a bounded time. It assumes that a file is written by a person:
// sizes are limited (see MaxBytes). It does not judge whether settings are
// wise: that is what lint and a run are for.
package scenario
