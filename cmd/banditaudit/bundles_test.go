package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/banditaudit/explain"
	"banditaudit/cmd/kit"
	"banditaudit/schemas"
)

// Bundles of this version and of every one since 0.2.0 are verified, shown, compared and
// explained by this one. testdata/bundles/make.sh keeps that of the present version.
func TestKeptBundles(t *testing.T) {
	kept, err := filepath.Glob(filepath.Join(root, "testdata", "bundles", "*.*.*"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "testdata", "bundles", kit.Version)); err != nil {
		t.Errorf("no bundle of this version is kept: %v", err)
	}
	for _, dir := range kept {
		out := filepath.Join(t.TempDir(), "out")
		for _, args := range [][]string{
			{"verify", dir}, {"report", "-o", out, filepath.Join(dir, kit.ResultsFile)}, {"diff", dir, dir}, {"explain", "H05", dir},
		} {
			if code, _, stderr := run(t, args...); code != 0 {
				t.Errorf("%v: exit %d\n%s", args, code, stderr)
			}
		}
	}
}

// manyOf is a bundle with so many experiments, all of them one, small, and their claims.
func manyOf(t *testing.T, n int) string {
	t.Helper()
	r := readResults(t, filepath.Join(root, "testdata", "bundles", kit.Version, kit.ResultsFile))
	x, claims := r.Experiments[0], r.Claims[:len(r.Claims)/len(r.Experiments)]
	x.Series, x.Tests, x.Data.Checks, x.Arms, x.Replay.Released, x.Privacy.Levels = nil, nil, nil, nil, nil, nil
	r.Experiments, r.Claims = nil, nil
	for i := range n {
		x.ID = strconv.Itoa(i)
		r.Experiments = append(r.Experiments, x)
		for _, c := range claims {
			c.Experiment = x.ID
			r.Claims = append(r.Claims, c)
		}
	}
	text, err := schemas.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, kit.ResultsFile), text)
	return dir
}

// What reads results again holds of no experiment what it says and claims: neither grows
// with their number, but for the place by which diff finds an experiment in both. report
// lists 200.
func TestReadingIsFlat(t *testing.T) {
	p := &process{Process: &kit.Process{Stdout: io.Discard, Stderr: io.Discard, Now: time.Now}, catalogue: known()}
	s := &settings{Settings: &kit.Settings{Process: p.Process, MaxMemory: 1 << 30}}
	for _, tc := range []struct {
		name string
		few  int
		read func(dir, path string) (any, error)
	}{
		{"report", 205, func(dir, path string) (any, error) {
			f, err := bundle.OpenResults(p.catalogue.Format(), path, s.MaxMemory)
			if err != nil {
				return nil, err
			}
			out, err := kit.NewOutputDir(filepath.Join(dir, "out"), false)
			if err != nil {
				return nil, err
			}
			d, err := readFindings(t.Context(), p, f, out, map[string]bool{"csv": true}, s.NewProgress("report"))
			return [2]any{f, d}, errors.Join(err, out.Discard())
		}},
		{"verify", 5, func(dir, _ string) (any, error) {
			b := &bundle.Dir{Format: p.catalogue.Format(), Dir: dir}
			b.Read(s.MaxMemory)
			return b, b.Fault
		}},
		{"diff", 5, func(_, path string) (any, error) {
			a, err := bundle.SideOf(t.Context(), p.catalogue.Format(), path, s.MaxMemory)
			if err != nil {
				return nil, err
			}
			d, err := bundle.Between(t.Context(), a, a, bundle.Comparison{Memory: s.MaxMemory})
			return [2]any{a, d}, err
		}},
		{"explain", 5, func(_, path string) (any, error) {
			r, err := openRun(p, path, s.MaxMemory)
			if err == nil {
				_, err = explain.Explain(&explain.Entry{Kind: "verdict", Name: "VERIFIED"}, r)
			}
			return r, err
		}},
	} {
		const more, each = 50, 300
		var held [2]int64
		for i := range held {
			dir := manyOf(t, tc.few+more*i)
			before := alive()
			kept, err := tc.read(dir, filepath.Join(dir, kit.ResultsFile))
			if held[i] = alive() - before; err != nil {
				t.Errorf("%s: %v", tc.name, err)
			}
			runtime.KeepAlive(kept)
		}
		if grown := held[1] - held[0]; grown > more*each {
			t.Errorf("%s: of %d experiments more %d bytes more are held", tc.name, more, grown)
		}
	}
}

// alive is how much of the heap a collection leaves, without what pools keep.
func alive() int64 {
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Results that are damaged anywhere are refused, with the place, and nothing is written.
func TestReadingDamaged(t *testing.T) {
	dir := manyOf(t, 3)
	path, out := filepath.Join(dir, kit.ResultsFile), filepath.Join(dir, "out")
	whole := readFile(t, path)
	greatest := regexp.MustCompile(`"range": \[\s*[0-9]+,\s*[1-9]+`).FindString(whole)
	for _, tc := range []struct{ name, text, says string }{
		{"a claim", replaceLast(whole, `"severity": "required"`, `"severity": "grave"`), "/claims/14: "},
		{"an experiment", replaceLast(whole, `"context_dim"`, `"context"`), "/experiments/2: "},
		{"a number of the protocol", strings.Replace(whole, greatest, greatest+"e999", 1), "/protocol: json: cannot unmarshal number"},
		{"its middle", whole[:len(whole)/2], "not JSON: unexpected EOF"},
		{"its end", whole[:len(whole)-2], "not JSON: "},
	} {
		write(t, path, []byte(tc.text))
		for _, args := range [][]string{{"report", "-o", out, path}, {"diff", path, path}, {"explain", "H05", path}} {
			if code, stdout, stderr := run(t, args...); code != kit.ExitInput || !strings.Contains(stderr, path) || !strings.Contains(stderr, tc.says) || stdout != "" {
				t.Errorf("%s, %s: exit %d\n%s%s", tc.name, args[0], code, stdout, stderr)
			}
		}
		if _, err := os.Lstat(out); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: a report was written: %v", tc.name, err)
		}
	}
}

// replaceLast puts a text in the place of another, where it stands last.
func replaceLast(text, old, by string) string {
	i := strings.LastIndex(text, old)
	return text[:i] + by + text[i+len(old):]
}
