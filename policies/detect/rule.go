package detect

import (
	"fmt"
	"time"
)

// Kind names the way in which silence is judged.
type Kind uint8

const (
	// Fixed suspects after a silence of Timeout.
	Fixed Kind = iota
	// Missed suspects after a silence of Missed periods of Every.
	Missed
	// PhiNormal suspects when phi, from the exact normal tail, reaches Level.
	PhiNormal
	// PhiLogistic is PhiNormal with the usual logistic approximation.
	PhiLogistic
	// PhiExponential suspects when phi, from an exponential tail, reaches Level.
	PhiExponential
	// Chen is NFD-S: it compares send instants with freshness points.
	Chen
)

func (k Kind) String() string {
	return [...]string{"fixed", "missed", "phi_normal", "phi_logistic", "phi_exponential", "chen"}[k]
}

// phi reports whether the kind learns the beat intervals.
func (k Kind) phi() bool { return k >= PhiNormal && k <= PhiExponential }

// Rule says when silence becomes suspicion.
type Rule struct {
	Kind Kind
	// Timeout is the silence that Fixed bears, or Chen's shift δ of the
	// freshness points behind the send instants.
	Timeout time.Duration
	// Missed is the number of periods of silence that Missed bears.
	Missed int
	// Level is the phi at which the phi kinds suspect; a level of n means that
	// a beat this late has chance 10^−n. Usual: 8.
	Level float64
	// Window is the number of intervals that the phi kinds remember; 0 = 1000.
	Window int
	// MinSD is the least standard deviation that PhiNormal and PhiLogistic
	// reckon with; 0 = 100 ms.
	MinSD time.Duration
	// Allowance is a silence that the phi kinds bear on top; 0 = none.
	Allowance time.Duration
	// Every is the period of the beats: the unit of Missed, the η of Chen, the
	// first estimate of the phi kinds. Fixed does not need it.
	Every time.Duration
}

// Check reports the first setting that cannot be meant.
func (r *Rule) Check() error {
	switch {
	case r.Kind > Chen:
		return fmt.Errorf("detect: unknown kind %d", uint8(r.Kind))
	case r.Kind == Fixed && r.Timeout <= 0:
		return fmt.Errorf("detect: fixed time-out of %v; give a positive duration", r.Timeout)
	case r.Kind == Chen && r.Timeout < 0:
		return fmt.Errorf("detect: chen shift of %v; give 0 or more", r.Timeout)
	case r.Kind == Missed && r.Missed < 1:
		return fmt.Errorf("detect: missed %d beats; give 1 or more", r.Missed)
	case r.Kind != Fixed && r.Every <= 0:
		return fmt.Errorf("detect: %v with a beat every %v; give the period of the beats", r.Kind, r.Every)
	case r.Kind.phi() && !(r.Level > 0 && r.Level <= maxLevel):
		return fmt.Errorf("detect: %v level of %v; give a number above 0, at most %v", r.Kind, r.Level, maxLevel)
	case r.Window < 0 || r.Window > maxWindow:
		return fmt.Errorf("detect: window of %d intervals; give 1 to %d, or 0 for %d", r.Window, maxWindow, standardWindow)
	case r.MinSD < 0:
		return fmt.Errorf("detect: least deviation of %v; give a positive duration, or 0 for %v", r.MinSD, standardMinSD)
	case r.Allowance < 0:
		return fmt.Errorf("detect: allowance of %v; give 0 or more", r.Allowance)
	case r.Every > maxInterval:
		return fmt.Errorf("detect: a beat every %v; give at most %v", r.Every, maxInterval)
	}
	return nil
}

const (
	standardWindow = 1000
	standardMinSD  = 100 * time.Millisecond
	// maxLevel keeps the normal tail, 10^−Level, a normal float64.
	maxLevel = 300.0
)
