package metric

import (
	"slices"
	"strconv"

	"github.com/tenggat/tenggat/model/history"
)

// numberEntries are the metrics that are one number.
var numberEntries = append([]Entry{
	{Name: "published", Unit: "1", Scopes: ofJobs, whole: true, ratio: published,
		Meaning: "offered jobs that were taken", Indonesian: "pekerjaan yang ditawarkan dan diterima"},
	{Name: "published_per_s", Unit: "1/s", Scopes: ofJobs, ratio: func(v *view, s int32) float64 { return v.rate(published(v, s)) },
		Meaning: "offered jobs that were taken: per second", Indonesian: "pekerjaan yang diterima per detik"},
	{Name: "duplicate_rate", Unit: "share", Scopes: ofJobs, ratio: duplicateRate,
		Meaning:    "share of the jobs started that were started more than once, each judged when it is done, or at the end",
		Indonesian: "bagian pekerjaan yang dijalankan lebih dari sekali"},
	{Name: "unstarted_share", Unit: "share", Scopes: ofJobs, ratio: unstartedShare,
		Meaning:    "share of the jobs taken since the run began that no handler has started by its end: starvation, which wait_s does not see",
		Indonesian: "bagian pekerjaan yang diterima sejak awal dan sampai akhir belum pernah dijalankan: kelaparan, yang tidak terlihat oleh wait_s"},
	{Name: "waited_share", Unit: "share", Scopes: ofWork, total: func(m *Meter, s int32) float64 { return m.dists[wait][s].ShareOver(0) },
		Meaning: "share of jobs that waited at all before their first start", Indonesian: "bagian pekerjaan yang sempat menunggu"},
	{Name: "goodput_per_s", Unit: "1/s", Scopes: ofWrites, ratio: func(v *view, s int32) float64 { return v.rate(v.count(effects, s) - v.count(duplicateEffects, s)) },
		Meaning: "first effects of a key per second: useful completions", Indonesian: "efek pertama per detik: hasil yang berguna"},
	{Name: "success_rate", Unit: "share", Scopes: ofWork, ratio: func(v *view, s int32) float64 { return 1 - failureShare(v, s) },
		Meaning: "share of ended handlers that ended without an error", Indonesian: "bagian handler yang berakhir tanpa galat"},
	{Name: "failure_rate", Unit: "share", Scopes: ofWork, ratio: failureShare,
		Meaning: "share of ended handlers that ended with an error", Indonesian: "bagian handler yang berakhir dengan galat"},
	{Name: "error_share", Unit: "share", Scopes: ofWork | Services, ratio: errorShare,
		Meaning:    "share of ended handlers that ended with an error; of a service, of its calls",
		Indonesian: "bagian handler yang berakhir dengan galat; pada layanan, bagian panggilannya"},
	{Name: "retry_rate", Unit: "1/job", Scopes: ofJobs, ratio: perJob(retried),
		Meaning: "retries per job finished", Indonesian: "percobaan ulang per pekerjaan yang berakhir"},
	{Name: "dead_letter_rate", Unit: "1/job", Scopes: ofJobs, needs: Queues, ratio: perJob(deadLettered),
		Meaning: "dead letters per job finished", Indonesian: "dead letter per pekerjaan yang berakhir"},
	{Name: "timeout_rate", Unit: "1/job", Scopes: ofJobs, needs: Services, ratio: perJob(dependencyTimeouts),
		Meaning: "timed out calls to services per job finished", Indonesian: "panggilan layanan yang kehabisan waktu per pekerjaan yang berakhir"},
	{Name: "cache_hit_ratio", Unit: "share", Scopes: ofCopies, needs: Caches,
		ratio: func(v *view, s int32) float64 {
			return over(v.count(cacheHits, s), v.count(cacheHits, s)+v.count(cacheMisses, s))
		},
		Meaning: "share of reads through a cache that found a copy", Indonesian: "bagian pembacaan lewat cache yang menemukan salinan"},
	{Name: "cache_stale_ratio", Unit: "share", Scopes: ofCopies, needs: Caches,
		ratio:   func(v *view, s int32) float64 { return over(v.count(staleHits, s), v.count(cacheHits, s)) },
		Meaning: "share of hits that contradicted the source at the instant of the answer", Indonesian: "bagian hit yang bertentangan dengan sumbernya pada saat dijawab"},
	{Name: "running", Unit: "1", Scopes: ofGroups, needs: Groups, ratio: mean(running),
		Meaning: "handlers at once, time-weighted mean", Indonesian: "handler yang berjalan bersamaan, rata-rata terhadap waktu"},
	{Name: "running_max", Unit: "1", Scopes: ofGroups, needs: Groups, whole: true, total: most(running),
		Meaning: "most handlers at once", Indonesian: "handler terbanyak yang berjalan bersamaan"},
	{Name: "utilisation", Unit: "share", Scopes: Groups | Services, ratio: utilisation, applies: limited,
		Meaning:    "share of the slots of the processes that are up, or of a service's servers, that are at work; where a setting takes away one that is busy, it counts until it is free",
		Indonesian: "bagian slot proses yang hidup, atau server layanan, yang bekerja; yang dikurangi saat masih sibuk tetap dihitung sampai bebas"},
	{Name: "utilisation", Unit: "share", Scopes: Locks, total: lockUtilisation,
		Meaning: "share of the time in which the busiest name of a lock is held", Indonesian: "bagian waktu ketika nama kunci yang paling sibuk dipegang"},
	{Name: "processes", Unit: "1", Scopes: ofGroups, needs: Groups, ratio: mean(up),
		Meaning: "processes that are up, time-weighted mean", Indonesian: "proses yang hidup, rata-rata terhadap waktu"},
	{Name: "processes_max", Unit: "1", Scopes: ofGroups, needs: Groups, whole: true, total: most(up),
		Meaning: "most processes that were up", Indonesian: "proses terbanyak yang hidup"},
	{Name: "limit.mean", Unit: "1", Scopes: Groups | Services, ratio: mean(limits), applies: bounded,
		Meaning:    "calls that the callers of a service let be in flight, or slots that the processes of a group use, summed: time-weighted mean",
		Indonesian: "panggilan yang dibolehkan berjalan serentak, atau slot yang dipakai, dijumlahkan: rata-rata terhadap waktu"},
	{Name: "limit.max", Unit: "1", Scopes: Groups | Services, whole: true, total: most(limits), applies: bounded,
		Meaning:    "most calls that the callers of a service let be in flight, or slots that the processes of a group use",
		Indonesian: "panggilan serentak terbanyak yang dibolehkan, atau slot terbanyak yang dipakai"},
	{Name: "in_system.mean", Unit: "1", Scopes: ofJobs, ratio: mean(inSystem),
		Meaning: "jobs that wait or run, time-weighted mean", Indonesian: "pekerjaan yang menunggu atau berjalan, rata-rata terhadap waktu"},
	{Name: "in_system.max", Unit: "1", Scopes: ofJobs, whole: true, total: most(inSystem),
		Meaning: "most jobs that wait or run", Indonesian: "pekerjaan terbanyak yang menunggu atau berjalan"},
	{Name: "queue_depth.mean", Unit: "1", Scopes: Global | Queues, needs: Queues, ratio: mean(waiting),
		Meaning: "messages that wait in a queue, time-weighted mean", Indonesian: "pesan yang menunggu di antrean, rata-rata terhadap waktu"},
	{Name: "queue_depth.max", Unit: "1", Scopes: Global | Queues, needs: Queues, whole: true, total: most(waiting),
		Meaning: "most messages that wait in a queue", Indonesian: "pesan terbanyak yang menunggu di antrean"},
	{Name: "oldest_job_age_s.mean", Unit: "s", Scopes: Global | Queues, needs: Queues, ratio: meanAge,
		Meaning:    "how long the message has been in its queue, waiting or with a worker, that has been there for longest: time-weighted mean",
		Indonesian: "umur pesan tertua di antrean, menunggu atau di tangan worker, rata-rata terhadap waktu"},
	{Name: "oldest_job_age_s.max", Unit: "s", Scopes: Global | Queues, needs: Queues, total: oldestAge,
		Meaning: "how long the message has been in its queue that has been there for longest: the most", Indonesian: "umur pesan tertua di antrean: yang terlama"},
	{Name: "queue_depth.mean", Unit: "1", Scopes: Services, ratio: mean(waitingCall),
		Meaning: "calls that wait at a service, time-weighted mean", Indonesian: "panggilan yang menunggu di layanan, rata-rata terhadap waktu"},
	{Name: "queue_depth.max", Unit: "1", Scopes: Services, whole: true, total: most(waitingCall),
		Meaning: "most calls that wait at a service", Indonesian: "panggilan terbanyak yang menunggu di layanan"},
	{Name: "backlog_peak", Unit: "1", Scopes: Global | Queues, needs: Queues, whole: true, total: backlogPeak,
		Meaning: "jobs of queues that wait or run at the worst moment", Indonesian: "pekerjaan antrean yang tertunda pada saat terburuk"},
	{Name: "holders_max", Unit: "1", Scopes: ofJobs | Locks, Safety: true, whole: true,
		total:      func(m *Meter, s int32) float64 { return float64(m.holders.most[s]) },
		Meaning:    "most processes that at one time believed to own one lock, or ran one job",
		Indonesian: "proses terbanyak yang serentak merasa memegang satu kunci, atau menjalankan satu pekerjaan"},
	{Name: "overlap_s", Unit: "s", Scopes: ofJobs | Locks, ratio: func(v *view, s int32) float64 { return v.area(overlap, s) / 1e9 },
		Meaning:    "time with more than one such process, summed over locks and jobs",
		Indonesian: "lamanya lebih dari satu proses demikian, dijumlahkan"},
	{Name: "orphan_locks_left", Unit: "1", Scopes: ofLocks, needs: Locks, whole: true,
		total:      func(m *Meter, s int32) float64 { return float64(m.counters[orphansLeft][s].N) },
		Meaning:    "orphan locks that were still blocked when the run ended",
		Indonesian: "kunci yatim yang masih tertahan di akhir"},
	{Name: "false_failover_per_day", Unit: "1/day", Scopes: ofWatches, needs: Monitors, ratio: falsePerDay,
		Meaning: "false failovers per day of worker time", Indonesian: "failover keliru per hari kerja worker"},
	{Name: "query_accuracy", Unit: "share", Scopes: Global | Monitors, needs: Monitors, ratio: queryAccuracy,
		Meaning:    "share of the up time of the watched processes in which they are not suspected (Chen, Toueg and Aguilera 2002)",
		Indonesian: "bagian waktu hidup proses yang dipantau ketika tidak dicurigai"},
	{Name: "heartbeat_gap_max_s", Unit: "s", Scopes: ofWatches, needs: Monitors, total: longest(heartbeatGap),
		Meaning: "longest time between two heartbeats, as the monitor saw them", Indonesian: "jarak terlama antara dua heartbeat menurut monitor"},
	{Name: "progress_gap_s", Unit: "s", Scopes: ofWatches, needs: Monitors, total: longest(progressGap),
		Meaning:    "longest time for which a worker with work in hand sent heartbeats and finished nothing",
		Indonesian: "waktu terlama worker mengirim heartbeat tanpa menyelesaikan apa pun"},
	{Name: "amplification", Unit: "1", Scopes: ofCalls &^ Groups, needs: Services,
		ratio:      func(v *view, s int32) float64 { return over(v.count(calls, s), v.count(jobsCalling, s)) },
		Meaning:    "calls sent to a service per job that needed it",
		Indonesian: "panggilan ke layanan per pekerjaan yang membutuhkannya"},
	{Name: "breaker_open_s", Unit: "s", Scopes: Global | Services, needs: Services, ratio: func(v *view, s int32) float64 { return v.area(openBreaker, s) / 1e9 },
		Meaning: "time with the breaker open, summed over callers", Indonesian: "lamanya pemutus arus terbuka, dijumlahkan atas pemanggil"},
	{Name: "probes_per_half_open", Unit: "1", Scopes: Global | Services, needs: Services,
		ratio:      func(v *view, s int32) float64 { return over(v.count(probes, s), v.count(halfOpens, s)) },
		Meaning:    "calls let through each time a breaker was half open",
		Indonesian: "panggilan yang diloloskan setiap pemutus arus setengah terbuka"},
	{Name: "retry_delay_s.sum", Unit: "s", Scopes: ofCalls &^ Groups, total: sleepPerRequest,
		Meaning:    "sleep before retries per request: a call at a service, a job elsewhere; those that fail in the end included; +Inf if one is for ever",
		Indonesian: "jumlah jeda percobaan ulang per permintaan"},
	{Name: "retry_delay_s.mean", Unit: "s", Scopes: ofCalls &^ Groups,
		total:      func(m *Meter, s int32) float64 { return m.retries[s].all.over(m.retries[s].all.n) },
		Meaning:    "sleep before a retry; +Inf if one is for ever",
		Indonesian: "jeda sebelum percobaan ulang"},
}, kthDelays()...)

