package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLintRulesMatchFiles: every pattern of files of an import rule matches some. A rule whose
// packages have moved is silent, and not red.
func TestLintRulesMatchFiles(t *testing.T) {
	var files []string
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") {
			files = append(files, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	rules := 0
	for _, list := range regexp.MustCompile(`(?m)^ +files: \[(.*)\]`).FindAllStringSubmatch(fileText(t, ".golangci.yml"), -1) {
		for _, m := range regexp.MustCompile(`"([^"]*)"`).FindAllStringSubmatch(list[1], -1) {
			if strings.HasPrefix(m[1], "!") || strings.HasPrefix(m[1], "$") {
				continue
			}
			rules++
			pattern := regexp.QuoteMeta(m[1])
			pattern = strings.ReplaceAll(strings.ReplaceAll(pattern, `\*\*/`, `(.*/)?`), `\*`, `[^/]*`)
			match := regexp.MustCompile("^" + pattern + "$")
			found := false
			for _, f := range files {
				found = found || match.MatchString(f)
			}
			if !found {
				t.Errorf("no file is matched by %s", m[1])
			}
		}
	}
	if rules < 40 {
		t.Errorf("only %d patterns found in .golangci.yml", rules)
	}
}

// TestCommentsAreReadAlone: no comment of product code says that "X is that of Y": it names the
// noun again, or begins with a verb. There are no exceptions; a method of an interface says what
// it does.
func TestCommentsAreReadAlone(t *testing.T) {
	headless := regexp.MustCompile(`^\s*// ?[A-Za-z_]\w* (is|are|was|were) (that|those|it|them|one of (them|those)|all|so)( (of|in|with|which|where|by|that|to|whose)\b|\.)`)
	for _, bad := range []string{"// onceStatus is that of A7.", "\t// IDs are those of the experiments, by place.", "// Split is one of them."} {
		if !headless.MatchString(bad) {
			t.Errorf("not found: %s", bad)
		}
	}
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files++
		text, err := os.ReadFile(path)
		for i, line := range strings.Split(string(text), "\n") {
			if headless.MatchString(line) {
				t.Errorf("%s:%d: %s: name the noun again, or begin with a verb", filepath.ToSlash(path), i+1, strings.TrimSpace(line))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 500 {
		t.Errorf("only %d files of product code found", files)
	}
}
