package main

import (
	"os"
	"path/filepath"
	"testing"
)

// Bundles of this version and of every one since 0.2.0 are verified, shown, compared and
// explained by this one. testdata/bundles/make.sh keeps that of the present version.
func TestKeptBundles(t *testing.T) {
	kept, err := filepath.Glob(filepath.Join(root, "testdata", "bundles", "*.*.*"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "testdata", "bundles", toolVersion)); err != nil {
		t.Errorf("no bundle of this version is kept: %v", err)
	}
	for _, dir := range kept {
		out := filepath.Join(t.TempDir(), "out")
		for _, args := range [][]string{
			{"verify", dir}, {"report", "-o", out, filepath.Join(dir, resultsFile)}, {"diff", dir, dir}, {"explain", "H05", dir},
		} {
			if code, _, stderr := run(t, args...); code != 0 {
				t.Errorf("%v: exit %d\n%s", args, code, stderr)
			}
		}
	}
}
