// Package lint judges the settings of a scenario by rules that need no run.
//
// Its duty is arithmetic on the user's own numbers: is the lease longer than the longest run, does a lost renewal leave
// time for another, do all retries of all layers fit into the service behind them. Each rule is one entry of the table
// in rule.go, with the field cases or texts that it comes from; docs/lint.md lists them.
//
//	text ─▶ scenario.ParseAll ─▶ each variant resolved ─▶ every rule ─▶ findings ─▶ the change of each one, tried
//
// It promises that a finding shows its sum, that a change it proposes was put into the scenario and found to satisfy
// the rule there without an error by any other rule, and that the same file gives the same findings in the same order.
//
// It assumes that durations with a distribution are judged by their greatest value where that is at most twice the 99th
// percentile, and by the 99th percentile elsewhere; a sum of several steps adds these up. Both are named in the sum.
//
// It does not promise that a scenario without findings is safe, or that one with findings goes wrong in a given run:
// what cuts and deaths make of the settings is what a run is for. It looks at the settings as they stand, under those of
// each event by itself, and as each group of workers sees them; not at several events at once.
package lint
