package notebooks

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the commands print into the lessons")

// TestLessons runs the commands of each console block: a line "$ tenggat …"
// is a command, the lines up to the next command or the block's end are what
// it prints.
func TestLessons(t *testing.T) {
	tenggat := filepath.Join(t.TempDir(), "tenggat")
	if out, err := exec.Command("go", "build", "-o", tenggat, "../cmd/tenggat").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lessons, err := filepath.Glob("*.md")
	if err != nil || len(lessons) == 0 {
		t.Fatal("no lessons", err)
	}
	for _, name := range lessons {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got := played(t, tenggat, string(text))
		switch {
		case got == string(text):
		case *update:
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s shows what its commands no longer print; read the difference and run go test ./notebooks -update\n%s", name, firstDifference(string(text), got))
		}
	}
}

// played is the lesson with the output of its commands put in.
func played(t *testing.T, tenggat, lesson string) string {
	dir := t.TempDir()
	var out strings.Builder
	inside := false
	for line := range strings.Lines(lesson) {
		switch {
		case !inside:
			inside = line == "```console\n"
			out.WriteString(line)
		case line == "```\n":
			inside = false
			out.WriteString(line)
		case strings.HasPrefix(line, "$ tenggat "):
			out.WriteString(line)
			out.WriteString(printed(t, dir, tenggat, strings.TrimSpace(line[2:])))
		}
	}
	return out.String()
}

func printed(t *testing.T, dir, tenggat, command string) string {
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(tenggat)+":"+os.Getenv("PATH"))
	var out bytes.Buffer
	cmd.Stdout = &out
	var errors bytes.Buffer
	cmd.Stderr = &errors
	if err := cmd.Run(); err != nil {
		t.Errorf("%s: %v\n%s", command, err, errors.String())
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "lesson: " + a[i] + "\nnow:    " + b[i]
		}
	}
	return "one is longer than the other"
}
