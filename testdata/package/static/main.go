// Command static fails where a Linux program names an interpreter or a library: one that
// does not run whatever libc a machine has.
//
//	go run ./testdata/package/static FILE...
package main

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"slices"
)

func main() {
	err := errors.New("no file is named")
	for i, path := range os.Args[1:] {
		if fault := static(path); i == 0 || fault != nil {
			err = fault
		}
		if err != nil {
			break
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// static judges one file.
func static(path string) (err error) {
	f, err := elf.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		return fmt.Errorf("%s names an interpreter", path)
	}
	libraries, err := f.ImportedLibraries()
	if err == nil && len(libraries) > 0 {
		err = fmt.Errorf("%s needs %q", path, libraries)
	}
	return err
}
