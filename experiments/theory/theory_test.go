package theory

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// published are values of known cases, to the digits in which they are printed.
func TestPublishedValues(t *testing.T) {
	mm1 := MM1{Arrivals: 0.7, Service: 1}
	mmc := MMC{Arrivals: 4, Service: 1, Workers: 5}
	mmck := MMCK{Arrivals: 3.3, Service: 1, Workers: 3, Room: 8}
	md1 := MD1{Arrivals: 0.8, Service: 1}
	mg1 := MG1{Arrivals: 0.6, Service: Lognormal(1, 2)}
	drain := Drain{Arrivals: 8, Service: 1, Workers: 10, Outage: 60}
	anyReceipt := Visibility{Arrivals: 2, Timeout: 5, Service: Exponential(4)}
	current := AckDeadline{Timeout: 10, Service: Lognormal(6, 1.5)}
	lossy := Visibility{Timeout: 6, Service: Exponential(3), Loss: 0.1}
	failing, slow := FailureLimit{Arrivals: 10, Failure: 0.4, Receives: 4}, SlowLimit{Timeout: 4, Service: Exponential(9), Receives: 3}
	extension := Extension{Timeout: 10, Every: 4, Loss: 0.15, Service: Exponential(30)}
	loss := LeaseLoss{Length: 15, Renew: 4, Loss: 0.1}
	calls := LeaseCall{Length: 10, Renew: 4, Loss: 0.03, Round: LognormalMedian(0.2, 1), Timeout: 1.5}
	drift := Drift{Length: 30, Error: 0.01}
	learnt := PhiHistory{First: 1000, Beats: []float64{0, 1000, 2000, 3100, 4000, 5050}, Ask: 7000, Least: 100, Level: 8}
	pauses := Pauses{Length: 10, Renew: 3, Rate: 1. / 120, Pause: Exponential(4)}
	failover := Failover{Length: 15, Renew: 5, Poll: 2}
	orphan := Orphan{Length: 60, Job: 20, Crashes: 0.0025}
	chen := Chen{Every: 1, Shift: 1.2, Loss: 0.05, Delay: Exponential(0.3)}
	silence := Silence{Every: 1, Timeout: 3.5, Loss: 0.2}
	phi := Phi{Mean: 1000, SD: 200, Level: 8}
	attempts := Attempts{Failure: 0.7, Most: 5}
	layers := Layers{Failure: 0.3, Most: 4, Depth: 3}
	backoff := Backoff{Base: 0.1, Cap: 2, Failure: 0.7, Most: 8}
	dead := DeadBreaker{Calls: 20, Consecutive: 5, Open: 10}
	gamma := MG1{Arrivals: 0.75, Service: Gamma(1, 0.5)}
	constant := GM1{Arrivals: 0.8, Service: 1}
	classes := Priority{[]PriorityClass{{0.3, Exponential(1)}, {0.4, Constant(1)}}}
	batches := Batches{Batches: 0.18, Size: 4, Service: 1}
	breakdown := Breakdown{Arrivals: 0.5, Service: 1, Crashes: 0.05, Restarts: 0.25}
	quota := Quota{Cost: 5, Earn: 1, Most: 3}
	herd := Herd{Clients: 200, Slots: 20}
	flaky := FlakyBreaker{Calls: 10, Failure: 0.5, Consecutive: 5, Open: 5}
	bulkhead := Bulkhead{Arrivals: 18, Mean: 0.5, Places: 12}
	low := Storm{Arrivals: 20, Capacity: 100, Retries: 3, Timeout: 1, Outage: 10}
	high := Storm{Arrivals: 40, Capacity: 100, Retries: 3, Timeout: 1, Outage: 10}
	rationed := StormBudget{Arrivals: 80, Capacity: 100, Ratio: 0.2}
	for _, x := range []struct {
		what      string
		got, want float64
	}{
		{"A06 mean wait", gamma.MeanWait(), 4.5},
		{"A06 sojourn", gamma.MeanSojourn(), 5.5},
		{"A07 waits", constant.WaitShare(), 0.6286298},
		{"A07 mean wait", constant.MeanWait(), 1.692731},
		{"A07 Kingman", constant.MostMeanWait(), 2},
		{"A08 class 1", classes.MeanWait(1), 0.7142857},
		{"A08 class 2", classes.MeanWait(2), 2.380952},
		{"A09 sojourn", batches.MeanSojourn(), 8.928571},
		{"A09 in system", batches.MeanInSystem(), 6.428571},
		{"A12 in system", breakdown.MeanInSystem(), 2.333333},
		{"A12 sojourn", breakdown.MeanSojourn(), 4.666667},
		{"A12 availability", breakdown.Availability(), 0.8333333},
		{"E04 attempts, half fail", quota.Amplification(0.5), 1.2},
		{"E04 successes, half fail", quota.SuccessShare(0.5), 0.6},
		{"E04 attempts, a tenth fails", quota.Amplification(0.1), 1.11},
		{"E04 crossover", quota.Crossover(), 0.3207243},
		{"E06 mean peak", herd.MeanPeak(), 16.32443},
		{"E06 median peak", float64(herd.MedianPeak()), 16},
		{"E06 peak of 21", herd.PeakAtLeast(21), 0.0230879},
		{"F02 closed", flaky.MeanClosedCalls(), 62},
		{"F02 passed", flaky.PassedPerSecond(), 3.902439},
		{"F02 open", flaky.OpenShare(), 0.6097561},
		{"F02 successes", flaky.SuccessPerSecond(), 1.95122},
		{"F05 refused", bulkhead.RefusedShare(), 0.08308661},
		{"F05 in use", bulkhead.MeanInUse(), 8.25222},
		{"G01 threshold", low.Threshold(), 25},
		{"G01 first success", low.FirstSuccess(), 39},
		{"G01 failed", low.Failed(), 720},
		{"G01 empty", low.Empty(), 41},
		{"G01 growth", high.Growth(), 60},
		{"G01 attempts", float64(high.MostAttempts()), 2},
		{"G02 offered", rationed.MostOffered(), 96},
		{"G02 threshold", rationed.Threshold(), 83.33333},
		{"G02 drain", rationed.DrainTime(1000), 250},
		{"C02 failure", calls.Failure(), 0.07975972},
		{"C02 time to loss", calls.MeanTimeToLoss(), 680.9219},
		{"C07 safe hold", drift.SafeHold(), 29.40594059},
		{"C07 overlap", drift.WorstOverlap(), 0.600060006},
		{"C07 validity", drift.Validity(10_000, 35), 9863},
		{"D07 mean", learnt.MeanInterval(), 1007.142857},
		{"D07 deviation", learnt.Deviation(), 144.9841652},
		{"D07 phi", learnt.Phi(), 12.94069585},
		{"A01 sojourn", mm1.MeanSojourn(), 3.333333},
		{"A01 sojourn over 5 s", mm1.SojournOver(5), 0.2231302},
		{"A01 in system", mm1.MeanInSystem(), 2.333333},
		{"A02 waits", mmc.WaitShare(), 0.5541126},
		{"A02 mean wait", mmc.MeanWait(), 0.5541126},
		{"A02 wait over 1 s", mmc.WaitOver(1), 0.2038466},
		{"A02 utilisation", mmc.Utilisation(), 0.8},
		{"A03 refused", mmck.RefusedShare(), 0.172383},
		{"A03 waiting", mmck.MeanWaiting(), 2.292926},
		{"A03 mean wait", mmck.MeanWait(), 0.8395505},
		{"A03 throughput", mmck.Throughput(), 2.731136},
		{"A04 mean wait", md1.MeanWait(), 2},
		{"A04 waits", md1.WaitShare(), 0.8},
		{"A04 wait over 4 s", md1.WaitOver(4), 0.1546249},
		{"A05 mean wait", mg1.MeanWait(), 2.25},
		{"A05 sojourn", mg1.MeanSojourn(), 3.25},
		{"A11 drain", drain.Mean(), 235},
		{"A11 fluid", drain.Fluid(), 240},
		{"A11 backlog", drain.MeanBacklog(), 480},
		{"B01 deliveries", anyReceipt.MeanDeliveries(), 1.310579},
		{"B01 twice", anyReceipt.MoreThan(1), 0.2865048},
		{"B01 thrice", anyReceipt.MoreThan(2), 0.02351775},
		{"B01 to delete", anyReceipt.MeanTimeToDelete(), 3.411127},
		{"B01 running", anyReceipt.MeanRunning(), 10.48463},
		{"B01 redeliveries", anyReceipt.RedeliveriesPerHour(), 2236.171},
		{"B02 deliveries", current.MeanDeliveries(), 1.184421},
		{"B02 twice", current.DuplicateShare(), 0.1557057},
		{"B02 to delete", current.MeanTimeToDelete(), 5.553423},
		{"B02 work", current.MeanWork(), 7.106527},
		{"B03 deliveries", lossy.MeanDeliveries(), 1.250574},
		{"B03 twice", lossy.MoreThan(1), 0.2218018},
		{"B03 thrice", lossy.MoreThan(2), 0.02583637},
		{"B04 twice", extension.DuplicateShare(), 0.1017499},
		{"B05 dead letters", failing.DeadLetterShare(), 0.0256},
		{"B05 deliveries", failing.MeanDeliveries(), 1.624},
		{"B05 per hour", failing.DeadLettersPerHour(), 921.6},
		{"B06 dead letters", slow.DeadLetterShare(), 0.06948345},
		{"B06 deliveries", slow.MeanDeliveries(), 1.904778},
		{"C01 to loss", loss.MeanTimeToLoss(), 4443},
		{"C01 within an hour", loss.LostWithin(3600), 0.5551199},
		{"C03 per pause", pauses.ExpiryShare(), 0.1220627},
		{"C03 per hour", pauses.ExpiriesPerHour(), 3.543757},
		{"C04 affected", Pauses{Length: 10, Renew: 3, Rate: 1. / 60, Pause: LognormalMedian(2, 1.2)}.AffectedShare(120), 0.2060026},
		{"C05 mean", failover.Mean(), 13.5},
		{"C05 sd", failover.SD(), 1.554563},
		{"C05 p99", failover.Quantile(0.99), 16.55279},
		{"C05 max", failover.Max(), 17},
		{"C06 crashes", orphan.CrashShare(), 0.04877058},
		{"C06 orphan", orphan.MeanOrphan(), 50.08333},
		{"C06 orphan share", orphan.OrphanShare(), 0.1112757},
		{"C06 jobs", orphan.JobsPerHour(), 156.0044},
		{"D01 recurrence", chen.MeanRecurrence(), 29.06189},
		{"D01 duration", chen.MeanDuration(), 0.3164787},
		{"D01 share", chen.SuspectedShare(), 0.01088982},
		{"D01 bound", chen.DetectionBound(), 2.2},
		{"D05 first", silence.MeanToFirst(), 155.5},
		{"D05 recurrence", silence.MeanRecurrence(), 156.25},
		{"D05 duration", silence.MeanDuration(), 0.75},
		{"D05 share", silence.SuspectedShare(), 0.0048},
		{"D05 detection", silence.MeanDetection(), 2.7528},
		{"D05 bound", silence.MaxDetection(), 3.5},
		{"D06 normal at 900", phi.Normal(900), 0.16023139},
		{"D06 normal at 1000", phi.Normal(1000), 0.30103},
		{"D06 normal at 1500", phi.Normal(1500), 2.2069318},
		{"D06 normal at 2000", phi.Normal(2000), 6.5426457},
		{"D06 logistic at 900", phi.Logistic(900), 0.16014359},
		{"D06 logistic at 1000", phi.Logistic(1000), 0.30103},
		{"D06 logistic at 1500", phi.Logistic(1500), 2.2160713},
		{"D06 logistic at 2000", phi.Logistic(2000), 7.2999474},
		{"D06 normal crossing", phi.CrossingNormal(), 2122.40025},
		{"D06 logistic crossing", phi.CrossingLogistic(), 2045.19733},
		{"D06 false suspicion", phi.FalseSuspicion(), 1e-8},
		{"D08 marked", float64(Rounds{Silent: 3, Allowed: 2}.MarkedAt()), 5},
		{"E01 attempts", attempts.Mean(), 2.7731},
		{"E01 success", attempts.SuccessShare(), 0.83193},
		{"E01 of successes", attempts.MeanOfSuccesses(), 2.323212},
		{"E02 amplification", layers.Amplification(), 64},
		{"E02 calls", layers.MeanCalls(), 1.428571},
		{"E02 calls, one layer", layers.MeanCallsOneLayer(), 1.417},
		{"E02 failure", layers.FailureShare(), 3.433684e-34},
		{"E03 none", backoff.MeanTotalNone(), 1.166199},
		{"E03 full", backoff.MeanTotalFull(), 0.5830993},
		{"E03 equal", backoff.MeanTotalEqual(), 0.8746489},
		{"F01 to open", dead.MeanToOpen(), 0.25},
		{"F01 passed", dead.PassedPerSecond(), 0.09950249},
		{"F01 refused", dead.RefusedShare(), 0.9950249},
		{"F01 first hour", dead.PassedWithin(3600), 363.1841},
	} {
		assert.InEpsilon(t, x.want, x.got, 1e-6, x.what)
	}
	// Published from a coarser grid: the second mean, for which no wait reaches
	// the cap, is (0.1 + 3·0.2)/2 = 0.35 exactly.
	assert.InEpsilon(t, 0.35, backoff.MeansDecorrelated()[1], 1e-7)
	for k, want := range []float64{0.2, 0.349997, 0.573937, 0.820316, 1.0007, 1.1182, 1.19255} {
		assert.InEpsilon(t, want, backoff.MeansDecorrelated()[k], 1.1e-5, "E03 decorrelated wait %d", k+1)
	}
	assert.InEpsilon(t, 1.10327, backoff.MeanTotalDecorrelated(), 5e-6, "E03 decorrelated")
}

