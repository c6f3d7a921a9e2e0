package check

import "github.com/tenggat/tenggat/model/history"

// life says whether a process lives. One that no fact has spoken of may.
type life uint8

const (
	alive life = iota
	dead
)

// process judges what a process does. Facts about a process are no deeds of
// it: its leases may expire, its messages arrive and its beliefs end when it
// is dead.
func (j *Judge) process(f *history.Fact) {
	switch f.Kind {
	case history.Boot, history.Crash, history.Stop, history.Start, history.Complete, history.Fail, history.Call,
		history.LockTimeout, history.Pause:
	case history.Believe:
		if f.Value < 0 {
			return
		}
	default:
		return
	}
	for int(f.Group) >= len(j.processes) {
		j.processes = append(j.processes, nil)
	}
	group := &j.processes[f.Group]
	for int(f.Process) >= len(*group) {
		*group = append(*group, alive)
	}
	p := &(*group)[f.Process]
	if f.Kind == history.Boot {
		*p = alive
		return
	}
	if *p == dead {
		j.object(Process, f, "the process is not up")
	}
	if f.Kind == history.Crash || f.Kind == history.Stop {
		*p = dead
	}
}
