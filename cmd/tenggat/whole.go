package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// whole is a flag whose value is a whole number in decimal, least or more. The flag library's own numbers would take 010
// for eight.
type whole[T int | int64 | uint64] struct {
	value *T
	least uint64
}

// Set reads the value.
func (w *whole[T]) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 64)
	switch {
	case len(text) > 1 && text[0] == '0':
		return errors.New("use a whole number in decimal, without a zero in front")
	case errors.Is(err, strconv.ErrRange) || err == nil && n > w.most():
		return fmt.Errorf("use a number up to %d", w.most())
	case err != nil || n < w.least:
		return fmt.Errorf("use a whole number, %d or more", w.least)
	}
	*w.value = T(n)
	return nil
}

// most is the largest value that the type has.
func (w *whole[T]) most() uint64 {
	switch any(*w.value).(type) {
	case uint64:
		return math.MaxUint64
	case int64:
		return math.MaxInt64
	}
	return math.MaxInt
}

// String is the value as the help shows a default.
func (w *whole[T]) String() string {
	if w.value == nil {
		return "0"
	}
	return fmt.Sprint(*w.value)
}

// Type is what the help calls the value.
func (w *whole[T]) Type() string { return "number" }