// A10: eight jobs and two workers, by hand.
func TestTrace(t *testing.T) {
	trace := Trace{Workers: 2, Arrivals: []float64{0, 1, 2, 2, 3, 7, 8, 15}, Services: []float64{5, 4, 3, 6, 2, 4, 1, 2}}
	assert.Equal(t, []float64{0, 0, 3, 3, 5, 3, 3, 0}, trace.Waits())
	assert.Equal(t, []float64{5, 5, 8, 11, 10, 14, 12, 17}, trace.Finishes())
	assert.Equal(t, 17.0, trace.Makespan())
	assert.Equal(t, 44.0, trace.Area())
	assert.Equal(t, 2.125, trace.MeanWait())
	assert.InDelta(t, 2.58823529412, trace.MeanInSystem(), 1e-11)
	inSystem := 0 // Area again, tick by tick
	for tick := range 17 {
		for i, finish := range trace.Finishes() {
			if trace.Arrivals[i] <= float64(tick) && float64(tick) < finish {
				inSystem++
			}
		}
	}
	assert.Equal(t, 44, inSystem)
}

// B07: five messages with three keys; then marks that end at an instant.
func TestDedup(t *testing.T) {
	d := Dedup{At: []float64{1, 2, 3, 4, 5}, Keys: []string{"a", "b", "a", "c", "b"}}
	assert.Equal(t, []bool{true, true, false, true, false}, d.Applied())
	assert.Equal(t, 3, d.AppliedCount())
	assert.Equal(t, 2, d.SkippedCount())
	assert.Equal(t, 3, d.KeyCount())
	d = Dedup{At: []float64{0, 9, 10, 19, 20}, Keys: []string{"a", "a", "a", "a", "a"}, Life: 10}
	assert.Equal(t, []bool{true, false, true, false, true}, d.Applied(), "a mark has ended at its end, and a skipped message does not refresh it")
}