// eventEntries are the metrics of events.
var eventEntries = []Entry{
	{Name: "drain_s", Unit: "s", Scopes: Events, needs: Queues, total: ofEvent((*occurrences).meanDrain),
		Meaning:    "from the end of the event until the jobs in every queue are back at normal, mean over its occurrences; +Inf if they never are",
		Indonesian: "dari akhir peristiwa sampai antrean kembali normal"},
	{Name: "drain_max_s", Unit: "s", Scopes: Events, needs: Queues, total: ofEvent((*occurrences).maxDrain),
		Meaning:    "the longest drain after an occurrence of the event",
		Indonesian: "pemulihan antrean terlama setelah peristiwa"},
	{Name: "undrained", Unit: "share", Scopes: Events, needs: Queues, whole: true,
		total:   ofEvent(func(e *occurrences) float64 { return min(float64(e.waiting), 1) }),
		Meaning: "1 if the queues were not back at normal by the end of the run, else 0", Indonesian: "1 jika antrean tidak kembali normal, selain itu 0"},
	{Name: "relapses", Unit: "1", Scopes: Events, needs: Queues, whole: true, total: ofEvent((*occurrences).relapsed),
		Meaning:    "full minutes after the drain whose mean depth exceeds that of every calm minute before the event",
		Indonesian: "menit setelah pulih yang kedalaman antreannya melebihi semua menit sebelum peristiwa"},
}

