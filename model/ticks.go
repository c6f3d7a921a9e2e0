package model

import (
	"time"

	"github.com/tenggat/tenggat/internal/exact"
	"github.com/tenggat/tenggat/model/history"
	"github.com/tenggat/tenggat/model/scenario"
	"github.com/tenggat/tenggat/sim"
)

// firstTick is the first tick of a period for an owner that starts now.
func (w *world) firstTick(p *scenario.Period, luck chance, start sim.Time) sim.Time {
	switch {
	case p.From != nil:
		at := sim.Time(*p.From)
		if every, constant := p.Every.IsConstant(); constant && every > 0 && at < start {
			at = at.Add((start.Sub(at) + every - 1) / every * every)
		}
		return max(at, start)
	case p.Random:
		every := time.Duration(exact.RoundNs(float64(p.Every.Mean() * 1e9)))
		phase := luck.With(7)
		return start.Add(time.Duration(phase.IntN(int64(max(1, every)))))
	}
	return start.Add(p.Every.Draw(luck))
}

// nextTick is the next look of a waiter that began at since and has looked n
// times.
func (w *world) nextTick(p *scenario.Period, luck chance, n uint64, now, since sim.Time) sim.Time {
	every, constant := p.Every.IsConstant()
	if !constant {
		return now.Add(p.Every.Draw(luck.With(n)))
	}
	if every <= 0 {
		return now
	}
	first := since
	if p.From != nil || p.Random {
		first = w.firstTick(p, luck, since)
	}
	if now < first {
		return first
	}
	return first.Add((now.Sub(first)/every + 1) * every)
}

// phaseOf is where a grantor's or an observer's ticks lie.
func (w *world) phaseOf(c *scenario.Check, noun history.Noun, index int) sim.Time {
	if c.AtOnce {
		return w.from
	}
	return w.firstTick(&c.Every, w.luck[luckPhase].With(uint64(noun)).With(uint64(index)), w.from)
}

// exponential is a wait with the given rate per second.
func exponential(luck chance, rate float64) time.Duration {
	u := luck.Open01()
	return time.Duration(exact.RoundNs(-exact.Log(u) / rate * 1e9))
}

// geometric is a batch size on 1, 2, … with the given mean.
func geometric(luck chance, mean float64) int {
	if mean <= 1 {
		return 1
	}
	u := luck.Open01()
	return 1 + int(exact.Log(u)/exact.Log(1-1/mean))
}
