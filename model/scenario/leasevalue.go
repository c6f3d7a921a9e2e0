package scenario

import (
	"fmt"
	"strings"
	"time"

	"github.com/tenggat/tenggat/sim/dist"
)

// The values that only leases and checks have.
var (
	lengthValue    = value[*dist.Dist]{&form{name: "dist", unit: inSeconds, open: true, many: script, words: []string{"none"}}, parseLength}
	rangeValue     = value[span]{&form{name: "range", open: true}, parseSpan}
	outsideValue   = value[outside]{&form{name: "fate of a length", unit: inSeconds, open: true, words: []string{"refuse", "clamp"}}, parseOutside}
	believeValue   = value[belief]{&form{name: "belief", unit: inSeconds, open: true, words: []string{"told", "forever"}}, parseBelief}
	slackValue     = value[slack]{&form{name: "dist", unit: inSeconds, open: true}, parseSlack}
	lookValue      = value[look]{&form{name: "look", unit: inSeconds, open: true, many: set, words: []string{"boot", "heartbeat"}}, parseLook}
	scriptDuration = value[time.Duration]{&form{name: "duration", unit: inSeconds, open: true, many: script}, parseDuration}
)

// parseLength reads a distribution or none, which is nil.
func parseLength(text string) (*dist.Dist, error) {
	if text == "none" {
		return nil, nil
	}
	d, err := dist.Parse(text)
	return &d, err
}

// span is a range of durations.
type span struct{ low, high time.Duration }

func parseSpan(text string) (span, error) {
	low, high, found := strings.Cut(text, "..")
	if !found {
		return span{}, fmt.Errorf("%q is not a range: write LOW..HIGH, such as 2s..60s", text)
	}
	l, err := parseDuration(low)
	if err != nil {
		return span{}, err
	}
	h, err := parseDuration(high)
	if err == nil && h < l {
		err = fmt.Errorf("%q ends before it begins", text)
	}
	return span{l, h}, err
}

// outside is what becomes of a length outside the accepted range.
type outside struct {
	kind    Outside
	instead time.Duration
}

func parseOutside(text string) (outside, error) {
	switch text {
	case "refuse":
		return outside{kind: OutsideRefuse}, nil
	case "clamp":
		return outside{kind: OutsideClamp}, nil
	}
	d, err := parseDuration(text)
	if err != nil {
		err = fmt.Errorf("%q is neither refuse, nor clamp, nor a duration", text)
	}
	return outside{OutsideReplace, d}, err
}

// belief is how long after what a holder trusts its lease.
type belief struct {
	length time.Duration
	anchor Anchor
}

func parseBelief(text string) (belief, error) {
	switch text {
	case "told":
		return belief{Forever, UntilTold}, nil
	case "forever":
		return belief{Forever, Always}, nil
	}
	b := belief{anchor: SinceSent}
	length, reply := strings.CutSuffix(text, " from reply")
	if reply {
		b.anchor = SinceReply
	}
	var err error
	b.length, err = parseDuration(strings.TrimSpace(length))
	return b, err
}

// slack is a distribution of either sign.
type slack struct {
	dist  dist.Dist
	minus bool
}

func parseSlack(text string) (slack, error) {
	size, minus := strings.CutPrefix(text, "-")
	d, err := dist.Parse(size)
	return slack{d, minus}, err
}

func isZero(d dist.Dist) bool {
	c, constant := d.IsConstant()
	return constant && c == 0
}

// look is one entry of a check: a period, or a word.
type look struct {
	period     Period
	boot, beat bool
}

func parseLook(text string) (look, error) {
	switch text {
	case "boot":
		return look{boot: true}, nil
	case "heartbeat":
		return look{beat: true}, nil
	}
	p, err := parsePeriod(text)
	return look{period: p}, err
}