// C08, and the same walked through millisecond by millisecond.
func TestPartition(t *testing.T) {
	p := Partition{Length: 15_000, Renew: 5_000, Cut: 12_000, Offset: 500, Poll: 2_000, Job: 60_000, Every: 1_700}
	assert.Equal(t, []int{10_000, 25_000, 26_500, 20, 1, 19, 14, 0}, []int{
		p.LastRenewal(), p.Expiry(), p.Taken(), p.StaleWithoutFence(), p.StaleBeforeFence(), p.RefusedByFence(),
		p.WritesSelfFenced(), p.StaleSelfFenced(),
	})
	expiry, taken, seen := p.Length, -1, false
	var unfenced, fenced, refused, selfFenced int
	for now := range p.Job + 1 {
		if now%p.Renew == 0 && now < p.Cut {
			expiry = now + p.Length
		}
		if taken < 0 && now >= p.Offset && (now-p.Offset)%p.Poll == 0 && now >= expiry {
			taken = now
		}
		if taken >= 0 && now > taken && (now-taken)%p.Every == 0 {
			seen = true
		}
		if now == 0 || now%p.Every != 0 {
			continue
		}
		if now < expiry {
			selfFenced++
		}
		if taken >= 0 {
			unfenced++
			if seen {
				refused++
			} else {
				fenced++
			}
		}
	}
	assert.Equal(t, []int{expiry, taken, unfenced, fenced, refused, selfFenced}, []int{
		p.Expiry(), p.Taken(), p.StaleWithoutFence(), p.StaleBeforeFence(), p.RefusedByFence(), p.WritesSelfFenced(),
	})
}

