package metric

import "github.com/tenggat/tenggat/model/history"

// slots is the capacity of a group beside the number of its processes. An event
// may set the slots of a process down while all of them are busy: its handlers
// go on, so what they occupy counts until they end. Capacity is extended, rather
// than the work cut down, since that work is done and counts in running too.
type slots struct {
	each   int64 // of a process
	beyond int64 // handlers beyond the slots of their process, summed
}

// newCapacity sets what components have at the start.
func (m *Meter) newCapacity() {
	for i := range m.names.Groups {
		m.slots = append(m.slots, slots{each: int64(m.names.Groups[i].Slots)})
	}
	for i := range m.names.Services {
		m.servers = append(m.servers, int64(m.names.Services[i].Servers))
		m.serversAre(int16(i), m.from)
	}
}

// slotsAre says how many slots a group has now.
func (m *Meter) slotsAre(group int16, now int64) {
	s, scope := &m.slots[group], m.groups+int32(group)
	m.gauges[capacity][scope].Set(now, s.each*m.gauges[up][scope].Value()+s.beyond)
}

// serversAre says how many servers a service has now, those included that have
// been taken away and are still at work.
func (m *Meter) serversAre(service int16, now int64) {
	scope := m.place[history.Service] + int32(service)
	m.gauges[capacity][scope].Set(now, max(m.servers[service], m.gauges[busy][scope].Value()))
}

// resized takes a new number of slots of each process of a group.
func (m *Meter) resized(f *history.Fact) {
	s := &m.slots[f.Group]
	*s = slots{each: f.Value}
	for i := range m.processes[f.Group] {
		s.beyond += max(0, int64(m.processes[f.Group][i].running)-s.each)
	}
	m.slotsAre(f.Group, f.At)
}

// occupies notes that a process runs n handlers, and ran was before.
func (m *Meter) occupies(group int16, was, n int32, now int64) {
	s := &m.slots[group]
	change := max(0, int64(n)-s.each) - max(0, int64(was)-s.each)
	if change != 0 {
		s.beyond += change
		m.slotsAre(group, now)
	}
}

func utilisation(v *view, s int32) float64 {
	working := busy
	if s >= v.m.groups {
		working = running
	}
	return over(v.area(working, s), v.area(capacity, s))
}
