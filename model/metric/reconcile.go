package metric

import "github.com/tenggat/tenggat/model/history"

// findings are the counters of what reconcilers find.
var findings = [history.Findings]counter{
	history.FoundUnacked: foundUnacked, history.FoundIncomplete: foundIncomplete, history.FoundOrphan: foundOrphans, history.FoundCopy: foundCopies,
}

const ofFindings = Global | Reconcilers

// reconcileEntries are the metrics of reconcilers.
var reconcileEntries = []Entry{
	{counter: foundUnacked, Name: "found_unacked", word: "found_unacked", Scopes: ofFindings, needs: Reconcilers,
		Meaning: "jobs found with an effect and still in their queue", Indonesian: "pekerjaan yang ditemukan sudah berefek tetapi masih di antrean"},
	{counter: foundIncomplete, Name: "found_incomplete", word: "found_incomplete", Scopes: ofFindings, needs: Reconcilers,
		Meaning: "jobs found acknowledged and without all of their effects", Indonesian: "pekerjaan yang ditemukan sudah diakui tetapi efeknya belum lengkap"},
	{counter: foundOrphans, Name: "found_orphan_locks", word: "found_orphan_lock", Scopes: ofFindings, needs: Reconcilers,
		Meaning: "locks found whose holder is dead or gone", Indonesian: "kunci yang ditemukan pemegangnya mati atau pergi"},
	{counter: foundCopies, Name: "found_stale_copies", word: "found_stale_copy", Scopes: ofFindings, needs: Reconcilers,
		Meaning: "copies found in a cache that contradict their source", Indonesian: "salinan cache yang ditemukan bertentangan dengan sumbernya"},
	{counter: repaired, Name: "repaired", word: "repair", Scopes: ofFindings, needs: Reconcilers,
		Meaning: "findings that a reconciler put right", Indonesian: "temuan yang diperbaiki rekonsiliasi"},
}
