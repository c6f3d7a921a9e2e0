// Package retry decides whether and when a failed attempt is made again.
package retry
