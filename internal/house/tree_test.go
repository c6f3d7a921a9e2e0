package house

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// text is one file of the repository.
type text struct {
	name string // as seen from this package
	text []byte
}

// built are the folders that .gitignore names.
var built = []string{"bin", "out"}

// tree is every text file of the repository. What is not text (an image, a
// binary) holds a zero byte near its beginning.
func tree(t *testing.T) []text {
	t.Helper()
	var all []text
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != root && name != ".ci" && (strings.HasPrefix(name, ".") || matches(built, name)) {
				return fs.SkipDir
			}
			return nil
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes.IndexByte(content[:min(len(content), 8000)], 0) < 0 {
			all = append(all, text{path, content})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
