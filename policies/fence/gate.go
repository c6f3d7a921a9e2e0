package fence

import "github.com/tenggat/tenggat/policies"

// Gate guards one resource. The zero Gate has seen no token.
type Gate struct{ highest policies.Token }

// Check decides about a write that carries token t: it may take effect if no
// higher token is known. An accepted token is known from then on.
func (g *Gate) Check(t policies.Token) (ok bool) {
	if t < g.highest {
		return false
	}
	g.highest = t
	return true
}

// Register makes a token known that has been granted, before its holder
// writes for the first time.
func (g *Gate) Register(t policies.Token) { g.highest = max(g.highest, t) }

// Highest is the highest token known; 0 if none is.
func (g *Gate) Highest() policies.Token { return g.highest }
