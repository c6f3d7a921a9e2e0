package lease_test

import (
	"testing"

	"github.com/tenggat/tenggat/policies/policytest"
)

func TestKeeperScripts(t *testing.T) {
	policytest.Run(t, "testdata/keeper/*.txt", func() policytest.Machine { return new(policytest.Keeper) })
}

func TestGrantScripts(t *testing.T) {
	policytest.Run(t, "testdata/grant/*.txt", func() policytest.Machine { return new(policytest.Grant) })
}
