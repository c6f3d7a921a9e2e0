package dist

import (
	"fmt"

	"github.com/tenggat/tenggat/internal/near"
)

// hint proposes the known word nearest to a mistyped one, or says nothing.
func hint(word string, known []string) string {
	best := near.Word(word, known)
	if best == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", best)
}
