package near

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"lease", "lease", 0},
		{"leese", "lease", 1},
		{"lese", "lease", 1},
		{"leasse", "lease", 1},
		{"laese", "lease", 1}, // two neighbours swapped
		{"kitten", "sitting", 3},
		{"saturday", "sunday", 3},
		{"ca", "abc", 3}, // 2 if a swapped pair could be parted again
		{"ünit", "unit", 1},
	} {
		assert.Equal(t, c.want, distance([]rune(c.a), []rune(c.b)), "%s to %s", c.a, c.b)
		assert.Equal(t, c.want, distance([]rune(c.b), []rune(c.a)), "%s to %s", c.b, c.a)
	}
}

func TestWord(t *testing.T) {
	for _, c := range []struct {
		text  string
		known []string
		want  string
	}{
		{"lenght", []string{"lease", "length"}, "length"},
		{"cpa", []string{"check", "cap"}, "cap"},
		{"colour", []string{"length", "late_settle", "renew", "cap", "check"}, ""},
		{"late-settle", []string{"settle", "late_settle"}, "late_settle"},
		{"x", []string{"a", "cap"}, ""},        // a word of one letter is not replaced
		{"hr", []string{"m", "h"}, "h"},        // but one may have been added
		{"code", []string{"cone"}, "cone"},     // one letter of four
		{"code", []string{"care"}, ""},         // two of four
		{"norm", []string{"normal"}, "normal"}, // two of six
		{"nor", []string{"normal"}, ""},
		{"lease", []string{"leases", "lease"}, ""}, // it is known
		{"anything", nil, ""},
		{"", []string{"a"}, ""},

		// Equally near: the one that goes on, then the first.
		{"duplicate_rat", []string{"duplicate_eat", "duplicate_rate"}, "duplicate_rate"},
		{"wait_s.p9", []string{"wait_s.p50", "wait_s.p95", "wait_s.p99"}, "wait_s.p95"},
		{"wait_s.p98", []string{"wait_s.p95", "wait_s.p99"}, "wait_s.p95"},
		{"wait_s.p98", []string{"wait_s.p99", "wait_s.p95"}, "wait_s.p99"},
		// Nearness goes before that.
		{"lock", []string{"locked", "lick"}, "lick"},
	} {
		assert.Equal(t, c.want, Word(c.text, c.known), "%s among %q", c.text, c.known)
	}
}