// C09, and what would have saved the first client.
func TestFencing(t *testing.T) {
	f := Fencing{Length: 10, Pause: 2, Frozen: 15, Delay: 0.5, Try: 10.5, Write: 11.5}
	assert.True(t, f.SecondGranted())
	assert.Equal(t, 17.5, f.FirstWrite())
	assert.True(t, f.FirstStale())
	assert.False(t, f.FirstAccepted(true))
	assert.True(t, f.FirstAccepted(false))
	f.Frozen = 5
	assert.False(t, f.FirstStale(), "written before the second client tries")
	f.Frozen, f.Write = 15, 18
	assert.True(t, f.FirstStale())
	assert.True(t, f.FirstAccepted(true), "a fence knows a token from its first write on")
}

// E07: what a published program printed.
func TestSeedRun(t *testing.T) {
	run := SeedRun{Seed: 7, Success: 0.3, Most: 5, Base: 0.05, Cap: 0.4, Jitter: 0.05}
	assert.Equal(t, 4, run.Attempts())
	assert.True(t, run.Succeeds())
	assert.InDeltaSlice(t, []float64{0.0575424586962251, 0.103621814333377, 0.218284445845629}, run.Delays(), 1e-15)
	assert.Equal(t, []float64{58, 104, 218}, run.DelaysMs())
	assert.Equal(t, []float64{0.32383276483316237, 0.15084917392450192, 0.6509344730398537, 0.07243628666754276, 0.5358820043066892,
		0.36568891691258554, 0.057998924774706806, 0.5074357331894203, 0.03749565844198488, 0.4336456836623859}, run.Random(10))
	run.Success = 0
	assert.Equal(t, 5, run.Attempts())
	assert.False(t, run.Succeeds())
}

