package main

import "io"

// output is the standard output. It keeps the first error, so that a command that prints line by line need not ask
// after each whether the disk behind it is full.
type output struct {
	to  io.Writer
	err error
}

// Write writes unless something could not be written before.
func (o *output) Write(text []byte) (n int, err error) {
	if o.err == nil {
		n, o.err = o.to.Write(text)
	}
	return n, o.err
}
