package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// The documented build is static: it names no interpreter and no library, so that it runs
// whatever libc a machine has. BANDITAUDIT_BUILT names what build.sh has built already.
func TestStatic(t *testing.T) {
	dir := os.Getenv("BANDITAUDIT_BUILT")
	if dir == "" {
		if testing.Short() || runtime.GOOS == "windows" {
			t.Skip("builds the program anew")
		}
		dir = t.TempDir()
		if out, err := exec.Command("bash", "../../testdata/package/build.sh", dir, "linux/"+runtime.GOARCH).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	built, err := filepath.Glob(filepath.Join(dir, "banditaudit-linux-*"))
	if err != nil || len(built) == 0 {
		t.Fatalf("no binary in %s: %v", dir, err)
	}
	for _, path := range built {
		f, err := elf.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range f.Progs {
			if p.Type == elf.PT_INTERP {
				t.Errorf("%s names an interpreter", path)
			}
		}
		if libraries, err := f.ImportedLibraries(); err != nil || len(libraries) > 0 {
			t.Errorf("%s needs %q, %v", path, libraries, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
