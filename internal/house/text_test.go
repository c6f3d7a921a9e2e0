package house

import (
	"fmt"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// unwanted is what no file of a public repository contains.
var unwanted = []struct {
	pattern *regexp.Regexp
	why     string
	code    bool // looked for in code only
}{
	{regexp.MustCompile(`(?:^|[\s"'=(:])/(?:home|root|Users|work|workspace|mnt|srv)/\w`), "a path of somebody's machine", false},
	{regexp.MustCompile(`\b(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}\b`), "a private address", false},
	{regexp.MustCompile(`(?:://|@)[\w.-]+\.(?:internal|intranet|corp|lan|local)\b`), "a private host", false},
	{regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_\w{36}\b`), "a secret", false},
	{regexp.MustCompile(`\b(?:TO` + `DO|FIX` + `ME|XX` + `X)\b`), "a note to oneself: do it or write an issue", true},
}

// TestNothingPrivateOrUnfinished reads every text of the repository.
func TestNothingPrivateOrUnfinished(t *testing.T) {
	for _, f := range tree(t) {
		report(t, leftovers(f.name, f.text))
	}
}

func leftovers(name string, text []byte) []finding {
	var found []finding
	for i, line := range strings.Split(string(text), "\n") {
		for _, u := range unwanted {
			if at := u.pattern.FindString(line); at != "" && (!u.code || strings.HasSuffix(name, ".go")) {
				found = append(found, finding{token.Position{Filename: name, Line: i + 1}, fmt.Sprintf("%q is %s", at, u.why)})
			}
		}
	}
	return found
}

// TestTextObjects: the rule finds what it is there for. The words are put
// together here, so that this file itself is clean.
func TestTextObjects(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"a.md", "cd /ho" + "me/ann && ls", 1},
		{"a.md", "see https://example.org/home/ann", 0},
		{"a.yaml", "addr: 10.0" + ".0.7", 1},
		{"a.csv", "10.1,10.2,10.3", 0},
		{"a.sh", "curl https://mirror.build" + ".internal/x", 1},
		{"a.go", "// TO" + "DO later", 1},
		{"a.md", "no TO" + "DO stays", 0},
		{"a.pem", "-----BEGIN RSA PRIVATE" + " KEY-----", 1},
	} {
		if found := leftovers(c.name, []byte(c.text)); len(found) != c.want {
			t.Errorf("%q: %v, want %d findings", c.text, found, c.want)
		}
	}
}
