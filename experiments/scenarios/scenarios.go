// Package scenarios is the library of scenario files that the program carries with it.
//
// It promises that every file here can be run by its name, without a path, and nothing else: what a file claims is
// checked by running its expectations.
package scenarios

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed all:*
var files embed.FS

// ending of a scenario's file.
const ending = ".yaml"

// Names are the names of all scenarios, sorted: file names without folder and ending.
func Names() []string {
	var names []string
	for _, file := range paths() {
		names = append(names, name(file))
	}
	slices.Sort(names)
	return names
}

// Lookup is the text of the scenario with this name; ok is false if there is none.
func Lookup(wanted string) (data []byte, ok bool) {
	for _, file := range paths() {
		if name(file) == wanted {
			data, err := files.ReadFile(file)
			return data, err == nil
		}
	}
	return nil, false
}

func name(file string) string { return strings.TrimSuffix(path.Base(file), ending) }

func paths() []string {
	var found []string
	err := fs.WalkDir(files, ".", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && path.Ext(file) == ending {
			found = append(found, file)
		}
		return err
	})
	if err != nil {
		panic("scenarios: " + err.Error()) // An embedded folder can be read.
	}
	return found
}
