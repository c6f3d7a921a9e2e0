package experiments

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// claimFile holds who writes into a directory: process and host.
const claimFile = ".claim"

// Claim makes this process the only one that writes a study's files into dir,
// until release is called. Of two studies in one directory the second would
// throw away what the first has kept. A claim whose process has ended is void.
func Claim(dir string) (release func() error, err error) {
	host, _ := os.Hostname()
	mine := fmt.Sprintf("%d %s\n", os.Getpid(), host)
	temporary, err := os.CreateTemp(dir, halfWritten)
	if err != nil {
		return nil, err
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.WriteString(mine)
	if err := errors.Join(err, temporary.Close()); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, claimFile)
	// A link is made whole or not at all, and only where there is none yet.
	err = os.Link(temporary.Name(), path)
	if errors.Is(err, fs.ErrExist) {
		if err := void(path, host); err != nil {
			return nil, err
		}
		err = os.Link(temporary.Name(), path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be claimed: %w", dir, err)
	}
	return func() error { return os.Remove(path) }, nil
}

// void removes the claim of a process that has ended; the error says who has a
// claim that stands.
func void(path, host string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it has just been released
	}
	if err != nil {
		return err
	}
	var pid int
	var there string
	fmt.Sscan(string(text), &pid, &there) // what cannot be read is nobody's
	switch {
	case there != host && there != "":
		return fmt.Errorf("%s is being written by process %d on %s: wait for it, or choose another directory with --out; if it has ended, remove %s", filepath.Dir(path), pid, there, path)
	case pid != os.Getpid() && alive(pid):
		return fmt.Errorf("%s is being written by process %d: wait for it, or choose another directory with --out", filepath.Dir(path), pid)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// alive says that there is a process of this number.
func alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer process.Release()
	err = process.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), "not supported")
}
