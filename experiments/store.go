package experiments

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
)

// Version of the product. Results of different versions may differ.
const Version = "0.1.0"

// Store keeps the finished points of an unfinished study in a directory, one
// file each, so that it can be continued. A file appears whole or not at all;
// one that was damaged afterwards is not believed and its point is run again.
// A nil Store keeps nothing.
type Store struct{ dir string }

// stateFiles is what a Store's files are called, and halfWritten what any file
// is called until it is complete.
const (
	stateFiles  = "*.point"
	halfWritten = ".writing-*"
)

// OpenStore opens the store in dir and makes dir if need be. Without resume it
// begins empty.
func OpenStore(dir string, resume bool) (*Store, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if resume {
		return &Store{dir}, removeAll(dir, halfWritten)
	}
	return &Store{dir}, removeAll(dir, halfWritten, stateFiles)
}

// Empty says that no point is kept.
func (s *Store) Empty() bool {
	if s == nil {
		return true
	}
	kept, err := filepath.Glob(filepath.Join(s.dir, stateFiles))
	return err == nil && len(kept) == 0
}

// Close removes the store: the study is finished and its tables are written, or
// it has left nothing to go on with. The directory stays if others have put
// something into it.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
	if err := removeAll(s.dir, halfWritten, stateFiles); err != nil {
		return err
	}
	if left, err := os.ReadDir(s.dir); err != nil || len(left) > 0 {
		return err
	}
	return os.Remove(s.dir)
}

// removeAll removes the files of these patterns; a directory of such a name is
// nothing that a Store has made.
func removeAll(dir string, patterns ...string) error {
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return err
		}
		for _, file := range files {
			if info, err := os.Lstat(file); err != nil || info.IsDir() {
				continue
			}
			if err := os.Remove(file); err != nil {
				return err
			}
		}
	}
	return nil
}

// save writes a point: a checksum, then its content, under a temporary name
// until it is complete.
func (s *Store) save(spec *Spec, p *Point) error {
	if s == nil {
		return nil
	}
	kept := *p
	kept.Columns = nil // They follow from the scenario.
	var content bytes.Buffer
	if err := gob.NewEncoder(&content).Encode(kept); err != nil {
		return fmt.Errorf("keeping a point: %w", err)
	}
	sum := sha256.Sum256(content.Bytes())
	if err := WriteFile(s.file(spec), append(sum[:], content.Bytes()...)); err != nil {
		return fmt.Errorf("a finished point cannot be kept: %w", err)
	}
	return nil
}

// load is the kept point of a spec, or nil.
func (s *Store) load(spec *Spec) *Point {
	if s == nil {
		return nil
	}
	data, err := os.ReadFile(s.file(spec))
	if err != nil || len(data) < sha256.Size || sha256.Sum256(data[sha256.Size:]) != [sha256.Size]byte(data) {
		return nil
	}
	p := &Point{}
	if err := gob.NewDecoder(bytes.NewReader(data[sha256.Size:])).Decode(p); err != nil || len(p.Values) != len(spec.Columns) {
		return nil
	}
	p.Columns = spec.Columns
	return p
}

// file is named by all that decides what is in it.
func (s *Store) file(spec *Spec) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%v\n", Version, build(), spec.Variant, spec.Axes)
	fmt.Fprintf(h, "%s\n%d\n%d\n", spec.Hash, spec.Scenario.Seed, spec.Scenario.Run.Replications)
	for _, x := range spec.Expects.list {
		fmt.Fprintf(h, "%q %q\n", x.source.Variant, x.source.Text)
	}
	return filepath.Join(s.dir, hex.EncodeToString(h.Sum(nil)[:16])+stateFiles[1:])
}

// build is the source state that the program was built from, where known.
func build() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	text := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
			text += " " + s.Value
		}
	}
	return text
}

// WriteFile puts data in place of the file at once: whole or not at all. The
// error says what to do about a disk without room.
func WriteFile(path string, data []byte) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("the results cannot be written: %w; make room, or choose another directory with --out", err)
		}
	}()
	temporary, err := os.CreateTemp(filepath.Dir(path), halfWritten)
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	if _, err = temporary.Write(data); err == nil {
		err = temporary.Chmod(0o644)
	}
	if closing := temporary.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}
