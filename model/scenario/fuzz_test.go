package scenario

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzParse looks for a text that makes the reader panic, and checks that what
// it accepts resolves again, with the same hash.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/errors/*.yaml", "testdata/*.yaml", "presets/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Add([]byte(small))
	f.Add([]byte(changing))
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := ParseAll("fuzz.yaml", data)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without words")
			}
			return
		}
		for _, file := range files {
			for _, variant := range file.Variants {
				a, err := file.Resolve(variant)
				if err != nil {
					t.Fatalf("parsed, but %s does not resolve: %v", variant, err)
				}
				b, err := file.Resolve(variant)
				if err != nil || a.Hash() != b.Hash() {
					t.Fatalf("%s resolves to two hashes (%v)", variant, err)
				}
				if _, err := a.Overlay(1); err != nil {
					t.Fatalf("overlay: %v", err)
				}
			}
		}
	})
}
