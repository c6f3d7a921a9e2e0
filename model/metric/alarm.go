package metric

import (
	"math"
	"slices"

	"github.com/tenggat/tenggat/model/history"
)

// trouble is the time in which an alert has a cause: an event is active, or a
// backlog that it left is being drained.
type trouble struct {
	active []bool // by event
	since  int64  // when the latest trouble began
	ended  int64  // when the last event did
}

// never is before every instant.
const never = math.MinInt64

func (m *Meter) troubled() bool { return slices.Contains(m.trouble.active, true) || !m.drains.calm }

// eventBegan and eventEnded stand before what the drains make of the fact.
func (m *Meter) eventBegan(f *history.Fact) {
	if !m.troubled() {
		m.trouble.since = f.At
	}
	m.trouble.active[f.Place.Index] = true
}

func (m *Meter) eventEnded(f *history.Fact) {
	if f.Value == 0 {
		m.trouble.active[f.Place.Index], m.trouble.ended = false, f.At
	}
}

// alerted judges a firing. It is false when there was no trouble at any moment
// at which its condition held; else its delay runs from the beginning of the
// trouble.
func (m *Meter) alerted(f *history.Fact, labels []int32) {
	calm := max(m.trouble.ended, m.drains.calmSince)
	if !m.troubled() && (calm < f.At-f.Value || m.trouble.since == never) {
		m.count(falseAlerts, labels, f.At)
		return
	}
	m.add(alertDelay, labels, f.At, f.At-m.trouble.since)
}

// firstAlert is when an alert fired first.
func firstAlert(m *Meter, s int32) float64 { return m.instant(alertsFired, s, partFirst) }

// alertEntries are the metrics of alerts.
var alertEntries = []Entry{
	{counter: alertsFired, Name: "fired", word: "alert", Scopes: Alerts,
		Meaning: "times the alert fired", Indonesian: "berapa kali alarm berbunyi"},
	{counter: falseAlerts, Name: "false", word: "false_alert", Scopes: Alerts,
		Meaning:    "times it fired although no event was active and no backlog of one left, at any moment at which its condition held",
		Indonesian: "berapa kali berbunyi padahal tidak ada peristiwa aktif dan tidak ada sisa antreannya"},
	{Name: "first_s", Unit: "s", Scopes: Alerts, total: firstAlert,
		Meaning: "instant at which the alert fired first", Indonesian: "saat alarm pertama kali berbunyi"},
	{dist: alertDelay, Name: "delay_s", Unit: "s", Scopes: Alerts,
		Meaning: "from the beginning of what was wrong to the alert", Indonesian: "dari awal gangguan sampai alarm berbunyi"},
}
