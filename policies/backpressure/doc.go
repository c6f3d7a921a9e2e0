// Package backpressure decides how much may be in flight and what is refused.
package backpressure
