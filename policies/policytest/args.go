package policytest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Args reads the arguments of an input, words of the form key=value. A missing
// key reads as zero. The first mistake is kept and reported by Err, as is an
// argument that nobody read.
type Args struct {
	words []string
	read  []string
	err   error
}

// NewArgs reads the words after an input's name.
func NewArgs(words []string) *Args { return &Args{words: words} }

// Text is the value of a key as written.
func (a *Args) Text(key string) string {
	a.read = append(a.read, key)
	for _, w := range a.words {
		if k, v, _ := strings.Cut(w, "="); k == key {
			return v
		}
	}
	return ""
}

// Has reports whether the key is there, with or without a value.
func (a *Args) Has(key string) bool {
	a.read = append(a.read, key)
	return slices.ContainsFunc(a.words, func(w string) bool {
		k, _, _ := strings.Cut(w, "=")
		return k == key
	})
}

// Int is a whole number.
func (a *Args) Int(key string) int64 {
	return parse(a, key, func(v string) (int64, error) { return strconv.ParseInt(v, 10, 64) })
}

// Float is a number.
func (a *Args) Float(key string) float64 {
	return parse(a, key, func(v string) (float64, error) { return strconv.ParseFloat(v, 64) })
}

// Duration is a duration as Go writes it.
func (a *Args) Duration(key string) time.Duration { return parse(a, key, time.ParseDuration) }

// Durations is a list of durations with commas between.
func (a *Args) Durations(key string) []time.Duration {
	var list []time.Duration
	for _, v := range strings.FieldsFunc(a.Text(key), func(r rune) bool { return r == ',' }) {
		d, err := time.ParseDuration(v)
		a.note(key, err)
		list = append(list, d)
	}
	return list
}

// Choice is the place of the value among the names given.
func (a *Args) Choice(key string, names ...string) int {
	return parse(a, key, func(v string) (int, error) {
		i := slices.Index(names, v)
		if i < 0 {
			return 0, fmt.Errorf("%q is none of %v", v, names)
		}
		return i, nil
	})
}

// Err is the first mistake, or the first argument that nobody read.
func (a *Args) Err() error {
	for _, w := range a.words {
		if k, _, _ := strings.Cut(w, "="); a.err == nil && !slices.Contains(a.read, k) {
			return fmt.Errorf("unknown argument %q; known here: %v", k, a.read)
		}
	}
	return a.err
}

func (a *Args) note(key string, err error) {
	if err != nil && a.err == nil {
		a.err = fmt.Errorf("%s: %w", key, err)
	}
}

func parse[T any](a *Args, key string, read func(string) (T, error)) T {
	var zero T
	text := a.Text(key)
	if text == "" {
		return zero
	}
	v, err := read(text)
	a.note(key, err)
	return v
}
