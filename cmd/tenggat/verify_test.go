package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestVerify(t *testing.T) {
	code, stdout, stderr := tenggat("verify", "D08", "A10")
	assert.Equal(t, exitFine, code, stderr)
	assert.Contains(t, stdout, "22 of 22 numbers held.")
	assert.Less(t, strings.Index(stdout, "A10"), strings.Index(stdout, "D08"), "in their own order")

	code, _, stderr = tenggat("verify", "A99")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, stderr, "there is no oracle A99; there are A01")

	code, _, stderr = tenggat("verify", "A10", "--replications", "3")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, stderr, "verify takes no --replications: its cases are fixed")
}
