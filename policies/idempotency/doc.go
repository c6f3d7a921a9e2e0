// Package idempotency remembers keys, so that a duplicate has no second effect.
package idempotency
