// Package worker composes the policies into one worker.
package worker