func published(v *view, s int32) float64 {
	return v.count(offered, s) - v.count(publishRefused, s) - v.count(suppressed, s)
}

// duplicateRate judges the jobs done in the view by their starts, and those
// that were pending at its end by their starts until then: all that have
// started by its end, but for those done before it.
func duplicateRate(v *view, s int32) float64 {
	started := v.sinceStart(starts, s) - v.sinceStart(duplicateStarts, s)
	doneBefore := v.before(finished, s) - v.before(doneUnstarted, s)
	return over(v.sinceStart(secondStarts, s)-v.before(doneAgain, s), started-doneBefore)
}

// unstartedShare covers the warm-up too: who has waited since then and waits
// still is starved all the more.
func unstartedShare(v *view, s int32) float64 {
	taken := v.sinceStart(offered, s) - v.sinceStart(publishRefused, s) - v.sinceStart(suppressed, s)
	return over(taken-(v.sinceStart(starts, s)-v.sinceStart(duplicateStarts, s)), taken)
}

func failureShare(v *view, s int32) float64 {
	return over(v.count(failures, s), v.count(failures, s)+v.count(completions, s))
}

func errorShare(v *view, s int32) float64 {
	if first := v.m.place[history.Service]; s >= first && s < first+int32(len(v.m.names.Services)) {
		return over(v.count(callErrors, s), v.count(callsAnswered, s))
	}
	return failureShare(v, s)
}

