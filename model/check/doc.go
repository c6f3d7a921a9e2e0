// Package check judges a history without seeing the model that made it.
//
// A Judge is told every fact and finds those that no run of a correct model
// could contain. What a scenario is about (duplicates, lost jobs, two holders)
// is not its subject: these are results, and package metric counts them. A
// violation is a bug of the model, whatever the scenario.
//
// # The rules
//
//	time          no fact is earlier than the one before it
//	job           a job's facts lie between its publishing and its end, which comes once
//	conservation  a job is started and given back at most as often as it was delivered
//	              (or started by a process itself), and acknowledged at most once a delivery
//	believers     how many run one job, or believe to own one lock, is the sum of who began
//	              and who ceased to, and never below zero
//	token         the tokens of one lock rise strictly from grant to grant, unless a fail-over forgot some
//	grant         a lock with tokens has at most one standing grant at its store
//	process       a process does nothing between its death and its next boot, and dies once a life
//	row           where a service checks the order of updates, the number and the status of a
//	              row only grow
//	copy          a cache takes at most as many copies as reads found none there, or a wrong one
//
// # What it costs
//
// Live jobs are kept in pages of consecutive serial numbers, and a page goes
// when its last job is done; locks and processes are kept for good, since
// there are as many as the scenario names, and so are rows with an order. Nothing allocates once it is warm.
//
// # What it does not promise
//
// It takes facts at their word: whether a side effect that should have been
// recorded was, it cannot know. Of each rule the first MostPerRule violations
// are kept.
package check
