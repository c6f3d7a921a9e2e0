package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// rankValue is how a write says where it stands among the updates of one
// thing: a whole number, a word for one, or what fills a hole.
var rankValue = value[Rank]{&form{name: "rank", open: true, words: statusWords[:]}, parseRank}

// statusWords are the usual states of a job, in their order; what has ended has
// ended, so the last two stand at one place.
var statusWords = [...]string{"pending", "processing", "completed", "failed"}

var statusRanks = [...]int64{1, 2, 3, 3}

// parseRank reads a number, a status word, or a field with or without braces.
func parseRank(text string) (Rank, error) {
	if n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64); err == nil {
		return Rank{N: n}, nil
	}
	if i := slices.Index(statusWords[:], text); i >= 0 {
		return Rank{N: statusRanks[i]}, nil
	}
	if _, err := parseName(text); err == nil {
		text = "{" + text + "}"
	}
	t, err := parseTemplate(text)
	if err == nil && (len(t.Parts) != 1 || t.Parts[0].Hole == NoHole) {
		err = fmt.Errorf("%q is no number: write a field such as version, or a whole number", text)
	}
	return Rank{Text: t}, err
}

// rank reads where a write stands; nil if it does not say.
func (v view) rank(name string, of owner) *Rank {
	if !v.has(name) {
		return nil
	}
	r := get(v, name, rankValue)
	var err error
	if len(r.Text.Parts) > 0 {
		r.Text, err = r.Text.bind(of.fields)
	}
	if err != nil && v.sound(name) {
		v.wrong(name, "%s", err)
	}
	return &r
}