// F03: the cycle of a sawtooth; and one whose limit rounds to nothing.
func TestSawtooth(t *testing.T) {
	s := Sawtooth{Capacity: 100, Start: 10, Add: 1, Num: 9, Den: 10}
	assert.Equal(t, []int{12, 90, 101, 91}, []int{s.CycleLength(), s.CycleMin(), s.CycleMax(), s.FirstOverload()})
	assert.Equal(t, 95.5, s.MeanLimit())
	assert.InDelta(t, 1./12, s.OverloadShare(), 1e-15)
	s = Sawtooth{Capacity: 1, Start: 1, Add: 1, Num: 1, Den: 4}
	assert.Equal(t, []int{1, 2}, s.cycle(), "never below 1")
}

func TestUnstableQueuesWaitForEver(t *testing.T) {
	assert.True(t, math.IsInf(MM1{Arrivals: 1, Service: 1}.MeanSojourn(), 1))
	assert.Equal(t, 1.0, MM1{Arrivals: 2, Service: 1}.SojournOver(1e6))
	full := MMC{Arrivals: 6, Service: 1, Workers: 5}
	assert.True(t, math.IsInf(full.MeanWait(), 1))
	assert.Equal(t, []float64{1, 1, 1}, []float64{full.WaitShare(), full.WaitOver(100), full.Utilisation()})
	assert.True(t, math.IsInf(MG1{Arrivals: 1, Service: Exponential(1)}.MeanWait(), 1))
	assert.Equal(t, 1.0, MD1{Arrivals: 2, Service: 1}.WaitOver(9))
	assert.True(t, math.IsInf(MD1{Arrivals: 2, Service: 1}.MeanWait(), 1))
}

func TestLawFromText(t *testing.T) {
	for text, want := range map[string]Law{
		"exp 4":                        Exponential(4),
		"lognormal mean 6 cv2 1.5":     Lognormal(6, 1.5),
		"lognormal median 2 sigma 1.2": LognormalMedian(2, 1.2),
	} {
		var l Law
		require.NoError(t, l.UnmarshalText([]byte(text)))
		assert.Equal(t, want, l)
	}
	l := Lognormal(6, 1.5)
	assert.InEpsilon(t, 6, l.Mean(), 1e-12)
	assert.InEpsilon(t, 1.5*36, l.Variance(), 1e-12)
	assert.ErrorContains(t, new(Law).UnmarshalText([]byte("exponential 4")), "is no law: write")
}
