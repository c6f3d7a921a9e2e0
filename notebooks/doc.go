// Package notebooks is the course: lessons in Indonesian whose commands are
// real. The test runs every command of every lesson and compares what it
// prints with what the lesson shows, digit for digit.
package notebooks
