package worker_test

import (
	"testing"

	"github.com/tenggat/tenggat/policies/policytest"
)

func TestScripts(t *testing.T) {
	policytest.Run(t, "testdata/*.txt", func() policytest.Machine { return new(policytest.Worker) })
}