func perJob(c counter) func(*view, int32) float64 {
	return func(v *view, s int32) float64 { return over(v.count(c, s), v.count(finished, s)) }
}

func mean(g gaugeID) func(*view, int32) float64 {
	return func(v *view, s int32) float64 { return v.mean(g, s) }
}

func most(g gaugeID) func(*Meter, int32) float64 {
	return func(m *Meter, s int32) float64 { return float64(m.gauges[g][s].Max()) }
}

func longest(g gap) func(*Meter, int32) float64 {
	return func(m *Meter, s int32) float64 { return float64(m.longest[g][s]) / 1e9 }
}

func backlogPeak(m *Meter, s int32) float64 {
	if s == 0 {
		return most(backlog)(m, s)
	}
	return most(inSystem)(m, s)
}

// limited says that a component has a number of slots or servers to be a share
// of.
func limited(names *history.Names, scope Scopes, index int16) bool {
	if scope == Groups {
		return names.Groups[index].Slots > 0
	}
	return names.Services[index].Servers > 0
}

// bounded says that a component has a limit that can be told, and split that
// there is a queue with partitions.
func bounded(names *history.Names, scope Scopes, index int16) bool {
	if scope == Groups {
		return names.Groups[index].Limited
	}
	return names.Services[index].Limited
}

