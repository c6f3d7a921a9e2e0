// Package fence decides whether a write with a token may still take effect.
package fence
