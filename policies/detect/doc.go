// Package detect decides when silence becomes suspicion.
package detect