func split(names *history.Names, scope Scopes, index int16) bool {
	if scope == Queues {
		return names.Queues[index].Split
	}
	return slices.ContainsFunc(names.Queues, func(q history.QueueName) bool { return q.Split })
}

// falsePerDay relates false suspicions to the time that the watched processes
// were up.
func falsePerDay(v *view, s int32) float64 {
	watched := v.area(up, s)
	if first := v.m.place[history.Monitor]; s >= first && s < first+int32(len(v.m.names.Monitors)) {
		watched = v.watchedUp(s - first)
	}
	return over(v.count(falseFailovers, s), watched/86400e9)
}

func queryAccuracy(v *view, s int32) float64 {
	var watched float64
	for monitor := range v.m.names.Monitors {
		if s == 0 || s == v.m.place[history.Monitor]+int32(monitor) {
			watched += v.watchedUp(int32(monitor))
		}
	}
	return 1 - over(v.area(mistaken, s), watched)
}

func sleepPerRequest(m *Meter, s int32) float64 {
	requests := m.counters[offered][s].InWindow
	if first := m.place[history.Service]; s >= first && s < first+int32(len(m.names.Services)) {
		requests = m.counters[calls][s].InWindow - m.counters[callsAgain][s].InWindow
	}
	return m.retries[s].all.over(requests)
}

// kthDelays are retry_delay_s.k1 and so on.
func kthDelays() []Entry {
	var list []Entry
	for k := range maxRetry {
		number := strconv.Itoa(k + 1)
		list = append(list, Entry{Name: "retry_delay_s.k" + number, Unit: "s", Scopes: ofCalls &^ Groups,
			Meaning:    "sleep before retry number " + number + " of those that get so far",
			Indonesian: "jeda sebelum percobaan ulang ke-" + number,
			total: func(m *Meter, s int32) float64 {
				r := &m.retries[s].kth[k]
				return r.over(r.n)
			}})
	}
	return list
}

// ofEvent reads what the drains know of an event.
func ofEvent(f func(*occurrences) float64) func(*Meter, int32) float64 {
	return func(m *Meter, s int32) float64 {
		return f(&m.drains.events[s-m.place[history.Event]])
	}
}
